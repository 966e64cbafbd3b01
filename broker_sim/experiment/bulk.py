"""Bulk matching on Spark: a large folder or table of documents against one file of subscriptions.

Subscriptions are broadcast once; every worker builds the engine once, for its first task, and keeps it for all later
ones. Documents stream through `mapInArrow`, and the pairs that match come out as rows (`doc_id`, `subscription_id`).
Any engine will do; the answer is that of the engine in one process. A document that cannot be read has no rows and is
reported.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final
from uuid import uuid4

import numpy as np
import pyarrow as pa
from pyroaring import BitMap
from pyspark import AccumulatorParam

from broker_sim.engines import DEFAULT_ENGINE, Engine, create_engine
from broker_sim.engines.documents import MAX_BYTES, parse
from broker_sim.engines.engine import loading
from broker_sim.errors import ConfigurationError, DocumentError
from broker_sim.spark.location import file_names, file_system, hadoop_path, location, to_read
from broker_sim.xpath import parse_xpath

if TYPE_CHECKING:
    from pyspark import Accumulator, Broadcast
    from pyspark.sql import DataFrame, SparkSession

DOC_ID: Final = "doc_id"
CONTENT: Final = "content"
RESULT: Final = "doc_id string, subscription_id long"
TASKS_A_CORE: Final = 8
LOOKED_AT: Final = 1_000
"""How many files of a folder are looked at to see what it holds."""
ROWS_A_BATCH: Final = 500_000
UNEVEN: Final = 4
"""How many times the even share a part may hold before documents are spread anew."""

_TABLE_FILE: Final = re.compile(r"\.?(_SUCCESS|part-.*\.parquet)(\.crc)?$")
_SCHEMA: Final = pa.schema([("doc_id", pa.string()), ("subscription_id", pa.int64())])
_engines: dict[str, Engine] = {}
"""The engine of this worker, by the run it belongs to: one at a time."""


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """An engine by name with its options, and the largest document it is given."""

    name: str = DEFAULT_ENGINE
    options: Mapping[str, object] = field(default_factory=dict)
    max_bytes: int = MAX_BYTES

    def filled(self, subscriptions: Mapping[int, str]) -> Engine:
        """A new engine with these; raises `XPathError` for the first that is none, or that it cannot take."""
        engine = create_engine(self.name, **self.options)
        with loading(engine):
            for number, text in subscriptions.items():
                engine.add(number, parse_xpath(text))
        return engine


@dataclass(frozen=True, slots=True)
class BulkResult:
    """How many documents and matches there were, and what was wrong with the documents that could not be read."""

    documents: int
    matches: int
    errors: Mapping[str, str]


def read_documents(spark: SparkSession, where: str | os.PathLike[str]) -> DataFrame:
    """The `.xml` files below a folder, or a Parquet table with the columns `doc_id` and `content`, a path or a URL.

    The id of a file is its path below the folder.
    """
    from pyspark.sql import functions as f

    place = location(where)
    kinds = {Path(name).suffix for name in islice(file_names(spark, place), LOOKED_AT)}
    if ".xml" in kinds:
        root = file_system(spark, place).makeQualified(hadoop_path(spark, place)).toString()
        files = spark.read.format("binaryFile").option("recursiveFileLookup", "true").option("pathGlobFilter", "*.xml")
        below = f.expr(f"substring(path, {len(root) + 2})").alias(DOC_ID)
        return files.load(to_read(where)).select(below, CONTENT)
    if ".parquet" not in kinds:
        raise ConfigurationError("expected a folder with .xml files or a Parquet table", source=str(where))
    table = spark.read.parquet(to_read(where))
    if not {DOC_ID, CONTENT} <= set(table.columns):
        found = ", ".join(table.columns)
        raise ConfigurationError(f"expected columns {DOC_ID} and {CONTENT}, not {found}", source=str(where))
    return table.select(
        f.coalesce(f.col(DOC_ID).cast("string"), f.lit("")).alias(DOC_ID), f.col(CONTENT).cast("binary")
    )


def match_documents(
    spark: SparkSession,
    documents: DataFrame,
    subscriptions: Mapping[int, str],
    out: str | os.PathLike[str],
    engine: EngineChoice | None = None,
    *,
    tried: bool = False,
) -> BulkResult:
    """Match `documents` (see `read_documents`) and write the rows to `out`, as Parquet, in place of an earlier table.

    A folder that holds anything else is left alone: that is a `ConfigurationError`. Unless they were `tried` before, an
    engine is filled here first, so that what it refuses is an error before any work begins.
    """
    context = spark.sparkContext
    engine = engine or EngineChoice()
    if not tried:
        engine.filled(subscriptions)
    _refuse_other_files(spark, location(out))
    errors: Accumulator[dict[str, str]] = context.accumulator({}, _Errors())
    task = _Task(uuid4().hex, context.broadcast(dict(subscriptions)), engine, errors)
    matches = _spread(documents, TASKS_A_CORE * context.defaultParallelism).mapInArrow(task, RESULT)
    matches.write.mode("overwrite").parquet(location(out))
    written = spark.read.schema(RESULT).parquet(to_read(out)).count()
    return BulkResult(documents.count(), written, dict(sorted(errors.value.items())))


def _refuse_other_files(spark: SparkSession, out: str) -> None:
    if not file_system(spark, out).exists(hadoop_path(spark, out)):
        return
    foreign = [name for name in file_names(spark, out) if not _TABLE_FILE.match(name)]
    if foreign:
        raise ConfigurationError(f"is no table of matches: it holds {foreign[0]!r}; choose another folder", source=out)


def _spread(documents: DataFrame, tasks: int) -> DataFrame:
    """The documents in about `tasks` parts of like size; they are moved only if they lie unevenly, as in one file."""
    from pyspark.sql import functions as f

    sizes = [row["count"] for row in documents.groupBy(f.spark_partition_id()).count().collect()]
    if sizes and max(sizes) * tasks > UNEVEN * sum(sizes) and max(sizes) > 1:
        return documents.repartition(min(tasks, sum(sizes)))
    return documents.coalesce(tasks)


class _Errors(AccumulatorParam[dict[str, str]]):
    """Errors by document: a task that is tried again reports the same ones."""

    def zero(self, value: dict[str, str]) -> dict[str, str]:
        return {}

    def addInPlace(self, value1: dict[str, str], value2: dict[str, str]) -> dict[str, str]:
        return {**value1, **value2}


@dataclass(frozen=True)
class _Task:
    """What a task does with its batches of documents; `run` tells one call of `match_documents` from another."""

    run: str
    subscriptions: Broadcast[dict[int, str]]
    choice: EngineChoice
    errors: Accumulator[dict[str, str]]

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        engine = self._engine()
        for batch in batches:
            rows = _Rows()
            for doc_id, content in zip(batch.column(DOC_ID), batch.column(CONTENT), strict=True):
                rows.add(doc_id.as_py(), self._matches(engine, doc_id.as_py(), content.as_py()))
                if rows.number >= ROWS_A_BATCH:
                    yield rows.batch()
                    rows = _Rows()
            yield rows.batch()

    def _engine(self) -> Engine:
        if self.run not in _engines:
            _engines.clear()
            _engines[self.run] = self.choice.filled(self.subscriptions.value)
        return _engines[self.run]

    def _matches(self, engine: Engine, doc_id: str, content: bytes | None) -> BitMap:
        try:
            if content is None:
                raise DocumentError("has no content", source=doc_id)
            return engine.match(parse(content, doc_id, max_bytes=self.choice.max_bytes))
        except DocumentError as error:
            self.errors.add({doc_id: str(error)})
            return BitMap()


class _Rows:
    """Pairs of document and subscription, as they are found."""

    def __init__(self) -> None:
        self.number = 0
        self._documents: list[str] = []
        self._matches: list[BitMap] = []

    def add(self, doc_id: str, matches: BitMap) -> None:
        """All pairs of one document."""
        self._documents.append(doc_id)
        self._matches.append(matches)
        self.number += len(matches)

    def batch(self) -> pa.RecordBatch:
        """As columns."""
        counts = [len(each) for each in self._matches]
        which = np.repeat(np.arange(len(counts)), counts)
        found = [np.asarray(each.to_array(), dtype=np.int64) for each in self._matches]
        numbers = np.concatenate(found) if found else np.empty(0, dtype=np.int64)
        return pa.record_batch([pa.array(self._documents, pa.string()).take(pa.array(which)), numbers], schema=_SCHEMA)
