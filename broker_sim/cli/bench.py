"""`broker-sim bench`: measure this machine."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import click

from broker_sim.cli.engine_options import ENGINE_OPTION
from broker_sim.engines.benchmark import ENGINES, Row, measure, nitf_documents
from broker_sim.errors import ConfigurationError


@click.group()
def bench() -> None:
    """Measure engines and deliveries on this machine."""


@bench.command()
@click.option("--engine", "names", multiple=True, type=click.Choice(ENGINES), help="Engine to measure (repeatable).")
@click.option("--queries", "sizes", multiple=True, type=click.IntRange(1), help="Number of queries (repeatable).")
@click.option("--documents", type=click.Path(path_type=Path), help="Folder of XML files; by default generated ones.")
@click.option("--number", default=100, show_default=True, type=click.IntRange(1), help="Documents to use at most.")
@click.option("--seed", default=1, show_default=True)
@click.option("--plot", type=click.Path(path_type=Path), help="Write a picture of the times to this file.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def engines(
    names: tuple[str, ...],
    sizes: tuple[int, ...],
    documents: Path | None,
    number: int,
    seed: int,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Match generated NITF queries against documents with each engine."""
    texts = documents_of(documents, number, seed)
    draw = _plotter() if plot else None
    rows = [measure(name, size, texts, seed) for size in sizes or (1_000, 10_000) for name in names or ENGINES]
    click.echo(json.dumps([asdict(row) for row in rows]) if as_json else table(rows))
    if draw is not None and plot is not None:
        draw(rows, plot)


@bench.command()
@click.option("--spec", type=click.Path(path_type=Path), help="A TOML file of studies; by default the paper's.")
@ENGINE_OPTION
@click.option("--plot", type=click.Path(path_type=Path), help="Write a picture of the times to this file.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def relational(spec: Path | None, options: dict[str, object], plot: Path | None, as_json: bool) -> None:
    """Run the experiments of the relational matching paper."""
    from broker_sim.engines.relational import study

    if plot is not None:
        from broker_sim.engines.relational.study_plot import draw
    rows = list(study.run(study.load_spec(spec), **options))
    click.echo(json.dumps([asdict(row) for row in rows]) if as_json else study.table(rows))
    if plot is not None:
        draw(rows, plot)


@bench.command()
@click.option("--studies", type=click.Path(path_type=Path), help="A TOML file of studies; by default paper-delivery.")
@click.option("--only", multiple=True, help="Studies whose name contains this (repeatable).")
@click.option("--budget", default=2.0, show_default=True, type=click.FloatRange(0), help="Seconds for one cell.")
@click.option("--most", default=100_000, show_default=True, type=click.IntRange(1), help="The most queries.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def delivery(studies: Path | None, only: tuple[str, ...], budget: float, most: int, as_json: bool) -> None:
    """Measure customised delivery: the studies of the message broker paper."""
    from broker_sim.delivery.benchmark import run_study
    from broker_sim.delivery.studies import load_studies
    from broker_sim.delivery.study_tables import study_table

    spec = load_studies(studies)
    objects: list[dict[str, object]] = []
    for study in spec.studies:
        if only and not any(text in study.name for text in only):
            continue
        sized = study.sized(most)
        options = {"seed": spec.seed, "warm_up": spec.warm_up, "measured": spec.measured}
        rows = list(run_study(sized, **options, budget=budget))
        objects += [{"study": study.name, **asdict(row)} for row in rows]
        if not as_json:
            click.echo(study_table(sized, rows))
    if as_json:
        click.echo(json.dumps(objects))


def documents_of(folder: Path | None, number: int, seed: int) -> list[bytes]:
    """The first XML files of a folder by name, or generated documents."""
    if folder is None:
        return nitf_documents(number, seed)
    try:
        found = [path.read_bytes() for path in sorted(folder.glob("*.xml"))[:number]]
    except OSError as error:
        raise ConfigurationError(f"cannot be read: {error.strerror}", source=str(folder)) from error
    if not found:
        raise ConfigurationError("has no *.xml files; expected a folder of documents", source=str(folder))
    return found


def table(rows: list[Row]) -> str:
    """The rows as Markdown: counts, then milliseconds a document and the ratio of warm matching to bare parsing."""
    lines = [
        "| engine | queries | documents | matches | states | add us | cold ms | warm ms | warm, new ms | x parsing |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        counts = f"{row.queries:,} | {row.documents} | {row.matches:.1f} | {row.states:,} | {row.add_microseconds:.1f}"
        times = f"{row.cold:.3f} | {row.warm:.3f} | {row.warm_new:.3f} | {row.ratio:.1f}"
        lines.append(f"| {row.engine} | {counts} | {times} |")
    return "\n".join(lines)


def _plotter() -> Callable[[list[Row], Path], None]:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ConfigurationError("--plot needs matplotlib; install the extra 'notebooks'") from error

    def draw(rows: list[Row], file: Path) -> None:
        figure = Figure(figsize=(7, 4))
        axes = figure.add_subplot(xlabel="queries", ylabel="warm milliseconds a document", xscale="log", yscale="log")
        for name in dict.fromkeys(row.engine for row in rows):
            chosen = [row for row in rows if row.engine == name]
            axes.plot([row.queries for row in chosen], [row.warm for row in chosen], marker="o", label=name)
        axes.legend()
        figure.savefig(file)

    return draw
