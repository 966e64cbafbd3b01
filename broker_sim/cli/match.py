"""`broker-sim match`: which subscriptions do these documents match?"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from broker_sim.cli.answers import documents_below, streamed, whole
from broker_sim.cli.engine_options import ENGINE_OPTION
from broker_sim.cli.subscriptions import subscribe
from broker_sim.engines import DEFAULT_ENGINE, ENGINES, Engine, create_engine
from broker_sim.engines.documents import MAX_BYTES
from broker_sim.engines.engine import loading
from broker_sim.engines.streaming import StreamingEngine
from broker_sim.errors import ConfigurationError
from broker_sim.xpath.subscription_file import subscription_lines

_SHOWN: Final = 10


@click.command()
@click.option("--engine", "engine_name", type=click.Choice(list(ENGINES)), default=DEFAULT_ENGINE, show_default=True)
@click.option(
    "--subscriptions",
    "subscription_file",
    type=click.Path(path_type=Path),
    help="One expression a line; blank lines and lines that begin with # are skipped.",
)
@ENGINE_OPTION
@click.option("--skip-invalid", is_flag=True, help="Go on without the lines that are no subscription.")
@click.option("--stream", is_flag=True, help="Read documents in pieces, in bounded memory (xtrie, xtrie-eager).")
@click.option(
    "--max-bytes",
    type=click.IntRange(min=1),
    help=f"Largest document; by default {MAX_BYTES:,}, any size with --stream.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a list with document and matches (line numbers).")
@click.option("--spark", "on_spark", is_flag=True, help="Match on Spark: one folder or table, rows to --out.")
@click.option("--master", default="local[*]", show_default=True, help="The Spark master, with --spark.")
@click.option("--out", help="With --spark: where to write the rows (doc_id, subscription_id), as Parquet.")
@click.argument("documents", metavar="DOC...", nargs=-1, required=True)
@click.pass_context
def match(
    context: click.Context,
    engine_name: str,
    subscription_file: Path | None,
    options: dict[str, object],
    skip_invalid: bool,
    stream: bool,
    max_bytes: int | None,
    as_json: bool,
    on_spark: bool,
    master: str,
    out: str | None,
    documents: tuple[str, ...],
) -> None:
    """Match documents against a file of subscriptions.

    DOC is a file, or a directory: then every .xml file below it. Subscriptions are numbered by their line, from 1.

    An engine that keeps its subscriptions (relational, with --option location=...) may be asked without a file.

    If any line is not a subscription, all such lines are reported and nothing is matched, unless --skip-invalid
    is given. A document that cannot be read is reported on standard error; the others are still answered, and the
    exit code is 2.

    With --spark, DOC is one folder of .xml files or one Parquet table with columns doc_id and content, by path or URL.
    """
    if on_spark and (out is None or len(documents) != 1 or subscription_file is None or stream):
        raise click.UsageError("--spark needs --subscriptions, --out, and one folder or table; it does not stream")
    if not on_spark and out is not None:
        raise click.UsageError("--out needs --spark")
    engine = create_engine(engine_name, **options)
    answers = streamed if stream else whole
    if stream and not isinstance(engine, StreamingEngine):
        raise ConfigurationError(
            f"the engine {engine_name!r} needs whole documents; --stream works with xtrie, xtrie-eager"
        )
    if subscription_file is not None:
        _fill(context, engine, subscription_file, skip_invalid)
    elif not len(engine):
        raise ConfigurationError("no subscriptions: give a file with --subscriptions, or an engine that keeps some")
    if on_spark and out is not None and subscription_file is not None:
        from broker_sim.cli.bulk_match import bulk_match
        from broker_sim.experiment.bulk import EngineChoice

        taken = {number: line.lstrip() for number, line in subscription_lines(subscription_file) if number in engine}
        chosen = EngineChoice(engine_name, options, max_bytes or MAX_BYTES)
        context.exit(bulk_match(documents[0], taken, out, master=master, engine=chosen, as_json=as_json))
    files = documents_below(map(Path, documents))
    objects: list[str] = []
    answered = 0
    shown = _progress(files, shown=as_json or not sys.stdout.isatty())
    for path, matches in answers(engine, shown, max_bytes):
        answered += 1
        found = list(matches)
        if as_json:
            objects.append(json.dumps({"document": str(path), "matches": found}))
        else:
            click.echo(_line(path, found))
    if as_json:
        click.echo("[" + ",\n ".join(objects) + "]")
    context.exit(0 if answered == len(files) else 2)


def _fill(context: click.Context, engine: Engine, subscription_file: Path, skip_invalid: bool) -> None:
    """Add the subscriptions of a file, all or none."""
    try:
        with loading(engine):
            invalid = subscribe(engine, subscription_file)
            for error in invalid:
                click.echo(f"{'skipped' if skip_invalid else 'error'}: {error}", err=True)
            if invalid and not skip_invalid:
                context.exit(2)
    except ValueError as error:
        raise ConfigurationError(f"cannot be added: {error}", source=str(subscription_file)) from error


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
