"""Results on disk: Parquet, one file for each table and strategy, each there whole or not at all.

`DIR/summary/<strategy>.parquet` and likewise `brokers`, `links`, `timeline`; every folder reads as one dataset. A
strategy's files appear when it has finished, so an interrupted run keeps what it has.

The results of sweeps are read back and summed up by `read_rows`, `read_errors`, `means` and `savings`: see
`aggregation`.
"""

from __future__ import annotations

from pathlib import Path

from broker_sim.atomic import atomic_writer
from broker_sim.experiment.aggregation import means, read_errors, read_rows, savings
from broker_sim.experiment.rows import Row, broker_rows, link_rows, summary_row, timeline_rows
from broker_sim.experiment.running import Outcome
from broker_sim.experiment.sweep.columns import parquet

__all__ = ["means", "read_errors", "read_rows", "savings", "write_outcome", "write_rows"]


def write_outcome(outcome: Outcome, directory: Path) -> None:
    """Write the rows of one strategy below `directory`."""
    tables = {
        "brokers": broker_rows(outcome),
        "links": link_rows(outcome),
        "timeline": timeline_rows(outcome),
        "summary": [summary_row(outcome)],
    }
    for name, rows in tables.items():
        write_rows(rows, directory / name / f"{outcome.strategy.name}.parquet")


def write_rows(rows: list[Row], file: Path) -> None:
    """Write `rows` to `file` in one atomic step."""
    if rows:
        data = parquet(rows)
        with atomic_writer(file) as out:
            out.write(data)
