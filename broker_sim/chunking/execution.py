"""Where chunks are evaluated: one after the other, on a pool of processes, or on Spark.

The paper runs its chunks one after the other and computes what a parallel run would take; here they run. An executor
takes the tasks of one document in the order they should start and gives answers as they come. Tasks are values (see
`evaluation`), so nothing has to be set up in a worker; it keeps its engines from document to document.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Protocol

from broker_sim.chunking.evaluation import Answer, Task, evaluate
from broker_sim.errors import ConfigurationError


class Executor(Protocol):
    """Evaluates the tasks of one document."""

    workers: int

    def run(self, tasks: Sequence[Task]) -> Iterator[Answer]:
        """The answers, as they come."""

    def close(self) -> None:
        """Let go of processes."""


class Sequential:
    """One task after the other, in this process."""

    workers = 1

    def run(self, tasks: Sequence[Task]) -> Iterator[Answer]:
        """The answers in the order of the tasks."""
        return map(evaluate, tasks)

    def close(self) -> None:
        """Nothing to let go of."""


class Pool:
    """Worker processes of this machine, kept for the documents to come."""

    def __init__(self, workers: int) -> None:
        if workers < 1:
            raise ConfigurationError(f"workers is {workers}; expected at least 1")
        self.workers = workers
        self._pool = ProcessPoolExecutor(workers, multiprocessing.get_context("forkserver"))

    def run(self, tasks: Sequence[Task]) -> Iterator[Answer]:
        """The answers in the order in which they are ready."""
        futures = [self._pool.submit(evaluate, task) for task in tasks]
        try:
            for future in as_completed(futures):
                yield future.result()
        finally:
            for future in futures:
                future.cancel()

    def close(self) -> None:
        """End the processes."""
        self._pool.shutdown(cancel_futures=True)


class Spark:
    """One Spark task for each chunk; answers come when all are ready."""

    def __init__(self, master: str = "local[*]") -> None:
        from broker_sim.spark import spark_session

        self._context = spark_session(master).sparkContext
        self.workers = self._context.defaultParallelism

    def run(self, tasks: Sequence[Task]) -> Iterator[Answer]:
        """The answers in the order of the tasks."""
        if tasks:
            yield from self._context.parallelize(tasks, len(tasks)).map(evaluate).collect()

    def close(self) -> None:
        """The session belongs to the process and stays."""
