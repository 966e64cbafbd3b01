"""Results on disk: Parquet, one file for each table and strategy, each there whole or not at all.

`DIR/summary/<strategy>.parquet` and likewise `brokers`, `links`, `timeline`, `deliveries`; every folder reads as one
dataset. A strategy's files appear when it has finished, so an interrupted run keeps what it has. Beside them `run.json`
tells what they were made from (see `manifest`). A recorded run also has `trace/<strategy>.parquet`, one row for each
hop that was kept (see `broker_sim.network.trace`), and `tables/<strategy>.json` (see `excerpts`).

The results of sweeps are read back and summed up by `read_rows`, `read_errors`, `means` and `savings`: see
`aggregation`.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from broker_sim.atomic import atomic_writer
from broker_sim.experiment.aggregation import means, read_errors, read_rows, savings
from broker_sim.experiment.manifest import MANIFEST, manifest, write_json
from broker_sim.experiment.rows import (
    Row,
    broker_rows,
    delivery_rows,
    link_rows,
    summary_row,
    timeline_rows,
    trace_rows,
)
from broker_sim.experiment.running import Outcome
from broker_sim.experiment.sweep.columns import parquet

__all__ = ["means", "read_errors", "read_rows", "savings", "write_outcome", "write_rows"]


def write_outcome(outcome: Outcome, directory: Path) -> None:
    """Write the rows of one strategy below `directory`."""
    name = outcome.strategy.name
    tables = {
        "brokers": broker_rows(outcome),
        "links": link_rows(outcome),
        "timeline": timeline_rows(outcome),
        "deliveries": delivery_rows(outcome),
        "trace": trace_rows(outcome),
        "summary": [summary_row(outcome)],
    }
    excerpts, trace = directory / "tables" / f"{name}.json", directory / "trace" / f"{name}.parquet"
    for table, rows in tables.items():
        write_rows(rows, directory / table / f"{name}.parquet")
    if outcome.recording is not None:
        write_json(asdict(outcome.recording.excerpts), excerpts)
    else:
        for stale in (excerpts, trace):
            stale.unlink(missing_ok=True)
    write_json(manifest(outcome.scenario.experiment, outcome.scenario), directory / MANIFEST)


def write_rows(rows: list[Row], file: Path) -> None:
    """Write `rows` to `file` in one atomic step."""
    if rows:
        data = parquet(rows)
        with atomic_writer(file) as out:
            out.write(data)
