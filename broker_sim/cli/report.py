"""`broker-sim report`: results as one HTML page."""

from __future__ import annotations

import webbrowser
from pathlib import Path

import click

from broker_sim.report import read_results, write_page
from broker_sim.report.page import charts_of
from broker_sim.report.pictures import check_picture, plot_charts


@click.command()
@click.argument("results", type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="The page to write; by default RESULTS/report.html."
)
@click.option("--plot", type=click.Path(path_type=Path), help="Draw the charts into this .png or .svg file as well.")
@click.option("--open", "show", is_flag=True, help="Open the page in the browser.")
def report(results: Path, out: Path | None, plot: Path | None, show: bool) -> None:
    """Write the page of RESULTS, a folder of `broker-sim run --out` or `broker-sim sweep --out`.

    The page is one file that needs no network. A run that was made with --trace can be replayed on it.
    """
    if plot is not None:
        check_picture(plot)
    file = out or results / "report.html"
    found = read_results(results)
    write_page(found, file)
    click.echo(f"{file}: {file.stat().st_size / 1e6:.2f} MB")
    if plot is not None:
        plot_charts(charts_of(found), plot)
    if show and not webbrowser.open(file.absolute().as_uri()):
        click.echo("no browser could be opened", err=True)
