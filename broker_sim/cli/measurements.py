"""Printing the experiments that measure one broker: table size and routing time."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import click
from rich.console import Console

from broker_sim.cli.plain_table import number_text, plain_table
from broker_sim.cli.progress import progress_bar
from broker_sim.experiment import (
    RoutingTimeExperiment,
    Row,
    TableSizeExperiment,
    measure_routing_time,
    measure_table_size,
)
from broker_sim.experiment.manifest import MANIFEST, manifest, write_json
from broker_sim.experiment.results import write_rows
from broker_sim.report.measurement_charts import measurement_charts
from broker_sim.report.pictures import plot_charts

Measured = TableSizeExperiment | RoutingTimeExperiment
Cell = Callable[[Row], str]


def print_measurement(spec: Measured, out: Path | None, plot: Path | None, as_json: bool) -> None:
    """Measure, write the rows below `out`, draw them into `plot`, and print them."""
    rows: list[Row] = []
    interrupted = False
    try:
        with progress_bar() as bar:
            bar.add_task(spec.name, total=None)
            rows.extend(_measured(spec))
    except KeyboardInterrupt:
        interrupted = True
    if out is not None:
        write_json(manifest(spec), out / MANIFEST)
        write_rows(rows, out / f"{spec.kind}.parquet")
    if plot is not None and rows:
        plot_charts(measurement_charts(spec.kind, rows), plot)
    if as_json:
        click.echo(json.dumps(rows, indent=2))
    else:
        columns = _TABLE_SIZE if isinstance(spec, TableSizeExperiment) else _ROUTING_TIME
        console = Console()
        console.print(f"{spec.name} on {spec.schema.dtd}, seed {spec.seed}\n")
        console.print(plain_table(list(columns), [[cell(row) for cell in columns.values()] for row in rows]))
    if interrupted:
        click.echo("interrupted; what was finished is shown", err=True)
        raise SystemExit(130)


def _measured(spec: Measured) -> Iterator[Row]:
    if isinstance(spec, TableSizeExperiment):
        return measure_table_size(spec)
    return measure_routing_time(spec)


def _text(key: str) -> Cell:
    return lambda row: str(row[key])


def _count(key: str) -> Cell:
    return lambda row: number_text(row[key])


def _share(key: str) -> Cell:
    return lambda row: "-" if row[key] is None else f"{float(row[key] or 0):.1%}"


def _fraction(key: str) -> Cell:
    return lambda row: "-" if row[key] is None else f"{float(row[key] or 0):.4g}"


_TABLE_SIZE: dict[str, Cell] = {
    "set": _text("set"),
    "queries": _count("queries"),
    "with covering": _count("table_covering"),
    "covered": _share("covered"),
    "paper": _share("paper_covered"),
    "schema-aware": _count("table_schema_covering"),
    "covered ": _share("schema_covered"),
}
_ROUTING_TIME: dict[str, Cell] = {
    "set": _text("set"),
    "engine": _text("engine"),
    "covering": lambda row: "yes" if row["covering"] else "no",
    "table": _count("table"),
    "publications": _count("publications"),
    "ms each": _fraction("milliseconds"),
    "saved": _share("saved"),
    "paper ms": _fraction("paper_milliseconds"),
}
