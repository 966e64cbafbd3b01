"""`broker-sim ads`: compile a DTD into advertisements and say what kind of DTD it is."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from broker_sim.errors import ConfigurationError
from dtd_ads import AdvertisementSet, PathCounts, Schema, compile_advertisements, count_paths, load_schema
from dtd_ads.compiling import Form


@click.command()
@click.argument("dtd", type=str)
@click.option("--root", help="The root element, where the DTD leaves it open.")
@click.option("--form", type=click.Choice(["auto", "paths", "automaton"]), default="auto", show_default=True)
@click.option("--max-depth", type=int, help="Only paths of at most this many elements.")
@click.option("--limit", type=int, default=10_000, show_default=True, help="Longest list of path advertisements.")
@click.option("--allow-outside", is_flag=True, help="Read modules outside the DTD's folder.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the list to this file.")
def ads(
    dtd: str,
    root: str | None,
    form: Form,
    max_depth: int | None,
    limit: int,
    allow_outside: bool,
    as_json: bool,
    out: Path | None,
) -> None:
    """Compile DTD (a file, or a name of the catalogue) into advertisements."""
    schema = load_schema(dtd, root, allow_outside=allow_outside)
    found = compile_advertisements(schema, form, max_depth, limit=limit)
    counts = count_paths(schema, max_depth)
    for warning in schema.warnings:
        click.echo(f"warning: {warning}", err=True)
    lines = [f"{advertisement}\n" for advertisement in found]
    if out is not None:
        _write(out, lines)
    if as_json:
        click.echo(json.dumps(_report(schema, found, counts), indent=2))
        return
    _show(schema, found, counts)
    if out is None:
        _list(lines)


def _report(schema: Schema, found: AdvertisementSet, counts: PathCounts) -> dict[str, Any]:
    return {
        "schema": schema.name,
        "root": schema.root,
        "elements": len(schema.elements),
        "reachable": len(schema.reachable),
        "recursion": [sorted(component) for component in schema.recursion],
        "paths_leaf_only": counts.leaf_only,
        "paths_may_end": counts.may_end,
        "paths_max_depth": counts.max_depth,
        "paths_by_depth": {str(depth): number for depth, number in counts.by_depth},
        "form": found.form,
        "exact": found.exact,
        "counts": found.counts,
        "advertisements": [str(advertisement) for advertisement in found],
        "warnings": list(schema.warnings),
    }


def _show(schema: Schema, found: AdvertisementSet, counts: PathCounts) -> None:
    console = Console(file=sys.stdout, width=None if sys.stdout.isatty() else 120, highlight=False)
    bound = "all" if counts.max_depth is None else f"up to {counts.max_depth} elements"
    facts = [
        ("root", schema.root),
        ("elements", f"{len(schema.elements):,} declared, {len(schema.reachable):,} reachable"),
        (f"paths, {bound}", f"{counts.may_end:,} may end, {counts.leaf_only:,} leaf only"),
        ("form", f"{found.form}, {'exact' if found.exact else 'wider than the DTD'}"),
        *((f"{kind} advertisements", f"{number:,}") for kind, number in found.counts.items() if number),
        *(("recursive together", _members(component)) for component in schema.recursion),
    ]
    console.print(_table(f"DTD {schema.name}", ("fact", "value"), facts))
    by_depth = ((str(depth), f"{number:,}") for depth, number in counts.by_depth)
    console.print(_table("Paths by depth", ("elements", "paths"), by_depth))


def _table(title: str, headings: tuple[str, str], rows: Iterable[tuple[str, str]]) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column(headings[0])
    table.add_column(headings[1], overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


def _members(component: frozenset[str]) -> str:
    names = sorted(component)
    shown = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
    return f"{len(names)}: {shown}"


def _list(lines: list[str]) -> None:
    if sys.stdout.isatty():
        click.echo_via_pager(lines)
    else:
        click.echo("".join(lines), nl=False)


def _write(out: Path, lines: list[str]) -> None:
    """The whole file or none: written beside its place, then moved there."""
    try:
        with tempfile.NamedTemporaryFile("w", dir=out.parent, prefix=f".{out.name}.", delete=False) as file:
            try:
                file.writelines(lines)
                file.close()
                os.replace(file.name, out)
            except BaseException:
                Path(file.name).unlink(missing_ok=True)
                raise
    except OSError as error:
        raise ConfigurationError(f"cannot be written: {error.strerror}", source=str(out)) from None
