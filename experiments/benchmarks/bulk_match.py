"""Bulk matching on Spark against one engine in one process.

Run it as `python experiments/benchmarks/bulk_match.py [--record] [DOCUMENTS ...]`.

NITF documents of about 60 elements, half as many subscriptions (L = 10, W = DO = 0.1), the engine lazy-dfa. Each way
runs in a process of its own; its seconds begin when Spark and the engine of a worker may still have to be made, and end
when the rows are written.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.parquet as pq
from recording import Row, options, report

from broker_sim.experiment.bulk import EngineChoice, match_documents, read_documents
from broker_sim.spark import spark_session
from broker_sim.workload import DocumentParameters, XPathParameters, generate_documents, generate_xpaths
from dtd_ads import load_schema

SIZES = (20_000,)
ELEMENTS = 60
MASTERS = {"one core": "local[1]", "two cores": "local[2]"}
DOCUMENTS = "documents.parquet"


def make(folder: Path, number: int, seed: int) -> dict[int, str]:
    """A table of documents in `folder`; returns the subscriptions."""
    schema = load_schema("nitf")
    drawn = generate_documents(schema, DocumentParameters(number, elements=ELEMENTS), Random(f"{seed}/documents"))
    (folder / DOCUMENTS).mkdir()
    names, contents = [f"{i:06}" for i in range(number)], list(drawn)
    part = max(1, number // 16)
    for begin in range(0, number, part):
        table = pa.table({"doc_id": names[begin : begin + part], "content": contents[begin : begin + part]})
        pq.write_table(table, folder / DOCUMENTS / f"{begin:06}.parquet")
    parameters = XPathParameters(number // 2, wildcard=0.1, descendant=0.1)
    return dict(enumerate(map(str, generate_xpaths(schema, parameters, Random(f"{seed}/subscriptions"))), 1))


def alone(folder: Path, subscriptions: dict[int, str]) -> float:
    """Seconds of one engine in this process."""
    begin = time.perf_counter()
    engine = EngineChoice().filled(subscriptions)
    table = pq.read_table(folder / DOCUMENTS)
    names: list[str] = []
    numbers: list[int] = []
    for name, content in zip(table["doc_id"].to_pylist(), table["content"].to_pylist(), strict=True):
        matched = engine.match(content)
        names += [name] * len(matched)
        numbers += matched
    (folder / "alone").mkdir()
    pq.write_table(pa.table({"doc_id": names, "subscription_id": numbers}), folder / "alone" / "rows.parquet")
    return time.perf_counter() - begin


def on_spark(way: str, folder: Path, subscriptions: dict[int, str]) -> float:
    """Seconds on Spark, once it runs."""
    spark = spark_session(MASTERS[way])
    spark.sparkContext.parallelize(range(2), 2).map(str).collect()
    begin = time.perf_counter()
    match_documents(spark, read_documents(spark, folder / DOCUMENTS), subscriptions, folder / way)
    return time.perf_counter() - begin


def result(folder: Path) -> pa.Table:
    """The rows in one order, whoever wrote them."""
    return pq.read_table(folder).sort_by([("doc_id", "ascending"), ("subscription_id", "ascending")])


def rows(sizes: Sequence[int], seed: int) -> Iterator[Row]:
    """One row for each way."""
    for number in sizes:
        with TemporaryDirectory() as name, get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
            folder = Path(name)
            subscriptions = make(folder, number, seed)
            expected, one_core = None, None
            for way in ("alone", *MASTERS):
                task = partial(alone) if way == "alone" else partial(on_spark, way)
                seconds = pool.apply(task, (folder, subscriptions))
                found = result(folder / way)
                expected = found if expected is None else expected
                one_core = seconds if way == "one core" else one_core
                yield {
                    "way": way,
                    "documents": number,
                    "subscriptions": len(subscriptions),
                    "matches": found.num_rows,
                    "same rows": "yes" if found.equals(expected) else "no",
                    "seconds": seconds,
                    "against one core": one_core / seconds if one_core else None,
                }


if __name__ == "__main__":
    chosen = options(__doc__, SIZES)
    chosen.repeat = 1
    report(
        "bulk_match",
        "Bulk matching on Spark",
        f"NITF documents of about {ELEMENTS} elements; the engine lazy-dfa.",
        rows(chosen.sizes, chosen.seed),
        chosen,
        "seconds of a clock",
    )
