"""How cells are run: one after the other in this process, or on Spark.

On Spark each cell is a job of one task. That costs some ten milliseconds more a cell than one job for all, and gives
what one job cannot: the driver has a cell's rows as soon as it ends, cells start in the order given (longest first),
and a cell that kills its worker every time fails alone. A worker that dies is replaced and its cell tried again, up to
`ATTEMPTS` times, as the master's own text asks for on `local[2,4]`, and `spark.task.maxFailures` on a cluster.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from broker_sim.experiment.sweep.code_version import code_version
from broker_sim.experiment.sweep.execution import Finished, execute, failure
from broker_sim.experiment.sweep.plan import Cell

if TYPE_CHECKING:
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

Runner = Callable[[Sequence[Cell]], Iterator[Finished]]
"""Yields every cell when it is finished, in whatever order."""

ATTEMPTS: Final = 4
WAITING: Final = 2
"""How many cells are given to Spark for each of its cores, so that none is ever idle."""
LEAST_ON_CLUSTER: Final = 64
"""How many it is given on a cluster that has not told all of its cores yet."""


def run_in_loop(cells: Sequence[Cell]) -> Iterator[Finished]:
    """One after the other, in this process."""
    for cell in cells:
        yield execute(cell, code_version())


def run_on_spark(spark: SparkSession, cells: Sequence[Cell]) -> Iterator[Finished]:
    """As tasks of their own, on all cores of the session's master."""
    context, tag = spark.sparkContext, f"sweep-{uuid4().hex}"
    pool = ThreadPoolExecutor(min(len(cells), _at_once(context)) or 1)
    try:
        for future in as_completed([pool.submit(_job, context, tag, cell) for cell in cells]):
            yield future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        context.cancelJobsWithTag(tag)


def _at_once(context: SparkContext) -> int:
    waiting = WAITING * context.defaultParallelism
    return waiting if str(context.master).startswith("local") else max(waiting, LEAST_ON_CLUSTER)


def _job(context: SparkContext, tag: str, cell: Cell) -> Finished:
    from py4j.protocol import Py4JJavaError

    code = code_version()
    context.addJobTag(tag)
    try:
        (finished,) = context.parallelize([cell], 1).map(partial(execute, code=code)).collect()
    except Py4JJavaError as error:
        text = str(error.java_exception.getMessage())
        return failure(cell, code, "WorkerDied", text.partition("\n")[0], text)
    return finished


def with_retries(master: str) -> str:
    """The master with `ATTEMPTS` for each task, where a local one says nothing about them."""
    if master == "local":
        return f"local[1,{ATTEMPTS}]"
    return re.sub(r"^local\[([^,\]]+)\]$", rf"local[\1,{ATTEMPTS}]", master)
