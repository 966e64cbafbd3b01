"""`broker-sim report`: results as one HTML page."""

from __future__ import annotations

import webbrowser
from pathlib import Path

import click

from broker_sim.report import read_results, write_page


@click.command()
@click.argument("results", type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="The page to write; by default RESULTS/report.html."
)
@click.option("--open", "show", is_flag=True, help="Open the page in the browser.")
def report(results: Path, out: Path | None, show: bool) -> None:
    """Write the page of RESULTS, a folder of `broker-sim run --out` or `broker-sim sweep --out`.

    The page is one file that needs no network. A run that was made with --trace can be replayed on it.
    """
    file = out or results / "report.html"
    write_page(read_results(results), file)
    click.echo(f"{file}: {file.stat().st_size / 1e6:.2f} MB")
    if show and not webbrowser.open(file.absolute().as_uri()):
        click.echo("no browser could be opened", err=True)
