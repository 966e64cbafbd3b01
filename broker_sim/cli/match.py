"""`broker-sim match`: which subscriptions do these documents match?"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import click

from broker_sim.cli.subscriptions import subscribe
from broker_sim.engines import DEFAULT_ENGINE, ENGINES, Engine, create_engine
from broker_sim.engines.documents import MAX_BYTES, parse
from broker_sim.errors import DocumentError
from broker_sim.xpath.subscription_file import subscription_lines

_SHOWN: Final = 10


@click.command()
@click.option("--engine", "engine_name", type=click.Choice(list(ENGINES)), default=DEFAULT_ENGINE, show_default=True)
@click.option(
    "--subscriptions",
    "subscription_file",
    type=click.Path(path_type=Path),
    required=True,
    help="One expression a line; blank lines and lines that begin with # are skipped.",
)
@click.option("--skip-invalid", is_flag=True, help="Go on without the lines that are no subscription.")
@click.option("--max-bytes", type=click.IntRange(min=1), default=MAX_BYTES, show_default=True, help="Largest document.")
@click.option("--json", "as_json", is_flag=True, help="Print a list with document and matches (line numbers).")
@click.option("--spark", "on_spark", is_flag=True, help="Match on Spark: one folder or table, rows to --out.")
@click.option("--master", default="local[*]", show_default=True, help="The Spark master, with --spark.")
@click.option("--out", help="With --spark: where to write the rows (doc_id, subscription_id), as Parquet.")
@click.argument("documents", metavar="DOC...", nargs=-1, required=True)
@click.pass_context
def match(
    context: click.Context,
    engine_name: str,
    subscription_file: Path,
    skip_invalid: bool,
    max_bytes: int,
    as_json: bool,
    on_spark: bool,
    master: str,
    out: str | None,
    documents: tuple[str, ...],
) -> None:
    """Match documents against a file of subscriptions.

    DOC is a file, or a directory: then every .xml file below it. Subscriptions are numbered by their line, from 1.

    If any line is not a subscription, all such lines are reported and nothing is matched, unless --skip-invalid
    is given. A document that cannot be read is reported on standard error; the others are still answered, and the
    exit code is 2.

    With --spark, DOC is one folder of .xml files or one Parquet table with columns doc_id and content, by path or URL.
    """
    if on_spark and (out is None or len(documents) != 1):
        raise click.UsageError("--spark needs --out, and one folder or table of documents")
    if not on_spark and out is not None:
        raise click.UsageError("--out needs --spark")
    engine = create_engine(engine_name)
    invalid = subscribe(engine, subscription_file)
    for error in invalid:
        click.echo(f"{'skipped' if skip_invalid else 'error'}: {error}", err=True)
    if invalid and not skip_invalid:
        context.exit(2)
    if on_spark and out is not None:
        context.exit(_on_spark(documents[0], subscription_file, engine, out, master, engine_name, max_bytes, as_json))
    files = _files(map(Path, documents))
    objects: list[str] = []
    answered = 0
    for path in _progress(files, shown=as_json or not sys.stdout.isatty()):
        try:
            found = list(engine.match(parse(path, max_bytes=max_bytes)))
        except DocumentError as error:
            click.echo(f"error: {error}", err=True)
            continue
        answered += 1
        if as_json:
            objects.append(json.dumps({"document": str(path), "matches": found}))
        else:
            click.echo(_line(path, found))
    if as_json:
        click.echo("[" + ",\n ".join(objects) + "]")
    context.exit(0 if answered == len(files) else 2)


def _on_spark(
    documents: str,
    subscription_file: Path,
    engine: Engine,
    out: str,
    master: str,
    engine_name: str,
    max_bytes: int,
    as_json: bool,
) -> int:
    """Match the subscriptions that `engine` took."""
    from broker_sim.cli.bulk_match import bulk_match

    taken = {number: line.lstrip() for number, line in subscription_lines(subscription_file) if number in engine}
    return bulk_match(documents, taken, out, master=master, engine=engine_name, max_bytes=max_bytes, as_json=as_json)


def _files(documents: Iterable[Path]) -> list[Path]:
    files: list[Path] = []
    for path in documents:
        below = sorted(file for file in path.rglob("*.xml") if file.is_file()) if path.is_dir() else [path]
        if not below:
            raise DocumentError("no .xml file in this directory", source=str(path))
        files.extend(below)
    return files


def _progress(files: list[Path], *, shown: bool) -> Iterator[Path]:
    """The files, with a bar on standard error if that is a terminal; standard output is left alone."""
    if not shown or not sys.stderr.isatty():
        yield from files
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True, redirect_stdout=False) as progress:
        yield from progress.track(files, description="Matching")


def _line(path: Path, found: list[int]) -> str:
    shown = " ".join(map(str, found[:_SHOWN]))
    more = f" ... and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return f"{path}: {len(found)} {'match' if len(found) == 1 else 'matches'}{': ' if found else ''}{shown}{more}"
