"""CHUNKTOOL: one pass over a document, all chunks written at once.

Section 5 of the chunking paper. expat reads the document in blocks and says where elements start and end; what a chunk
keeps is copied from the bytes of the document, as written. So a kept subtree is one slice, its texts and references
need no care, and an element inside a kept or dropped subtree costs one lookup (see `projection`).

Ancestors of what is kept are written when the first kept element below them comes, with their attributes and namespace
declarations. Of an element whose text is tested the text nodes are copied, and a dropped child leaves an empty comment
behind, so that the text nodes on its two sides stay two.

Memory is bounded by depth and by the longest stretch between two tags (at most `MAX_STRETCH`), not by the size of the
document. Documents that declare entities or attributes of their own (an internal DTD subset) are refused with
`OwnDeclarations`: what their bytes mean depends on the declarations, and chunks carry none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import IO, Final
from xml.parsers import expat

from broker_sim.chunking.needs import Keep
from broker_sim.chunking.projection import SEPARATOR, Projection, State
from broker_sim.chunking.utf8 import utf8_blocks
from broker_sim.engines.documents import MAX_DEPTH
from broker_sim.errors import DocumentError

BLOCK: Final = 1 << 16
MAX_STRETCH: Final = 1 << 24

_tag = re.compile(rb"""<[^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*>""")
_DIVIDER: Final = b"<!---->"

Write = Callable[[bytes], object]


class OwnDeclarations(DocumentError):
    """A document with an internal DTD subset, which cannot be cut."""


@dataclass(slots=True)
class Output:
    """One chunk in the making: how many elements are open in it, from where the document is being copied."""

    write: Write
    opened: int = 0
    copied: int | None = None
    subtrees: int = 0


def split(
    source: IO[bytes],
    projection: Projection,
    writes: Sequence[Write],
    name: str = "document",
    *,
    block: int = BLOCK,
) -> list[int]:
    """Write every chunk of a document; returns how many of its subtrees each got. Raises `DocumentError`."""
    return _Pass(projection, writes).run(source, name, block)


class _Pass:
    """One document on its way through expat. `_window` holds its bytes from position `_base` on."""

    def __init__(self, projection: Projection, writes: Sequence[Write]) -> None:
        self._projection = projection
        self._outputs = [Output(write) for write in writes]
        self._open: list[bytes] = []
        self._tree = 0
        self._window = b""
        self._base = 0
        self._parser = expat.ParserCreate("utf-8", SEPARATOR)
        self._parser.namespace_prefixes = True
        self._parser.ordered_attributes = True
        self._parser.StartDoctypeDeclHandler = _doctype
        self._parser.SkippedEntityHandler = _skipped

    def run(self, source: IO[bytes], name: str, size: int) -> list[int]:
        parser = self._parser
        self._listen()
        try:
            for block in utf8_blocks(source, size):
                self._window += block
                parser.Parse(block, False)
                self._move_on()
            parser.Parse(b"", True)
        except expat.ExpatError as error:
            message = expat.ErrorString(error.code)
            raise DocumentError(message, source=name, line=error.lineno, column=error.offset + 1) from error
        except DocumentError as error:
            line = error.line or parser.CurrentLineNumber
            raise type(error)(error.message, source=name, line=line, column=error.column) from error
        return [output.subtrees for output in self._outputs]

    def _listen(self) -> None:
        """Follow the states; closures, because these two functions are most of the cost of a document."""
        state = self._projection.start
        above: list[State] = []
        push, pop, step = above.append, above.pop, self._step
        starting, ending = self._start, self._end
        starting_tree, ending_tree = self._start_tree, self._end_tree

        def start(key: str, attributes: object) -> None:
            nonlocal state
            push(state)
            state = state.to.get(key) or step(state, key)
            if state.only_trees:
                starting_tree(state)
            elif state.acts:
                starting(state)
            elif len(above) > MAX_DEPTH:
                raise DocumentError(f"elements nest deeper than {MAX_DEPTH}")

        def end(key: str) -> None:
            nonlocal state
            if state.only_trees:
                ending_tree(state)
            elif state.acts:
                ending(state)
            state = pop()

        self._parser.StartElementHandler = start
        self._parser.EndElementHandler = end

    def _step(self, state: State, key: str) -> State:
        try:
            return self._projection.step(state, key)
        except DocumentError as error:
            line, column = self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1
            raise DocumentError(error.message, line=line, column=column) from error

    def _start_tree(self, state: State) -> None:
        """An element that some chunks keep with all inside it, and that is nothing to any other chunk."""
        self._tree = self._parser.CurrentByteIndex
        for chunk, _ in state.starts:
            output = self._outputs[chunk]
            if output.opened < len(self._open):
                self._write_ancestors(output)
            output.copied = self._tree
            output.subtrees += 1

    def _end_tree(self, state: State) -> None:
        base, window = self._base, self._window
        after = self._parser.CurrentByteIndex - base
        if window[after - 2 : after] != b"/>" or not self._is_empty(after):
            after = window.index(b">", after) + 1
        for chunk, _ in state.starts:
            output = self._outputs[chunk]
            output.write(window[(output.copied or 0) - base : after])
            output.copied = None

    def _is_empty(self, after: int) -> bool:
        """Whether the element that `_tree` started is just one tag: text may end in `/>` too."""
        start = self._tree - self._base
        return start >= 0 and (found := _tag.match(self._window, start)) is not None and found.end() == after

    def _start(self, state: State) -> None:
        at = self._parser.CurrentByteIndex - self._base
        found = _tag.match(self._window, at)
        if found is None or len(self._open) >= MAX_DEPTH:
            raise DocumentError(f"elements nest deeper than {MAX_DEPTH}")
        tag = found.group()
        for chunk in state.interrupts:
            self._copy(self._outputs[chunk], at)
        divided = set(state.interrupts)
        for chunk, keep in state.starts:
            self._keep(self._outputs[chunk], keep, tag, at)
            divided.discard(chunk)
        for chunk in divided:
            self._outputs[chunk].write(_DIVIDER)
        self._open.append(tag)

    def _keep(self, output: Output, keep: Keep, tag: bytes, at: int) -> None:
        self._write_ancestors(output)
        if keep == Keep.TREE:
            output.subtrees += 1
        if tag.endswith(b"/>"):
            output.write(tag)
        elif keep == Keep.TREE:
            output.copied = self._base + at
        else:
            output.write(tag)
            output.opened += 1
            if keep == Keep.TEXT:
                output.copied = self._base + at + len(tag)

    def _write_ancestors(self, output: Output) -> None:
        for tag in self._open[output.opened :]:
            output.write(tag)
        output.opened = len(self._open)

    def _end(self, state: State) -> None:
        at = after = self._parser.CurrentByteIndex - self._base
        if not self._open.pop().endswith(b"/>"):
            after = self._window.index(b">", at) + 1
            for chunk, keep in state.starts:
                if keep != Keep.NODE:
                    self._copy(self._outputs[chunk], after if keep == Keep.TREE else at)
        for chunk in state.holds:
            output = self._outputs[chunk]
            if output.opened > len(self._open):
                output.write(self._window[at:after])
                output.opened = len(self._open)
        for chunk in state.interrupts:
            self._outputs[chunk].copied = self._base + after

    def _copy(self, output: Output, end: int) -> None:
        """Write what was being copied, up to `end`, and stop."""
        if output.copied is not None:
            output.write(self._window[output.copied - self._base : end])
            output.copied = None

    def _move_on(self) -> None:
        """Let go of what no later event can refer to."""
        done = self._parser.CurrentByteIndex - self._base
        if done > 0:
            for output in self._outputs:
                if output.copied is not None and output.copied < self._base + done:
                    self._copy(output, done)
                    output.copied = self._base + done
            self._window = self._window[done:]
            self._base += done
        if len(self._window) > MAX_STRETCH:
            raise DocumentError(f"more than {MAX_STRETCH:,} bytes without a tag")


def _doctype(name: str, system: str | None, public: str | None, internal: int) -> None:
    if internal:
        raise OwnDeclarations("has a DTD of its own, which chunks would lack")


def _skipped(name: str, is_parameter: bool) -> None:
    raise DocumentError(f"&{name}; is not defined in the document itself, and documents may load nothing")
