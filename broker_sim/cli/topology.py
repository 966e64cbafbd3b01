"""`broker-sim topology`: list, show and generate overlays."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from broker_sim.network import Topology, load_topology, shipped_topologies
from broker_sim.network.generators import GENERATORS
from broker_sim.network.graphml import write_graphml
from broker_sim.network.shape import Shape, shape
from broker_sim.network.sketch import sketch

MAX_DRAWN: Final = 200
"""The most brokers that a drawing in the terminal shows."""

_as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_largest = click.option("--largest-component", is_flag=True, help="Keep the largest part of a graph in several parts.")


@click.group()
def topology() -> None:
    """List, show and generate topologies."""


@topology.command("list")
@_as_json
def list_topologies(as_json: bool) -> None:
    """List the shipped topologies and the generators."""
    found = [load_topology(name) for name in shipped_topologies()]
    if as_json:
        files = [{"name": one.name, "brokers": len(one.brokers), "links": len(one.links)} for one in found]
        generators = [{"name": name, "usage": f"{name}:{one.usage}"} for name, one in GENERATORS.items()]
        click.echo(json.dumps({"topologies": files, "generators": generators}, indent=2))
        return
    table = _table("topology", "brokers", "links", "tree")
    for one in sorted(found, key=lambda one: (len(one.brokers), one.name)):
        table.add_row(one.name, str(len(one.brokers)), str(len(one.links)), "yes" if one.is_tree else "no")
    generators_table = _table("generator", "makes")
    for name, generator in GENERATORS.items():
        generators_table.add_row(Text(f"{name}:{generator.usage}"), Text(generator.help))
    console = Console()
    console.print(table)
    console.print(generators_table)


@topology.command()
@click.argument("name")
@_largest
@click.option("--plot", type=click.Path(path_type=Path), help="Draw it into this .png or .svg file.")
@_as_json
def show(name: str, largest_component: bool, plot: Path | None, as_json: bool) -> None:
    """Show NAME: a shipped topology, a GraphML file or a generator such as ring:n=12."""
    found = load_topology(name, largest_component=largest_component)
    if plot is not None:
        from broker_sim.report.overlay_picture import plot_topology  # What it stands on takes long to import.

        plot_topology(found, plot)
    measured = shape(found)
    if as_json:
        click.echo(json.dumps(_as_object(found, measured), indent=2))
        return
    console = Console()
    console.print(_facts(found, measured))
    console.print(_tree(found, measured.centre) if found.is_tree else _adjacency(found))
    drawing = None if found.is_tree else sketch(found)
    if drawing is not None:
        console.print(Text(drawing))


@topology.command()
@click.argument("spec")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The GraphML file to write.")
@_largest
def generate(spec: str, out: Path, largest_component: bool) -> None:
    """Write the topology that SPEC describes, such as barabasi-albert:n=1000,m=2,seed=7."""
    found = load_topology(spec, largest_component=largest_component)
    write_graphml(found, out)
    click.echo(f"{out}: {len(found.brokers)} brokers, {len(found.links)} links")


def _as_object(found: Topology, measured: Shape) -> dict[str, Any]:
    links = [{key: value for key, value in asdict(link).items() if value is not None} for link in found.links]
    return {"name": found.name, **asdict(measured), "broker_names": found.brokers, "link_list": links}


def _facts(found: Topology, measured: Shape) -> Table:
    table = Table.grid(padding=(0, 2))
    diameter = "not computed, too large" if measured.diameter is None else f"{measured.diameter} links"
    for label, value in (
        ("topology", found.name),
        ("brokers", f"{measured.brokers} ({measured.leaves} with at most one link)"),
        ("links", str(measured.links)),
        ("degree", f"{measured.min_degree} to {measured.max_degree}, mean {measured.mean_degree:.2f}"),
        ("diameter", diameter),
        ("tree", "yes" if measured.is_tree else "no"),
        ("centre", _named(found, measured.centre)),
    ):
        table.add_row(label, Text(value))
    return table


def _tree(found: Topology, centre: str) -> Tree:
    """The tree from its centre, level by level until `MAX_DRAWN` brokers are drawn."""
    root = Tree(Text(_named(found, centre)))
    queue: list[tuple[str, str | None, Tree]] = [(centre, None, root)]
    room = MAX_DRAWN - 1
    for broker, parent, drawn in queue:
        below = [neighbour for neighbour in found.neighbours(broker) if neighbour != parent]
        if len(below) > room:
            drawn.add(Text(f"... {len(below)} more, and those below them"))
            continue
        room -= len(below)
        queue.extend((child, broker, drawn.add(Text(_named(found, child)))) for child in below)
    return root


def _adjacency(found: Topology) -> Table:
    table = _table("broker", "degree", "linked to")
    for broker in found.brokers[:MAX_DRAWN]:
        neighbours = found.neighbours(broker)
        table.add_row(Text(_named(found, broker)), str(len(neighbours)), Text(", ".join(neighbours)))
    if len(found.brokers) > MAX_DRAWN:
        table.add_row(f"... {len(found.brokers) - MAX_DRAWN} more", "", "")
    return table


def _named(found: Topology, broker: str) -> str:
    label = found.labels.get(broker, broker)
    return broker if label == broker else f"{broker} {label}"


def _table(*columns: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(column)
    return table
