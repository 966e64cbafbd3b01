"""`broker-sim sweep`: run an experiment over all combinations of its axes, on Spark."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Final

import click
from rich.console import Console

from broker_sim.cli.plain_table import plain_table
from broker_sim.cli.sweep_progress import SweepProgress
from broker_sim.errors import ConfigurationError
from broker_sim.experiment.sweep import Cell, Sweep, Totals, load_sweep, run_sweep
from broker_sim.experiment.sweep.columns import plain
from broker_sim.experiment.sweep.execution import Finished
from broker_sim.experiment.sweep.reading import default_folder
from broker_sim.experiment.sweep.runners import run_in_loop, run_on_spark, with_retries
from broker_sim.experiment.sweep.store import HadoopStore, LocalStore, Store
from broker_sim.spark import spark_session
from broker_sim.spark.location import is_url

LOOP: Final = "loop"
SUBMITTED: Final = "submitted"


@click.command()
@click.argument("spec")
@click.option("--profile", help="The profile of the sweep, such as quick or full; by default quick, if there is one.")
@click.option("--set", "overrides", multiple=True, metavar="KEY=VALUE", help="Override a value, axes.NAME or seeds.")
@click.option(
    "--master",
    default="local[*]",
    show_default=True,
    help=f"A Spark master, `{LOOP}` for this process without Spark, `{SUBMITTED}` for the one of spark-submit.",
)
@click.option("--out", help="A folder or a URL that Spark can write to; by default results/NAME-PROFILE.")
@click.option("--dry-run", is_flag=True, help="Print the cells and their number, and run nothing.")
@click.option("--json", "as_json", is_flag=True, help="End with one JSON object: cells, done, skipped, failed.")
def sweep(
    spec: str,
    profile: str | None,
    overrides: tuple[str, ...],
    master: str,
    out: str | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Run the cells of SPEC (a TOML file or a shipped name) that have no results yet.

    Results are Parquet files, one for each cell, written as cells finish; the same command goes on where one was
    interrupted. A cell that fails leaves an error row and is tried again next time; exit code 1 means that some did.
    """
    plan = load_sweep(spec, profile, overrides)
    if dry_run:
        _print_cells(plan, as_json)
        return
    where = out or default_folder(plan)
    started = time.monotonic()
    totals = _run(plan, where, master)
    if as_json:
        seconds = round(time.monotonic() - started, 3)
        click.echo(json.dumps({"sweep": plan.name, **asdict(totals), "out": where, "wall_seconds": seconds}))
    else:
        counts = f"{totals.done:,} done, {totals.skipped:,} skipped, {totals.failed:,} failed"
        click.echo(f"{plan.name}: {totals.cells:,} cells: {counts}. Results are in {where}")
    if totals.failed:
        click.echo(f"error: {totals.failed:,} cells failed; see the table {where}/errors", err=True)
        raise SystemExit(1)


def _run(plan: Sweep, where: str, master: str) -> Totals:
    """Run the sweep; Spark is started only if there is something for it to do."""
    if master == LOOP and is_url(where):
        raise ConfigurationError(f"a URL needs Spark to write to it; choose a folder or a master, not {where!r}")
    session = partial(spark_session, None if master == SUBMITTED else with_retries(master), f"sweep {plan.name}")
    store: Store = HadoopStore(session(), where) if is_url(where) else LocalStore(Path(where))

    def on_spark(cells: Sequence[Cell]) -> Iterator[Finished]:
        spark = session()
        progress.begin(spark.sparkContext.defaultParallelism)
        return run_on_spark(spark, cells)

    def in_loop(cells: Sequence[Cell]) -> Iterator[Finished]:
        progress.begin(1)
        return run_in_loop(cells)

    with SweepProgress(plan.name, len(plan.cells)) as progress:
        try:
            return run_sweep(plan, store, in_loop if master == LOOP else on_spark, progress.show)
        except KeyboardInterrupt:
            click.echo(f"interrupted; the same command goes on with what is left. Results are in {where}", err=True)
            raise SystemExit(130) from None


def _print_cells(plan: Sweep, as_json: bool) -> None:
    cells = [{"cell": cell.key, **{name: plain(value) for name, value in cell.point.items()}} for cell in plan.cells]
    if as_json:
        click.echo(json.dumps({"sweep": plan.name, "cells": len(cells), "points": cells}, indent=2))
        return
    if cells:
        Console(soft_wrap=True).print(plain_table(list(cells[0]), [list(map(str, cell.values())) for cell in cells]))
    click.echo(f"{plan.name}: {len(cells):,} cells")
