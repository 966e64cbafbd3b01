"""`broker-sim deliver`: what do these queries make of these documents?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import click

from broker_sim.atomic import atomic_writer
from broker_sim.cli.answers import documents_below
from broker_sim.delivery import Approach, Delivery, Optimisation, Profile
from broker_sim.delivery.query_file import read_queries
from broker_sim.engines.documents import MAX_BYTES, parse
from broker_sim.errors import ConfigurationError, DocumentError
from dtd_ads import load_schema


@click.command()
@click.option(
    "--queries",
    "query_file",
    type=click.Path(path_type=Path),
    required=True,
    help="FLWR queries one after the other, each beginning on a line of its own; (: comments :) between them.",
)
@click.option("--approach", type=click.Choice(get_args(Approach)), default="FWR", show_default=True)
@click.option("--dtd", help="Optimise by this DTD (a file or a catalogue name); documents must keep to it.")
@click.option("--root", help="The root element, where the DTD leaves it open.")
@click.option(
    "--optimise", type=click.Choice(get_args(Optimisation)), help="By default dtd where one is given, else query."
)
@click.option("--sharing/--no-sharing", default=None, help="Share post-processing; by default where approach is FWR.")
@click.option("--max-bytes", type=click.IntRange(min=1), default=MAX_BYTES, show_default=True, help="Largest document.")
@click.option("--out", type=click.Path(path_type=Path), help="Write each message to this folder as DOCUMENT.LINE.xml.")
@click.option("--profile", "profiled", is_flag=True, help="Print the cost of each operator to standard error.")
@click.option("--json", "as_json", is_flag=True, help="Print a list with document, bytes and results.")
@click.argument("documents", metavar="DOC...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.pass_context
def deliver(
    context: click.Context,
    query_file: Path,
    approach: Approach,
    dtd: str | None,
    root: str | None,
    optimise: Optimisation | None,
    sharing: bool | None,
    max_bytes: int,
    out: Path | None,
    profiled: bool,
    as_json: bool,
    documents: tuple[Path, ...],
) -> None:
    """Answer documents with the messages that a file of FLWR queries asks for.

    DOC is a file, or a directory: then every .xml file below it. Queries are numbered by the line on which they begin,
    from 1. A document has no message for a query that binds nothing in it. A document that cannot be read is
    reported on standard error; the others are still answered, and the exit code is 2.
    """
    profile = Profile() if profiled else None
    schema = load_schema(dtd, root) if dtd is not None else None
    delivery = Delivery(approach, optimise, schema=schema, sharing=sharing, profile=profile)
    for line, query in read_queries(query_file):
        delivery.add(line, query)
    files = documents_below(documents)
    _check_names(files, out)
    answers: list[dict[str, object]] = []
    for path in files:
        try:
            messages = delivery.deliver(parse(path, max_bytes=max_bytes))
        except DocumentError as error:
            click.echo(f"error: {_placed(error, path)}", err=True)
            continue
        answers.append(_answer(path, messages, written=out is None))
        if out is not None:
            _write(out, path, messages)
        if not as_json:
            _print(path, messages, shown=out is None)
    if as_json:
        click.echo(json.dumps(answers, indent=1))
    if profile is not None:
        _print_costs(profile, max(len(answers), 1))
    context.exit(0 if len(answers) == len(files) else 2)


def _check_names(files: list[Path], out: Path | None) -> None:
    """With --out, no two documents may write the same file."""
    known: dict[str, Path] = {}
    for path in files if out is not None else ():
        other = known.setdefault(path.stem, path)
        if other is not path:
            raise ConfigurationError(f"{other} and {path} would write the same files", source="--out")


def _answer(path: Path, messages: dict[int, str], *, written: bool) -> dict[str, object]:
    results = [
        {"query": line, "bytes": len(text.encode()), **({"message": text} if written else {})}
        for line, text in messages.items()
    ]
    return {"document": str(path), "bytes": path.stat().st_size, "results": results}


def _write(folder: Path, path: Path, messages: dict[int, str]) -> None:
    for line, text in messages.items():
        with atomic_writer(folder / f"{path.stem}.{line}.xml") as file:
            file.write(f"{text}\n".encode())


def _print(path: Path, messages: dict[int, str], *, shown: bool) -> None:
    size = sum(len(text.encode()) for text in messages.values())
    what = "message" if len(messages) == 1 else "messages"
    click.echo(f"{path}: {len(messages)} {what}, {size:,} bytes for {path.stat().st_size:,}")
    for line, text in messages.items() if shown else ():
        click.echo(f"query {line}: {text}")


def _print_costs(profile: Profile, documents: int) -> None:
    for kind, seconds in sorted(profile.seconds.items(), key=lambda pair: -pair[1]):
        click.echo(f"{kind:18} {seconds / documents * 1e3:10.3f} ms a document", err=True)


def _placed(error: DocumentError, path: Path) -> DocumentError:
    return DocumentError(error.message, source=error.source or str(path), line=error.line, column=error.column)
