"""`broker-sim run`: simulate an overlay under each strategy and say what it costs."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress, TaskID
from rich.table import Table

from broker_sim.cli.measurements import print_measurement
from broker_sim.cli.plain_table import number_text, plain_table
from broker_sim.cli.progress import progress_bar
from broker_sim.errors import ConfigurationError
from broker_sim.experiment import Experiment, Outcome, load_experiment, summary_row
from broker_sim.experiment import run as run_experiment
from broker_sim.experiment.results import write_outcome
from broker_sim.experiment.rows import Row
from broker_sim.report.overlay_picture import view_of
from broker_sim.report.pictures import check_picture, plot_charts
from broker_sim.report.run_charts import charts_of_outcomes

SHOWN_FAILURES = 5


@click.command()
@click.argument("experiment", default="paper-traffic")
@click.option("--set", "overrides", multiple=True, metavar="KEY=VALUE", help="Override one value of the experiment.")
@click.option("--topology", help="A GraphML file, a shipped name or a generator such as random-tree:n=50.")
@click.option("--dtd", help="A DTD file or a catalogue name.")
@click.option("--subscriptions", type=click.Path(dir_okay=False), help="A file with one XPath expression a line.")
@click.option("--queries", type=click.Path(dir_okay=False), help="A file of FLWR queries, for the unit document.")
@click.option("--documents", type=click.Path(file_okay=False), help="A folder of XML documents to publish.")
@click.option("--strategy", "strategies", multiple=True, help="Run this strategy only; may be repeated.")
@click.option("--seed", type=int, help="The seed of everything random.")
@click.option("--no-verify", is_flag=True, help="Do not ask lxml who should have received what.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Write all rows here, as Parquet.")
@click.option("--trace", is_flag=True, help="With --out: record messages and tables, for `broker-sim report`.")
@click.option(
    "--plot", type=click.Path(path_type=Path), help="Draw the overlay and the main charts into this .png or .svg file."
)
@click.option("--json", "as_json", is_flag=True, help="Print the summary rows as JSON.")
def run(
    experiment: str,
    overrides: tuple[str, ...],
    topology: str | None,
    dtd: str | None,
    subscriptions: str | None,
    queries: str | None,
    documents: str | None,
    strategies: tuple[str, ...],
    seed: int | None,
    no_verify: bool,
    out: Path | None,
    trace: bool,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Simulate EXPERIMENT (a TOML file or a shipped name, by default paper-traffic) under each of its strategies.

    Every delivery is checked against lxml's own XPath. Exit code 1 means that a document was lost or misdelivered, or
    that a stop condition (network.stop) ended a run before all was delivered.
    """
    options = {
        "topology": topology,
        "schema.dtd": dtd,
        "subscriptions.file": subscriptions,
        "subscriptions.queries": queries,
        "documents.directory": documents,
        "seed": seed,
        "strategies": list(strategies) or None,
        "verify": False if no_verify else None,
    }
    given = [f"{key}={json.dumps(value)}" for key, value in options.items() if value is not None]
    spec = load_experiment(experiment, [*overrides, *given])
    if overrides or any(value is not None for key, value in options.items() if key not in ("strategies", "verify")):
        spec = replace(spec, paper={})  # The paper's figures belong to its own workload.
    if trace and out is None:
        raise ConfigurationError("needs --out DIR to write to", source="--trace")
    if plot is not None:
        check_picture(plot)
    if isinstance(spec, Experiment):
        _run_overlay(spec, out, trace, plot, as_json)
    elif trace:
        raise ConfigurationError(f"experiment {spec.name} has no overlay to record", source="--trace")
    else:
        print_measurement(spec, out, plot, as_json)


def _run_overlay(spec: Experiment, out: Path | None, trace: bool, plot: Path | None, as_json: bool) -> None:
    outcomes, interrupted = _outcomes(spec, out, trace)
    if plot is not None and outcomes:
        plot_charts(charts_of_outcomes(outcomes), plot, view_of(outcomes))
    _print(spec, [summary_row(outcome) for outcome in outcomes], as_json)
    broken = [outcome for outcome in outcomes if outcome.verdict]
    for outcome in broken:
        _explain(outcome)
    for outcome in outcomes:
        _report_load(outcome)
    if interrupted:
        click.echo("interrupted; what was finished is shown", err=True)
        raise SystemExit(130)
    if broken or any(outcome.stopped for outcome in outcomes):
        raise SystemExit(1)


def _outcomes(spec: Experiment, out: Path | None, trace: bool) -> tuple[list[Outcome], bool]:
    """Run the strategies, with a progress bar on a terminal; an interrupt keeps what is finished."""
    outcomes: list[Outcome] = []
    try:
        with progress_bar() as bar:
            task = bar.add_task(spec.name, total=1.0)
            report = partial(_advance, bar, task)
            for outcome in run_experiment(spec, report, record=trace):
                outcomes.append(outcome)
                if out is not None:
                    write_outcome(outcome, out)
    except KeyboardInterrupt:
        return outcomes, True
    return outcomes, False


def _advance(bar: Progress, task: TaskID, phase: str, done: float) -> None:
    bar.update(task, description=phase, completed=done)


def _print(spec: Experiment, rows: Sequence[Row], as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(rows, indent=2))
    elif rows:
        console = Console()
        console.print(f"{spec.name} on {rows[0]['topology']}, seed {spec.seed}")
        customised = [_CUSTOMISED] if spec.subscriptions.with_queries else []
        faulty = [_FAULTS] if any(row["faults"] or row["reliability_messages"] for row in rows) else []
        for columns in (_TRAFFIC, _TABLES, *customised, *faulty):
            console.print()
            console.print(_table(columns, spec, rows))
        console.print(f"\n{_checked(rows)}")


_Column = Callable[[Experiment, Row], str]


def _count(key: str) -> _Column:
    return lambda spec, row: number_text(row[key])


def _milliseconds(key: str) -> _Column:
    return lambda spec, row: "-" if row[key] is None else f"{float(row[key] or 0) * 1000:.1f}"


_TRAFFIC: dict[str, _Column] = {
    "messages": _count("messages_received"),
    "paper": lambda spec, row: number_text(spec.paper.get(str(row["strategy"]))),
    "adv": _count("advertise_messages"),
    "unadv": _count("unadvertise_messages"),
    "sub": _count("subscribe_messages"),
    "unsub": _count("unsubscribe_messages"),
    "pub": _count("publish_messages"),
}
_TABLES: dict[str, _Column] = {
    "SRT": _count("srt_total"),
    "PRT": _count("prt_total"),
    "max": _count("prt_max"),
    "false +": _count("false_positives"),
    "p50 ms": _milliseconds("delay_p50"),
    "p99 ms": _milliseconds("delay_p99"),
}

_CUSTOMISED: dict[str, _Column] = {
    "deliveries": _count("deliveries"),
    "bytes delivered": _count("bytes_delivered"),
    "bytes saved": _count("bytes_saved"),
    "altered": _count("altered"),
}


_FAULTS: dict[str, _Column] = {
    "done": _count("deliveries"),
    "lost": _count("lost"),
    "care": _count("reliability_messages"),
    "trees": _count("trees_rebuilt"),
    "back ms": _milliseconds("recovery_max"),
    "max ms": _milliseconds("delay_max"),
}


def _table(columns: dict[str, _Column], spec: Experiment, rows: Sequence[Row]) -> Table:
    told = {"paper": bool(spec.paper), "unadv": any(row["unadvertise_messages"] for row in rows)}
    shown = {heading: cell for heading, cell in columns.items() if told.get(heading, True)}
    cells = [[str(row["strategy"]), *(cell(spec, row) for cell in shown.values())] for row in rows]
    return plain_table(["strategy", *shown], cells)


def _checked(rows: Sequence[Row]) -> str:
    """One sentence on the promise."""
    if any(row["missed"] is None for row in rows):
        return "Deliveries were not checked."
    missed, unwanted, deliveries = (
        sum(int(row[key] or 0) for row in rows) for key in ("missed", "unwanted", "deliveries")
    )
    checked = f"{deliveries:,} deliveries checked against lxml: {missed:,} missed, {unwanted:,} unwanted."
    lost = sum(int(row["lost"] or 0) for row in rows)
    if lost:
        checked += f"\n{lost:,} more were lost to faults where nothing is promised: not reliable, or cut off for good."
    windows = [float(row["window"]) for row in rows if row["window"] is not None]
    if not windows:
        return checked
    uncertain = sum(int(row["uncertain"] or 0) for row in rows)
    return f"{checked}\n{uncertain:,} more fell into the window of at most {max(windows) * 1000:.1f} ms after a change."


def _report_load(outcome: Outcome) -> None:
    """Say that a run was stopped, or that more was published than a broker or a link can take."""
    load, name = outcome.overlay.offered_load, outcome.strategy.name
    if outcome.stopped is not None:
        click.echo(f"stopped: {name}: {outcome.stopped}", err=True)
    elif load is not None and load > 1:
        peak = max(station.queue_peak for station in outcome.overlay.stations.values())
        click.echo(
            f"warning: {name}: overload: {load:.1f} x what a broker or link can take, {peak:,} messages waited",
            err=True,
        )


def _explain(outcome: Outcome) -> None:
    """Name the first few broken promises."""
    verdict, documents = outcome.verdict, outcome.scenario.documents
    assert verdict is not None
    for word, failures in (
        ("missed", verdict.missed),
        ("unwanted", verdict.unwanted),
        ("altered", verdict.altered),
    ):
        lines = [f"{documents[doc_id].name} at {client}" for doc_id, client in failures[:SHOWN_FAILURES]]
        if len(failures) > SHOWN_FAILURES:
            lines.append(f"and {len(failures) - SHOWN_FAILURES} more")
        for line in lines:
            click.echo(f"{outcome.strategy.name}: {word}: {line}", err=True)
