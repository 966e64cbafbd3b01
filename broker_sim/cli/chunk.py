"""`broker-sim chunk`: cut big documents along the prefixes that subscriptions share."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from broker_sim.atomic import atomic_writer
from broker_sim.chunking.chunker import split as split_document
from broker_sim.chunking.evaluation import Answer
from broker_sim.chunking.execution import Executor, Pool, Sequential, Spark
from broker_sim.chunking.projection import Projection
from broker_sim.chunking.scheme import Scheme
from broker_sim.cli.engine_options import MAX_DIGITS
from broker_sim.cli.subscriptions import subscribe
from broker_sim.engines import ENGINES
from broker_sim.engines.chunked import AUTO, CHUNKS, POTPOURRI, Chunked
from broker_sim.engines.documents import MAX_BYTES
from broker_sim.errors import ConfigurationError, DocumentError
from dtd_ads import load_schema

INNER: Final = [name for name in ENGINES if name != "chunked"]

Command = TypeVar("Command", bound=Callable[..., object])


@click.group()
def chunk() -> None:
    """Cut big documents along the prefixes that subscriptions share."""


def _common(command: Command) -> Command:
    for option in (
        click.option("--json", "as_json", is_flag=True, help="Print JSON."),
        click.option("--root", help="The root element, where the DTD leaves it open."),
        click.option("--dtd", help="A file or a catalogue name; without it * and // are not resolved."),
        click.option("--sample", type=click.Path(path_type=Path), help="A document whose sizes 'auto' goes by."),
        click.option("--chunks", default=str(CHUNKS), show_default=True, help="How many at most, or 'auto'."),
        click.option(
            "--subscriptions",
            "subscription_file",
            type=click.Path(path_type=Path),
            required=True,
            help="One expression a line; blank lines and lines that begin with # are skipped.",
        ),
    ):
        command = option(command)
    return command


@chunk.command()
@_common
def scheme(subscription_file: Path, as_json: bool, **options: Any) -> None:
    """Show where documents would be cut, and which queries no valid document can match."""
    engine = _engine(subscription_file, **options)
    if options["chunks"] == AUTO and options["sample"] is None:
        raise ConfigurationError("an estimate needs a document: give --sample, or --chunks with a number")
    shown = _described(engine)
    click.echo(json.dumps(shown, indent=1) if as_json else _scheme_table(shown))


@chunk.command()
@_common
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The folder to write chunk-1.xml .. to.")
@click.argument("document", type=click.Path(path_type=Path))
def split(subscription_file: Path, as_json: bool, out: Path, document: Path, **options: Any) -> None:
    """Write the chunks of a document, in one pass and bounded memory."""
    if options["chunks"] == AUTO and options["sample"] is None:
        options["sample"] = document
    engine = _engine(subscription_file, **options)
    files = [out / f"chunk-{number}.xml" for number in range(1, len(engine.scheme.chunks) + 1)]
    subtrees = _write(engine, document, files)
    rows = [
        {"chunk": one.name, "file": str(file), "subtrees": count, "bytes": file.stat().st_size if count else 0}
        for one, file, count in zip(engine.scheme.chunks, files, subtrees, strict=True)
    ]
    if as_json:
        click.echo(json.dumps({"chunks": rows, "potpourri": len(engine.scheme.potpourri)}, indent=1))
        return
    for row in rows:
        click.echo(f"{row['file']}: {row['chunk']}, {row['subtrees']:,} subtrees, {row['bytes']:,} bytes")
    if engine.scheme.potpourri:
        click.echo(f"{document}: potpourri, {len(engine.scheme.potpourri):,} queries need the whole document")


@chunk.command()
@_common
@click.option("--inner", type=click.Choice(INNER), default="lxml", show_default=True, help="Engine for each chunk.")
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Processes for the chunks.")
@click.option("--spark", metavar="MASTER", help="Run the chunks on Spark, for example on 'local[2]'.")
@click.option("--priority", "priorities", multiple=True, metavar="PREFIX=N", help="Higher first; may be given again.")
@click.option("--fragments", is_flag=True, help="Print what each subscription found, not only its line.")
@click.option("--max-bytes", type=click.IntRange(min=1), default=MAX_BYTES, show_default=True, help="Largest chunk.")
@click.argument("documents", metavar="DOC...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.pass_context
def match(
    context: click.Context,
    /,
    subscription_file: Path,
    as_json: bool,
    workers: int,
    spark: str | None,
    priorities: tuple[str, ...],
    fragments: bool,
    documents: tuple[Path, ...],
    **options: Any,
) -> None:
    """Match documents chunk by chunk; answers are printed as chunks are ready."""
    executor: Executor = Spark(spark) if spark else Pool(workers) if workers > 1 else Sequential()
    try:
        engine = _engine(subscription_file, executor=executor, priorities=_numbers(priorities), **options)
        objects, failed = [], False
        for document in documents:
            try:
                objects.append(_matched(engine, document, fragments, quiet=as_json))
            except DocumentError as error:
                failed = True
                click.echo(f"error: {error}", err=True)
    finally:
        executor.close()
    if as_json:
        click.echo(json.dumps(objects, indent=1))
    context.exit(2 if failed else 0)


def _engine(
    subscription_file: Path, *, chunks: str, sample: Path | None, dtd: str | None, root: str | None, **options: Any
) -> Chunked:
    if chunks != AUTO and (not chunks.isdecimal() or len(chunks) > MAX_DIGITS):
        raise ConfigurationError(f"expected a number or '{AUTO}', not {chunks!r}", source="--chunks")
    schema = load_schema(dtd, root) if dtd else None
    engine = Chunked(schema, AUTO if chunks == AUTO else int(chunks), **options)
    errors = subscribe(engine, subscription_file)
    for error in errors[:-1]:
        click.echo(f"error: {error}", err=True)
    if errors:
        raise errors[-1]
    if sample is not None:
        engine.learn_sizes(sample)
    return engine


def _described(engine: Chunked) -> dict[str, Any]:
    found = engine.scheme
    paths = sum(map(len, found.query_sets))
    return {
        "chunks": [
            {
                "prefix": one.name,
                "queries": len(one.queries),
                "share": round(len(one.queries) / paths, 4),
                "filters": sorted(map(str, one.filters)),
                "paths": {id: str(query.found) for id, query in one.queries.items()},
            }
            for one in found.chunks
        ],
        "potpourri": {id: str(query.found) for id, query in found.potpourri.items()},
        "dead": list(engine.preparation.dead),
    }


def _scheme_table(shown: dict[str, Any]) -> str:
    lines = [
        f"{one['prefix']}: {one['queries']:,} queries, {one['share']:.0%}"
        + (f", with {', '.join(one['filters'][:5])}" if one["filters"] else "")
        + (f" and {len(one['filters']) - 5} more" if len(one["filters"]) > 5 else "")
        for one in shown["chunks"]
    ]
    lines.append(f"{POTPOURRI}: {len(shown['potpourri']):,} queries")
    if shown["dead"]:
        lines.append(f"no valid document matches {len(shown['dead']):,}: lines {', '.join(map(str, shown['dead']))}")
    return "\n".join(lines)


def _write(engine: Chunked, document: Path, files: list[Path]) -> list[int]:
    projection = Projection(engine.scheme.chunks, engine.preparation.schema)
    try:
        source = document.open("rb")
    except OSError as error:
        raise DocumentError(f"cannot be read: {error.strerror}", source=str(document)) from error
    with source, ExitStack() as writers:
        writes = [writers.enter_context(atomic_writer(file)).write for file in files]
        subtrees = split_document(source, projection, writes, str(document))
    for file, count in zip(files, subtrees, strict=True):
        if not count:
            file.unlink()
    return subtrees


def _matched(engine: Chunked, document: Path, fragments: bool, *, quiet: bool) -> dict[str, Any]:
    found: dict[int, list[str]] = {}
    chunks: list[dict[str, Any]] = []
    for answer in engine.answers(document, fragments=fragments):
        name = _name(engine.scheme, answer)
        chunks.append({"chunk": name, "matches": list(answer.ids), "seconds": round(answer.seconds, 6)})
        for id in answer.ids:
            found.setdefault(id, []).extend(text.decode() for text in answer.fragments.get(id, ()))
        if not quiet:
            click.echo(f"{document} {name}: {len(answer.ids)} of {len(engine.scheme.query_sets[answer.chunk])} queries")
    if not quiet:
        click.echo(f"{document}: {len(found)} matches{': ' * bool(found)}{' '.join(map(str, sorted(found)))}")
        for id in sorted(found) if fragments else ():
            for text in found[id]:
                click.echo(f"{id}: {text}")
    extra = {"fragments": found} if fragments else {}
    return {"document": str(document), "matches": sorted(found), "chunks": chunks, **extra}


def _name(scheme: Scheme, answer: Answer) -> str:
    return scheme.chunks[answer.chunk].name if answer.chunk < len(scheme.chunks) else POTPOURRI


def _numbers(written: tuple[str, ...]) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for text in written:
        prefix, _, number = text.rpartition("=")
        if not prefix or not number.removeprefix("-").isdecimal() or len(number) > MAX_DIGITS:
            raise ConfigurationError(f"expected PREFIX=N, not {text!r}", source="--priority")
        numbers[prefix] = int(number)
    return numbers
