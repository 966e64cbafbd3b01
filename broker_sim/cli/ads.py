"""`broker-sim ads`: compile a DTD into advertisements."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from broker_sim.atomic import atomic_writer
from dtd_ads import AdvertisementSet, PathCounts, Schema, compile_advertisements, count_paths, load_schema
from dtd_ads.compiling import Form

SHOWN_MEMBERS = 8


@click.command()
@click.argument("dtd")
@click.option("--root", help="The root element, where the DTD leaves it open.")
@click.option("--form", type=click.Choice(["auto", "paths", "automaton"]), default="auto", show_default=True)
@click.option("--max-depth", type=int, help="Advertise only paths of at most this many elements.")
@click.option("--limit", type=int, default=10_000, show_default=True, help="The longest list of paths to write.")
@click.option("--allow-outside", is_flag=True, help="Let the DTD read modules outside its own folder.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the list to this file.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def ads(
    dtd: str,
    root: str | None,
    form: Form,
    max_depth: int | None,
    limit: int,
    allow_outside: bool,
    out: Path | None,
    as_json: bool,
) -> None:
    """Compile DTD (a file or a catalogue name) into advertisements.

    Two numbers of paths are reported. A path may end at an element that can occur without a child element; that is
    what is advertised. Counting leaves only leaves out paths that end at an element which could have had children.
    """
    schema = load_schema(dtd, root, allow_outside=allow_outside)
    for warning in schema.warnings:
        click.echo(f"warning: {warning}", err=True)
    compiled = compile_advertisements(schema, form, max_depth, limit=limit)
    counts = count_paths(schema, max_depth)
    texts = [str(advertisement) for advertisement in compiled]
    if out is not None:
        with atomic_writer(out) as file:
            file.writelines(f"{text}\n".encode() for text in texts)
    if as_json:
        click.echo(json.dumps(_report(schema, compiled, counts, texts), indent=2, ensure_ascii=False))
        return
    _print_tables(schema, compiled, counts)
    if out is None:
        _print_list(texts)


def _report(schema: Schema, compiled: AdvertisementSet, counts: PathCounts, texts: list[str]) -> dict[str, object]:
    return {
        "dtd": schema.name,
        "root": schema.root,
        "elements": len(schema.elements),
        "reachable": len(schema.reachable),
        "form": compiled.form,
        "exact": compiled.exact,
        "counts": compiled.counts,
        "paths_leaf_only": counts.leaf_only,
        "paths_may_end": counts.may_end,
        "paths_max_depth": counts.max_depth,
        "paths_by_depth": dict(counts.by_depth),
        "recursion": [sorted(component) for component in schema.recursion],
        "warnings": list(schema.warnings),
        "advertisements": texts,
    }


def _print_tables(schema: Schema, compiled: AdvertisementSet, counts: PathCounts) -> None:
    exact = "exact" if compiled.exact else "more than the DTD allows, where its recursion cannot be written"
    within = "" if counts.max_depth is None else f" of at most {counts.max_depth} elements"
    facts = Table(show_header=False, box=None)
    facts.add_row("root", schema.root)
    facts.add_row("elements", f"{len(schema.elements):,}, reachable {len(schema.reachable):,}")
    facts.add_row("form", f"{compiled.form}, {exact}")
    facts.add_row("advertisements", f"{len(compiled):,}{_kinds(compiled)}")
    facts.add_row("paths", f"{counts.may_end:,}{within}; {counts.leaf_only:,} end at a leaf")
    for component in schema.recursion:
        facts.add_row("recursion", _members(sorted(component)))
    console = Console()
    console.print(facts)
    depths = Table("elements", "paths", title="paths by length")
    for depth, number in counts.by_depth:
        depths.add_row(str(depth), f"{number:,}")
    console.print(depths)


def _kinds(compiled: AdvertisementSet) -> str:
    found = [f"{number:,} {kind}" for kind, number in compiled.counts.items() if number]
    return f": {', '.join(found)}"


def _members(names: list[str]) -> str:
    shown = ", ".join(names[:SHOWN_MEMBERS])
    more = f", and {len(names) - SHOWN_MEMBERS} more" if len(names) > SHOWN_MEMBERS else ""
    return f"{len(names)}: {shown}{more}"


def _print_list(texts: Iterable[str]) -> None:
    lines = (f"{text}\n" for text in texts)
    if sys.stdout.isatty():
        click.echo_via_pager(lines)
    else:
        for line in lines:
            click.echo(line, nl=False)
