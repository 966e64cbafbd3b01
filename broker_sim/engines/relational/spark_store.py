"""Subscriptions as Parquet files, matched by Spark SQL: for batches of documents.

Spark's cost is per statement, not per document, so `Relational.match_all` is the way to use it: documents of a batch
are told apart by `doc`, and all of them go through each statement together.

Files cannot be changed, so a store is a folder of *parts*, each a folder with one file per table, and a manifest that
lists the parts that count. A change writes new parts beside the others and then replaces the manifest, which is one
rename: a crash leaves the state before or after it, and perhaps a part that no one reads. While the newest part is
small it is rewritten together with what arrives; a removal rewrites the part it concerns. Temporary tables are
Parquet files too, in a folder of this process: the optimizer then knows their sizes, and no memory is held between
statements. One process at a time may write.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterator, Set
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Final
from uuid import uuid4
from weakref import finalize

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyroaring import BitMap64

from broker_sim.atomic import atomic_writer
from broker_sim.engines.relational.store import Parameters, Rows
from broker_sim.engines.relational.tables import XPATH, XPATH_EDGE, XPATH_TEST, Row, Table, arrow, named
from broker_sim.errors import ConfigurationError
from broker_sim.spark import spark_session

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Part = dict[str, pa.Table]
"""The tables of a part by name."""

_LISTS: Final = (XPATH_EDGE.name, XPATH_TEST.name)
_SMALL: Final = 50_000
"""A part with fewer XPaths is rewritten when more arrive."""

_MANIFEST: Final = "manifest.json"
_NAMES: Final = re.compile(r"\bxpath(?:_edge|_test|_frame_\d+|_pred_\d+)?\b")


class SparkStore:
    """A folder of parts, and Spark's view of it."""

    def __init__(self, location: str | None, memory: str | None) -> None:
        if memory is not None:
            raise ConfigurationError("the memory of Spark is set when it starts; leave the option out")
        self._scratch = Path(mkdtemp(prefix="broker-sim-relational-"))
        self._tidy = finalize(self, rmtree, self._scratch, ignore_errors=True)
        self._folder = self._scratch / "store" if location is None else Path(location)
        self._session = _own_session()
        self._viewed: set[str] = set()
        self._use(self._listed())

    @property
    def tables(self) -> Set[str]:
        """The tables that some part has."""
        return self._files.keys()

    def insert(self, rows: Rows) -> None:
        """Write the rows as a part, with those of the newest part if that is small."""
        new = {table.name: arrow(table, some) for table, some in rows if some}
        ids = new[XPATH.name]["id"].to_pylist()
        if len(set(ids)) < len(ids) or not self._ids.isdisjoint(BitMap64(ids)):
            raise ValueError("a subscription id is taken")
        parts = self._parts
        if parts and self._rows_of(parts[-1]) < _SMALL:
            new = _joined(self._read(parts[-1]), new)
            parts = parts[:-1]
        self._replace([*parts, self._write(new)])

    def delete(self, ids: Collection[int]) -> None:
        """Write the parts that have these ids anew, without them."""
        gone = pa.array(list(ids), type=pa.int64())
        kept = []
        for name in self._parts:
            part = self._read(name)
            if pc.any(pc.is_in(part[XPATH.name]["id"], value_set=gone)).as_py():
                part = {table: _without(rows, gone) for table, rows in part.items()}
                if not part[XPATH.name].num_rows:
                    continue
                name = self._write({table: rows for table, rows in part.items() if rows.num_rows})
            kept.append(name)
        self._replace(kept)

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Files do not change; temporary tables are removed in the end."""
        try:
            yield
        finally:
            for name in self._scratch.glob("xml_*"):
                rmtree(name)

    def publish(self, table: Table, rows: pa.Table) -> None:
        """Write the rows where Spark finds them."""
        folder = self._scratch / f"{table.name}-{uuid4().hex}"
        folder.mkdir()
        pq.write_table(rows, folder / "rows.parquet")
        self._view(table, [str(folder)])

    def derive(self, table: Table, select: str, parameters: Parameters) -> None:
        """Let Spark write what the SELECT finds."""
        folder = str(self._scratch / f"{table.name}-{uuid4().hex}")
        self._sql(select, parameters).write.parquet(folder)
        self._view(table, [folder])

    def query(self, select: str, parameters: Parameters) -> list[Row]:
        """Fetch what the SELECT finds."""
        found = self._sql(select, parameters).toArrow()
        return list(zip(*(column.to_pylist() for column in found.columns), strict=True))

    def close(self) -> None:
        """Remove what is temporary; the session stays, since a process has one."""
        self._tidy()

    def _sql(self, select: str, parameters: Parameters) -> DataFrame:
        for name in set(_NAMES.findall(select)) - self._viewed:
            self._view(named(name), self._files.get(name, []))
            self._viewed.add(name)
        return self._session.sql(select, args=dict(parameters))

    def _view(self, table: Table, paths: list[str]) -> None:
        columns = table.ddl.replace("VARCHAR", "STRING")
        reader = self._session.read.schema(columns)
        rows = reader.parquet(*paths) if paths else self._session.createDataFrame([], columns)
        (rows.distinct() if table.name in _LISTS else rows).createOrReplaceTempView(table.name)

    def _listed(self) -> list[str]:
        """The parts that the manifest lists."""
        try:
            parts = [str(part) for part in json.loads((self._folder / _MANIFEST).read_text())["parts"]]
        except FileNotFoundError:
            return []
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ConfigurationError(f"no store of subscriptions: {error!r}", source=str(self._folder)) from error
        for part in parts:
            if not (self._folder / part / f"{XPATH.name}.parquet").exists():
                raise ConfigurationError(f"the store lacks {part}, which its manifest lists", source=str(self._folder))
        return parts

    def _use(self, parts: list[str]) -> None:
        """Read these parts from now on."""
        self._parts = parts
        self._files: dict[str, list[str]] = {}
        for part in parts:
            for file in sorted((self._folder / part).glob("*.parquet")):
                self._files.setdefault(file.stem, []).append(str(file))
        self._ids = BitMap64()
        for path in self._files.get(XPATH.name, []):
            self._ids.update(pq.read_table(path, columns=["id"])["id"].to_pylist())
        self._viewed.clear()

    def _replace(self, parts: list[str]) -> None:
        """Let the manifest list these parts, then remove the others."""
        with atomic_writer(self._folder / _MANIFEST) as file:
            file.write(json.dumps({"parts": parts}).encode())
        gone = set(self._parts) - set(parts)
        self._use(parts)
        for part in gone:
            rmtree(self._folder / part)

    def _read(self, part: str) -> Part:
        return {file.stem: pq.read_table(file) for file in (self._folder / part).glob("*.parquet")}

    def _write(self, tables: Part) -> str:
        """A new part, which counts as soon as the manifest lists it."""
        part = f"part-{uuid4().hex}"
        folder = self._folder / part
        try:
            folder.mkdir(parents=True)
            for name, rows in tables.items():
                pq.write_table(rows, folder / f"{name}.parquet")
        except OSError as error:
            raise ConfigurationError(f"cannot write here: {error.strerror}", source=str(self._folder)) from error
        return part

    def _rows_of(self, part: str) -> int:
        return int(pq.read_metadata(self._folder / part / f"{XPATH.name}.parquet").num_rows)


def _own_session() -> SparkSession:
    """The session of this process, with views of its own; few partitions, since statements are many and small."""
    from pyspark.sql import SparkSession

    running = SparkSession.getActiveSession() is not None or "PYSPARK_GATEWAY_PORT" in os.environ
    session = spark_session(None if running else "local[*]").newSession()
    session.conf.set("spark.sql.shuffle.partitions", str(4 * session.sparkContext.defaultParallelism))
    session.conf.set("spark.sql.join.preferSortMergeJoin", "false")
    return session


def _joined(first: Part, second: Part) -> Part:
    both = {name: [part[name] for part in (first, second) if name in part] for name in {**first, **second}}
    return {name: pa.concat_tables(tables) for name, tables in both.items()}


def _without(rows: pa.Table, ids: pa.Array) -> pa.Table:
    """The rows of other XPaths; a list of distinct values keeps its own, which does no harm."""
    return rows.filter(pc.invert(pc.is_in(rows["id"], value_set=ids))) if "id" in rows.column_names else rows
