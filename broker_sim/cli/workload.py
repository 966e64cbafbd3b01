"""`broker-sim workload`: write subscriptions and documents that a DTD allows."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.progress import track

from broker_sim.atomic import atomic_writer
from broker_sim.cli.engine_options import MAX_DIGITS
from broker_sim.errors import ConfigurationError
from broker_sim.workload import (
    DocumentGenerator,
    DocumentParameters,
    FlwrParameters,
    XPathParameters,
    generate_flwr,
    generate_xpaths,
)
from dtd_ads import load_schema

Item = TypeVar("Item")
Command = TypeVar("Command", bound=Callable[..., object])


@click.group()
def workload() -> None:
    """Generate subscriptions and documents from a DTD."""


def _common(command: Command) -> Command:
    for option in (
        click.option("--seed", type=int, default=0, show_default=True, help="Same seed, same result."),
        click.option("--root", help="The root element, where the DTD leaves it open."),
        click.option("--number", type=int, required=True, help="How many to write."),
        click.argument("dtd"),
    ):
        command = option(command)
    return command


@workload.command()
@_common
@click.option("--out", type=click.Path(path_type=Path), help="The file to write; standard output by default.")
@click.option("--distinct/--not-distinct", default=True, show_default=True, help="Drop paths that came before.")
@click.option("--max-length", type=int, default=10, show_default=True, help="The most levels of a path.")
@click.option("--wildcard", type=float, default=0.0, show_default=True, help="Probability of * at a step.")
@click.option("--descendant", type=float, default=0.0, show_default=True, help="Probability of // at a step.")
@click.option("--theta", type=float, default=0.0, show_default=True, help="Zipf skew among children; 0 is uniform.")
@click.option("--predicates", type=int, default=0, show_default=True, help="Value tests per path.")
@click.option("--branching", type=float, default=0.0, show_default=True, help="Probability of a nested path at a step.")
@click.option("--relative", type=float, default=0.0, show_default=True, help="Share of relative paths.")
@click.option("--dead", type=float, default=0.0, show_default=True, help="Share that no valid document matches.")
@click.option("--stop", type=float, default=0.0, show_default=True, help="Probability of ending at a step.")
@click.option("--max-value", type=int, default=10, show_default=True, help="Values in predicates are 1 .. this.")
def xpaths(dtd: str, root: str | None, seed: int, out: Path | None, **options: Any) -> None:
    """Write XPath expressions for DTD (a file or a catalogue name), a line each."""
    parameters = XPathParameters(**options)
    _write_lines(generate_xpaths(load_schema(dtd, root), parameters, seed), parameters.number, "paths", out)


@workload.command()
@_common
@click.option("--out", type=click.Path(path_type=Path), help="The file to write; standard output by default.")
@click.option("--depth", type=int, default=2, show_default=True, help="The most levels of a binding path (D1).")
@click.option("--predicates", type=int, default=1, show_default=True, help="Predicate paths of a query (PP).")
@click.option("--returns", type=int, default=2, show_default=True, help="Return paths of a query (RP).")
@click.option("--relative-depth", type=int, default=2, show_default=True, help="The most levels of these (D2).")
@click.option("--descendant", type=float, default=0.2, show_default=True, help="Probability of // at a step (DSProb).")
@click.option("--max-value", type=int, default=10, show_default=True, help="Values in predicates are 1 .. this.")
@click.option(
    "--binding-predicates", type=float, default=0.0, show_default=True, help="Probability of one at a binding step."
)
def flwr(dtd: str, root: str | None, seed: int, out: Path | None, **options: Any) -> None:
    """Write distinct FLWR queries for DTD (a file or a catalogue name), a line each."""
    parameters = FlwrParameters(**options)
    _write_lines(generate_flwr(load_schema(dtd, root), parameters, seed), parameters.number, "queries", out)


@workload.command()
@_common
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The folder to write 000001.xml .. to.")
@click.option("--max-levels", type=int, default=10, show_default=True, help="The deepest level of an element.")
@click.option("--max-repeats", type=int, default=3, show_default=True, help="How often what may repeat does at most.")
@click.option("--repeats", multiple=True, metavar="ELEMENT=N", help="The same for one element; may be given again.")
@click.option("--max-value", type=int, default=10, show_default=True, help="Texts and attributes are 1 .. this.")
@click.option(
    "--attribute-probability", type=float, default=0.5, show_default=True, help="Of attributes that are not required."
)
@click.option("--elements", type=int, help="The size to reach, in elements.")
@click.option("--size", type=int, help="The size to reach, in bytes.")
def documents(dtd: str, root: str | None, seed: int, out: Path, repeats: tuple[str, ...], **options: Any) -> None:
    """Write valid documents for DTD (a file or a catalogue name), a file each."""
    parameters = DocumentParameters(**options, repeats=_bounds(repeats))
    generator = DocumentGenerator(load_schema(dtd, root), parameters, Random(seed))
    width = max(6, len(str(parameters.number)))
    for index in _progress(range(1, parameters.number + 1), parameters.number, "documents"):
        with atomic_writer(out / f"{index:0{width}}.xml") as file:
            generator.write(file)


def _write_lines(items: Iterable[object], total: int, what: str, out: Path | None) -> None:
    if out is None:
        for item in items:
            click.echo(str(item))
        return
    with atomic_writer(out) as file:
        for item in _progress(items, total, what):
            file.write(f"{item}\n".encode())


def _bounds(written: tuple[str, ...]) -> dict[str, int]:
    bounds: dict[str, int] = {}
    for text in written:
        name, _, bound = text.rpartition("=")
        if not name or not bound.isdecimal() or len(bound) > MAX_DIGITS:
            raise ConfigurationError(f"expected ELEMENT=N, not {text!r}", source="--repeats")
        bounds[name] = int(bound)
    return bounds


def _progress(items: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    if not sys.stderr.isatty():
        yield from items
        return
    yield from track(items, what, total=total, console=Console(stderr=True), transient=True)
