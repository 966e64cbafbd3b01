"""Printing the experiments that measure one broker: table size, routing time and filtering time."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import click
from rich.console import Console

from broker_sim.cli.plain_table import number_text, plain_table
from broker_sim.cli.progress import progress_bar
from broker_sim.experiment import (
    FilteringTimeExperiment,
    RoutingTimeExperiment,
    Row,
    TableSizeExperiment,
    measure_filtering_time,
    measure_routing_time,
    measure_table_size,
)
from broker_sim.experiment.filtering_time import MEMORY
from broker_sim.experiment.manifest import MANIFEST, manifest, write_json
from broker_sim.experiment.results import write_rows
from broker_sim.report.measurement_charts import measurement_charts
from broker_sim.report.pictures import plot_charts

Measured = TableSizeExperiment | RoutingTimeExperiment | FilteringTimeExperiment
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
        console = Console()
        console.print(f"{spec.name} on {spec.schema.dtd}, seed {spec.seed}")
        for headings, cells in _tables(spec, rows):
            console.print()
            console.print(plain_table(headings, cells))
    if interrupted:
        click.echo("interrupted; what was finished is shown", err=True)
        raise SystemExit(130)
    wrong = [row for row in rows if row.get("same_matches") is False]
    for row in wrong:
        click.echo(
            f"{row['engine']} finds other matches than the rest, figure {row['figure']} at {row['x']:g}", err=True
        )
    if wrong:
        raise SystemExit(1)


def _tables(spec: Measured, rows: Sequence[Row]) -> Iterator[tuple[list[str], list[list[str]]]]:
    """The headings and cells of the tables to print."""
    if isinstance(spec, FilteringTimeExperiment):
        times = [row for row in rows if row["figure"] != MEMORY]
        for figure in dict.fromkeys(row["figure"] for row in times):
            yield _times([row for row in times if row["figure"] == figure])
        columns, rows = _MEMORY, [row for row in rows if row["figure"] == MEMORY]
    else:
        columns = _TABLE_SIZE if isinstance(spec, TableSizeExperiment) else _ROUTING_TIME
    if rows:
        yield list(columns), [[cell(row) for cell in columns.values()] for row in rows]


def _times(rows: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """A figure: what varies down, engines across, milliseconds a document in the second pass."""
    engines = list(dict.fromkeys(str(row["engine"]) for row in rows))
    lines: dict[str, list[str]] = {}
    for row in rows:
        lines.setdefault(f"{float(row['x'] or 0):,.12g}", []).append(_fraction("again")(row))
    return [f"{rows[0]['vary']}, ms", *engines], [[x, *times] for x, times in lines.items()]


def _measured(spec: Measured) -> Iterator[Row]:
    if isinstance(spec, TableSizeExperiment):
        return measure_table_size(spec)
    if isinstance(spec, FilteringTimeExperiment):
        return measure_filtering_time(spec)
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
_MEMORY: dict[str, Cell] = {
    "engine": _text("engine"),
    "expressions": _count("expressions"),
    "MB": _fraction("built_megabytes"),
    "after documents": _fraction("held_megabytes"),
    "at the peak": _fraction("peak_megabytes"),
    "paper MB": _fraction("paper_megabytes"),
}
