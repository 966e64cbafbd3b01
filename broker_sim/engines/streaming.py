"""A document as a stream: read in pieces, told element by element, and forgotten as it passes.

What is safe to read, and what names, attributes and texts are, is decided in `documents`: the same parser with the
same bounds, fed piece by piece. Only the bound on the size of the whole is the caller's to set. At any time the tree in
memory has the open elements, with the last child of each that has ended, and what one piece of `CHUNK` bytes brought.

An element that ends is emptied at once and taken out when the next one in its place begins: its tail, which is text
of its parent, is known only then. Text is put together only while a listener has asked for it (`wants`): the text
nodes of an element, or its string value, which is all text inside it and the one thing that can grow with the document.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, Final, Protocol, cast, runtime_checkable

from lxml import etree
from pyroaring import BitMap

from broker_sim.engines.documents import (
    attribute_values,
    not_expanded,
    safe_pull_parser,
    syntax_error,
    written_attributes,
    written_name,
)
from broker_sim.engines.walking import Listener
from broker_sim.errors import DocumentError

CHUNK: Final = 1 << 16

TEXT: Final = 1
VALUE: Final = 2
"""What a listener may want of an element: its text nodes, its string value."""

Source = str | os.PathLike[str] | IO[bytes] | Iterable[bytes]
"""A path, an open file or the pieces of a document."""


class StreamListener(Listener, Protocol):
    """A listener that says, of the element that just began, what it will ask for where the element ends."""

    @property
    def wants(self) -> int:
        """`TEXT`, `VALUE`, both or 0."""


@runtime_checkable
class StreamingEngine(Protocol):
    """An engine that can match a document it never holds as a whole."""

    def match_stream(self, source: Source, *, max_bytes: int | None = None) -> BitMap:
        """The ids whose expression the document matches; raises `DocumentError`."""


class StreamReader:
    """The open elements of a stream, by level, with the texts that were asked for."""

    def __init__(self, source_name: str) -> None:
        self._name = source_name
        self._open: list[etree._Element] = []
        self._read: list[Mapping[str, str] | None] = []
        self._wants: list[int] = []
        self._texts: list[list[str]] = []
        self._taken: list[bool] = []
        self._strings = 0
        self._string: list[str] = []
        self._string_from: list[int] = []

    def values(self, level: int, subject: str) -> list[str]:
        """What `@name`, `@*`, `text()` or `.` selects at the element open at `level`; texts only where it ends."""
        if subject[0] == "@":
            return attribute_values(self._attributes(level - 1), subject)
        if subject == "text()":
            return self._texts[level - 1]
        return ["".join(self._string[self._string_from[level - 1] :])]

    def _attributes(self, place: int) -> Mapping[str, str]:
        known = self._read[place]
        if known is None:
            known = self._read[place] = written_attributes(self._open[place])
        return known

    def begin(self, element: etree._Element, listener: StreamListener) -> None:
        """Tell the listener of an element, after the text before it is taken."""
        if self._open:
            self._take(element)
        self._open.append(element)
        self._read.append(None)
        listener.start(written_name(element))
        self._wants.append(listener.wants)
        self._strings += self._wants[-1] & VALUE > 0
        self._texts.append([])
        self._taken.append(False)
        self._string_from.append(len(self._string))

    def finish(self, element: etree._Element, listener: StreamListener) -> None:
        """Tell the listener that the innermost element ends, and empty it."""
        self._take(None)
        listener.end()
        for stack in (self._open, self._read, self._texts, self._taken, self._string_from):
            stack.pop()
        self._strings -= self._wants.pop() & VALUE > 0
        if not self._strings and self._string:
            self._string.clear()
            self._string_from = [0] * len(self._open)
        cast("Any", element).clear(keep_tail=True)

    def _take(self, before: etree._Element | None) -> None:
        """Take the text inside the innermost element up to the child `before`, and drop what else stands there."""
        parent = self._open[-1]
        wanted = self._strings or self._wants[-1] & TEXT
        if wanted and not self._taken[-1]:
            self._add(parent.text)
        self._taken[-1] = True
        for node in list(_until(parent, before)):
            if node.tag is etree.Entity:
                raise not_expanded(node, self._name)
            if wanted:
                self._add(node.tail)
            parent.remove(node)

    def _add(self, text: str | None) -> None:
        if text is None:
            return
        if self._wants[-1] & TEXT:
            self._texts[-1].append(text)
        if self._strings:
            self._string.append(text)


def stream(
    source: Source, reader: StreamReader, listener: StreamListener, *, name: str, max_bytes: int | None = None
) -> None:
    """Read a document and tell `listener` of it; raises `DocumentError`, by which time it may have heard the half."""
    parser = safe_pull_parser()
    try:
        for piece in _pieces(source, name, max_bytes):
            parser.feed(piece)
            _tell(parser, reader, listener)
        parser.close()
        _tell(parser, reader, listener)
    except etree.XMLSyntaxError as error:
        raise syntax_error(error, name) from error
    except DocumentError as error:
        raise DocumentError(error.message, source=name, line=error.line, column=error.column) from error


def source_name(source: Source) -> str:
    """How errors call a source."""
    return os.fspath(source) if isinstance(source, str | os.PathLike) else str(getattr(source, "name", "document"))


def _tell(parser: etree.XMLPullParser, reader: StreamReader, listener: StreamListener) -> None:
    for event, element in cast("Iterator[tuple[str, etree._Element]]", parser.read_events()):
        if event == "start":
            reader.begin(element, listener)
        else:
            reader.finish(element, listener)


def _pieces(source: Source, name: str, max_bytes: int | None) -> Iterator[bytes]:
    size = 0
    try:
        for piece in _opened(source):
            size += len(piece)
            if max_bytes is not None and size > max_bytes:
                raise DocumentError(f"larger than {max_bytes:,} bytes", source=name)
            yield piece
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise DocumentError(f"cannot be read: {reason}", source=name) from error


def _opened(source: Source) -> Iterator[bytes]:
    if isinstance(source, str | os.PathLike):
        with Path(source).open("rb") as file:
            yield from iter(lambda: file.read(CHUNK), b"")
    elif hasattr(source, "read"):
        yield from iter(lambda: source.read(CHUNK), b"")
    else:
        yield from source


def _until(parent: etree._Element, before: etree._Element | None) -> Iterator[etree._Element]:
    for node in parent:
        if node is before:
            return
        yield node
