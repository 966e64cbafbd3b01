"""FILTERTOOL: one chunk with its queries, on any engine, in any process.

A `Task` carries all that evaluating needs, as text and bytes, so it can be sent to another process or machine as it is.
Engines are made from the queries and kept, for the next document brings the same queries: at most `ENGINES` in a
process, the ones used last.

What a matching subscription found can be returned as well: the elements at which its path ends, serialised. The engine
says which subscriptions match, then libxml2 selects the elements of those only.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final, cast

from lxml import etree

from broker_sim.chunking.scheme import Queries
from broker_sim.engines import Engine, create_engine
from broker_sim.engines.documents import MAX_BYTES, parse
from broker_sim.engines.lxml_engine import selecting
from broker_sim.xpath import Expression, disjunction, parse_xpath

ENGINES: Final = 64

Texts = tuple[str, ...]
Asked = tuple[tuple[int, Texts, Texts], ...]
"""Queries as text: subscription, the paths to ask and the paths to find."""


@dataclass(frozen=True, slots=True)
class Task:
    """A chunk and what to ask of it; a document that is parsed already stays in its process."""

    chunk: int
    data: bytes | etree._Element
    queries: Asked
    inner: str
    fragments: bool = False
    max_bytes: int = MAX_BYTES


@dataclass(frozen=True, slots=True)
class Answer:
    """The matching subscriptions of a chunk, what they found if asked for, and the processor seconds."""

    chunk: int
    ids: tuple[int, ...]
    seconds: float
    fragments: dict[int, tuple[bytes, ...]] = field(default_factory=dict)


def as_text(queries: Queries) -> Asked:
    """Queries in the form that a task carries."""
    return tuple((id, _texts(query.asked), _texts(query.found)) for id, query in queries.items())


def evaluate(task: Task) -> Answer:
    """Ask the queries of the chunk; raises `DocumentError`."""
    started = time.process_time()
    prepared = prepare(task.inner, task.queries)
    root = parse(task.data, max_bytes=task.max_bytes)
    ids = tuple(prepared.engine.match(root))
    fragments = {id: prepared.found(id, root) for id in ids} if task.fragments else {}
    return Answer(task.chunk, ids, time.process_time() - started, fragments)


class Prepared:
    """The engine of one query set, and the selections made so far."""

    def __init__(self, inner: str, queries: Asked) -> None:
        self.engine: Engine = create_engine(inner)
        self._found = {id: found for id, _, found in queries}
        for id, asked, _ in queries:
            self.engine.add(id, _expression(asked))
        self._selecting: dict[int, list[etree.XPath]] = {}

    def found(self, id: int, root: etree._Element) -> tuple[bytes, ...]:
        """The elements that a subscription selects, each once; those of one path in document order."""
        select = self._selecting.get(id)
        if select is None:
            select = self._selecting[id] = selecting(_expression(self._found[id]))
        elements = dict.fromkeys(element for path in select for element in cast("list[etree._Element]", path(root)))
        return tuple(etree.tostring(element, with_tail=False) for element in elements)


def _texts(expression: Expression) -> Texts:
    return tuple(map(str, expression.disjuncts))


def _expression(texts: Texts) -> Expression:
    return disjunction({path for text in texts for path in parse_xpath(text).disjuncts})


_engines: OrderedDict[tuple[str, Asked], Prepared] = OrderedDict()


def prepare(inner: str, queries: Asked) -> Prepared:
    """The engine for a query set, made unless this process has it."""
    key = (inner, queries)
    prepared = _engines.pop(key, None) or Prepared(inner, queries)
    _engines[key] = prepared
    while len(_engines) > ENGINES:
        _engines.popitem(last=False)
    return prepared
