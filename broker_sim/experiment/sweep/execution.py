"""One cell, from its parameters to its rows.

`run_cell` is a pure function; `execute` is what a task calls: it turns whatever goes wrong into an error row, so that
one cell never stops the others. A run that loses a document or hands over one too many is an error too.
"""

from __future__ import annotations

import json
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass

from broker_sim.errors import ConfigurationError
from broker_sim.experiment.filtering_time import FilteringTimeExperiment, measure_filtering_time
from broker_sim.experiment.loading import AnyExperiment
from broker_sim.experiment.routing_time import RoutingTimeExperiment, measure_routing_time
from broker_sim.experiment.rows import Row, summary_row
from broker_sim.experiment.running import run
from broker_sim.experiment.sweep.code_version import code_version
from broker_sim.experiment.sweep.columns import parquet, plain
from broker_sim.experiment.sweep.plan import Cell, column
from broker_sim.experiment.table_size import TableSizeExperiment, measure_table_size


class BrokenPromiseError(Exception):
    """A run missed deliveries, made unwanted ones or altered a message."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A cell that has been run: its rows, or its error row, as the content of a Parquet file."""

    key: str
    failed: bool
    data: bytes


def run_cell(cell: Cell) -> list[Row]:
    """The rows of a cell: its point, then what was measured; where both have a column, the point's value stands."""
    origin: Row = {"cell": cell.key, **{column(name): plain(value) for name, value in cell.point.items()}}
    return [{**origin, **{name: row[name] for name in row if name not in origin}} for row in _rows(cell.experiment())]


def _rows(experiment: AnyExperiment) -> Iterator[Row]:
    if isinstance(experiment, TableSizeExperiment):
        yield from measure_table_size(experiment)
    elif isinstance(experiment, RoutingTimeExperiment):
        yield from measure_routing_time(experiment)
    elif isinstance(experiment, FilteringTimeExperiment):
        yield from measure_filtering_time(experiment)
    else:
        for outcome in run(experiment):
            row = summary_row(outcome)
            if outcome.verdict:
                counts = f"{row['missed']} deliveries missed, {row['unwanted']} unwanted, {row['altered']} altered"
                raise BrokenPromiseError(f"{row['strategy']}: {counts}")
            yield row


def execute(cell: Cell, code: str) -> Finished:
    """Run a cell that was planned by the code of version `code`."""
    started = time.perf_counter()
    try:
        if code_version() != code:
            raise ConfigurationError(f"the worker runs broker-sim {code_version()}, expected {code}")
        rows = run_cell(cell)
    except Exception as error:
        return failure(cell, code, type(error).__name__, str(error), traceback.format_exc())
    seconds = time.perf_counter() - started
    return Finished(cell.key, False, parquet([{**row, "code_version": code, "cell_seconds": seconds} for row in rows]))


def failure(cell: Cell, code: str, exception: str, message: str, trace: str) -> Finished:
    """The error row of a cell."""
    row = {
        "cell": cell.key,
        "exception": exception,
        "message": message,
        "parameters": json.dumps(cell.point),
        "experiment": json.dumps(cell.tables),
        "traceback": trace,
        "code_version": code,
    }
    return Finished(cell.key, True, parquet([row]))
