"""Documents on the command line, and what an engine answers to them one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from pyroaring import BitMap

from broker_sim.engines import Document, Engine
from broker_sim.engines.documents import MAX_BYTES, parse
from broker_sim.engines.engine import match_all
from broker_sim.engines.streaming import StreamingEngine
from broker_sim.errors import DocumentError


def whole(engine: Engine, files: Iterable[Path], max_bytes: int | None) -> Iterator[tuple[Path, BitMap]]:
    """Each document that can be read, with its matches; the others are reported."""
    read: list[Path] = []

    def documents() -> Iterator[Document]:
        for path in files:
            with _reported():
                document = parse(path, max_bytes=max_bytes or MAX_BYTES)
                read.append(path)
                yield document

    for number, matches in enumerate(match_all(engine, documents())):
        yield read[number], matches


def streamed(engine: Engine, files: Iterable[Path], max_bytes: int | None) -> Iterator[tuple[Path, BitMap]]:
    """As `whole`, in bounded memory."""
    assert isinstance(engine, StreamingEngine)
    for path in files:
        with _reported():
            yield path, engine.match_stream(path, max_bytes=max_bytes)


@contextmanager
def _reported() -> Iterator[None]:
    """Report a document that cannot be read, and go on."""
    try:
        yield
    except DocumentError as error:
        click.echo(f"error: {error}", err=True)


def documents_below(documents: Iterable[Path]) -> list[Path]:
    """The files among these, and every .xml file below the folders among them."""
    files: list[Path] = []
    for path in documents:
        below = sorted(file for file in path.rglob("*.xml") if file.is_file()) if path.is_dir() else [path]
        if not below:
            raise DocumentError("no .xml file in this directory", source=str(path))
        files.extend(below)
    return files
