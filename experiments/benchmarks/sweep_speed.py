"""A sweep on Spark against the same cells in a plain loop.

Run it as `python experiments/benchmarks/sweep_speed.py [--record] [CELLS ...]`.

Cells are overlay runs of one seed each, about two seconds long. The loop runs in this process; Spark runs on two cores
of this machine after a first job that starts its workers. Rows are compared as bytes, without their timings.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from functools import partial

import pyarrow as pa
import pyarrow.parquet as pq
from recording import Row, options, report

from broker_sim.experiment.sweep.columns import TIMINGS, parquet
from broker_sim.experiment.sweep.plan import Cell, load_sweep
from broker_sim.experiment.sweep.runners import Runner, run_in_loop, run_on_spark
from broker_sim.spark import spark_session

SIZES = (40,)
CORES = 2
DOCUMENTS = 100
"""They make a cell of about two seconds."""


def cells(number: int, first_seed: int) -> list[Cell]:
    """So many cells that differ by their seed."""
    seeds = list(range(first_seed, first_seed + number))
    axes = ("axes.topology=['binary-63']", "axes.strategy=['with-adv-with-cov']", "axes.interval=[1.0]")
    work = f"documents.generate.number={DOCUMENTS}"
    return list(load_sweep("delay", "full", [*axes, f"seeds={seeds}", work]).cells)


def measured(runner: Runner, todo: Sequence[Cell]) -> tuple[float, dict[str, bytes]]:
    """Seconds, and the rows of every cell."""
    begin = time.perf_counter()
    finished = list(runner(todo))
    seconds = time.perf_counter() - begin
    return seconds, {each.key: without_timings(each.data) for each in finished if not each.failed}


def without_timings(data: bytes) -> bytes:
    """The Parquet file of the rows without what differs between two runs."""
    table = pq.read_table(pa.BufferReader(data))
    return parquet(table.drop_columns([name for name in TIMINGS if name in table.column_names]).to_pylist())


def measure(number: int, seed: int) -> Row:
    """One row: counts, then times."""
    todo = cells(number, seed)
    loop_seconds, loop_rows = measured(run_in_loop, todo)
    begin = time.perf_counter()
    spark = spark_session(f"local[{CORES},4]")
    spark.sparkContext.parallelize(range(CORES), CORES).map(lambda number: os.getpid()).collect()
    start_seconds = time.perf_counter() - begin
    spark_seconds, spark_rows = measured(partial(run_on_spark, spark), todo)
    return {
        "cells": number,
        "cores": CORES,
        "same rows": "yes" if loop_rows == spark_rows and len(loop_rows) == number else "no",
        "loop s": loop_seconds,
        "Spark s": spark_seconds,
        "speed-up": loop_seconds / spark_seconds,
        "Spark's start s": start_seconds,
    }


def rows(sizes: Sequence[int], seed: int, repeat: int) -> Iterator[Row]:
    """The best of some runs for each number of cells."""
    for number in sizes:
        yield max((measure(number, seed) for _ in range(repeat)), key=lambda row: float(row["speed-up"] or 0))


if __name__ == "__main__":
    chosen = options(__doc__, SIZES)
    report(
        "sweep_speed",
        "A sweep on Spark against a plain loop",
        "Cells of the sweep `delay` on 63 brokers. Starting Spark is not part of its seconds.",
        rows(chosen.sizes, chosen.seed, chosen.repeat),
        chosen,
        "seconds of a clock",
    )
