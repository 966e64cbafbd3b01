"""The engine of "XPath-Aware Chunking of XML-Documents" (Lehner, Irmert): for big documents.

A document is cut into chunks by the prefixes that subscriptions share; each query set is asked of its own chunk, by the
engine `inner` (`lxml` as in the paper, or any other). The parts are in `broker_sim.chunking`: rewriting by schema,
scheme, chunker, evaluation. What it gains depends on `inner`: an engine whose cost is (queries) x (size of the
document), as lxml's, gains much; one that reads a document once for all queries, as `lazy-dfa`, gains nothing but
processes.

With a `schema`, documents must nest as it says; one that does not is a `DocumentError`, since the rewritten queries
would not answer for it. Without one every document will do, but `*` and `//` at the start of a path leave it without a
prefix. A document that is parsed already, or that has a DTD of its own, is asked as a whole.

`chunks` is a number, or "auto": then it follows from an estimate (see `chunking.cost`) over the first document's sizes.
The scheme follows the subscriptions at the next document: the cost of a change is then one pass over all subscriptions,
and the engines of the chunks that changed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import IO, Final, Literal

from lxml import etree
from pyroaring import BitMap

from broker_sim.chunking.chunker import OwnDeclarations, split
from broker_sim.chunking.cost import Sizes, best_cuts, measure
from broker_sim.chunking.evaluation import Answer, Asked, Task, as_text, evaluate, prepare
from broker_sim.chunking.execution import Executor, Sequential
from broker_sim.chunking.preparation import Preparation
from broker_sim.chunking.projection import Projection
from broker_sim.chunking.scheme import Scheme
from broker_sim.chunking.transformation import Names
from broker_sim.engines import create_engine
from broker_sim.engines.documents import MAX_BYTES, Document, chain, parse
from broker_sim.engines.engine import require_known, require_new
from broker_sim.errors import ConfigurationError, DocumentError
from broker_sim.xpath import Expression
from dtd_ads import Schema, load_schema

CHUNKS: Final = 5
AUTO: Final = "auto"
POTPOURRI: Final = "potpourri"
"""The name of the whole document among the chunks, for priorities."""


class Chunked:
    """Subscriptions asked of chunks of a document."""

    def __init__(
        self,
        schema: Schema | str | None = None,
        chunks: int | Literal["auto"] = CHUNKS,
        inner: str = "lxml",
        executor: Executor | None = None,
        priorities: Mapping[str, int] | None = None,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        if chunks != AUTO and (not isinstance(chunks, int) or chunks < 0):
            raise ConfigurationError(f"chunks is {chunks!r}; expected a number or {AUTO!r}")
        if inner == "chunked":
            raise ConfigurationError("the inner engine is 'chunked' itself; expected another one")
        self.preparation = Preparation(load_schema(schema) if isinstance(schema, str) else schema)
        self._chunks = chunks
        self._inner = inner
        self._probe = create_engine(inner)
        self._executor = executor or Sequential()
        self._priorities = dict(priorities or {})
        self._max_bytes = max_bytes
        self._sizes: Sizes | None = None
        self._current: _Current | None = None

    def add(self, id: int, expression: Expression) -> None:
        """Subscribe, if the inner engine takes the expression; the scheme follows at the next document."""
        require_new(self.preparation.rewritten, id)
        self._probe.add(id, expression)
        self._probe.remove(id)
        self.preparation.add(id, expression)
        self._current = None

    def remove(self, id: int) -> None:
        """Unsubscribe; the scheme follows at the next document."""
        require_known(self.preparation.rewritten, id)
        self.preparation.remove(id)
        self._current = None

    def match(self, document: Document) -> BitMap:
        """The ids that any chunk finds."""
        return BitMap.union(BitMap(), *(BitMap(answer.ids) for answer in self.answers(document)))

    def match_path(self, names: Sequence[str]) -> BitMap:
        """The ids whose expression matches this chain of elements."""
        return self.match(chain(names))

    @property
    def scheme(self) -> Scheme:
        """The filtering scheme for the next document."""
        return self._prepared().scheme

    def prepare(self) -> None:
        """Do now what the next document would wait for: the scheme, and the engines of this process."""
        for queries in self._prepared().asked:
            prepare(self._inner, queries)

    def answers(self, document: Document, *, fragments: bool = False) -> Iterator[Answer]:
        """The answer of every chunk as it comes; with `fragments` also what each subscription found."""
        if isinstance(document, etree._Element | etree._ElementTree):
            yield from self._whole(self._prepared(), parse(document), fragments)
            return
        if self._chunks == AUTO and self._sizes is None:
            self.learn_sizes(document)
        current = self._prepared()
        try:
            tasks = self._tasks(current, document, fragments)
        except OwnDeclarations:
            yield from self._whole(current, parse(document, max_bytes=self._max_bytes), fragments)
            return
        yield from self._executor.run(self._ordered(current.scheme, tasks))

    def __len__(self) -> int:
        return len(self.preparation.rewritten)

    def __contains__(self, id: object) -> bool:
        return id in self.preparation.rewritten

    def learn_sizes(self, sample: bytes | str | os.PathLike[str]) -> None:
        """With `chunks` "auto": estimate from this document, not from the first that comes."""
        name = "document" if isinstance(sample, bytes) else os.fspath(sample)
        with _opened(sample) as source:
            self._sizes = measure(source, name)
        self._current = None

    def _prepared(self) -> _Current:
        if self._current is None:
            scheme = self.preparation.scheme(self._cuts())
            asked = tuple(map(as_text, scheme.query_sets))
            self._current = _Current(scheme, Projection(scheme.chunks, self.preparation.schema), asked)
        return self._current

    def _cuts(self) -> tuple[Names, ...]:
        if self._chunks != AUTO:
            return self.preparation.tree.cuts(self._chunks)
        if self._sizes is None:
            return ()
        return best_cuts(self.preparation.tree, self._sizes, self._inner, self._executor.workers)

    def _tasks(self, current: _Current, document: bytes | str | os.PathLike[str], fragments: bool) -> list[Task]:
        """Cut the document; a chunk without any of its subtrees has nothing to answer."""
        chunks: list[list[bytes]] = [[] for _ in current.scheme.chunks]
        name = "document" if isinstance(document, bytes) else os.fspath(document)
        with _opened(document) as source:
            subtrees = split(source, current.projection, [chunk.append for chunk in chunks], name)
            data = [b"".join(chunk) for chunk in chunks]
            if current.scheme.potpourri:
                source.seek(0)
                data.append(source.read(self._max_bytes + 1))
        answering = [number for number, count in enumerate([*subtrees, 1][: len(data)]) if count]
        return [self._task(current, number, data[number], fragments) for number in answering]

    def _task(self, current: _Current, number: int, data: bytes | etree._Element, fragments: bool) -> Task:
        return Task(number, data, current.asked[number], self._inner, fragments, self._max_bytes)

    def _whole(self, current: _Current, root: etree._Element, fragments: bool) -> Iterator[Answer]:
        current.projection.check(root)
        for number, queries in enumerate(current.asked):
            if queries:
                yield evaluate(self._task(current, number, root, fragments))

    def _ordered(self, scheme: Scheme, tasks: list[Task]) -> list[Task]:
        """By priority; else the cheapest first for early answers, or on several processes the dearest first."""
        sign = -1 if self._executor.workers > 1 else 1

        def rank(task: Task) -> tuple[int, int]:
            name = scheme.chunks[task.chunk].name if task.chunk < len(scheme.chunks) else POTPOURRI
            return -self._priorities.get(name, 0), sign * len(task.data) * len(task.queries)

        return sorted(tasks, key=rank)


@dataclass(frozen=True, slots=True)
class _Current:
    """A scheme, ready for documents."""

    scheme: Scheme
    projection: Projection
    asked: tuple[Asked, ...]


def _opened(document: bytes | str | os.PathLike[str]) -> IO[bytes]:
    if isinstance(document, bytes):
        return BytesIO(document)
    try:
        return Path(document).open("rb")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise DocumentError(f"cannot be read: {reason}", source=os.fspath(document)) from error
