"""How fast engines are: generated NITF queries against documents, counts first, then times as ratios to bare parsing.

`cold` is the first pass over the documents and pays for every state that is made; `warm` the best of three more
passes; `warm_new` the same with remembered answers dropped before each document. Times include parsing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from lxml import etree

from broker_sim.engines import Engine, create_engine
from broker_sim.engines.lazy_dfa import LazyDfa
from broker_sim.workload import XPathParameters, generate_xpaths
from dtd_ads import Schema, load_schema

ENGINES: Final = ("lxml", "scan", "yfilter", "lazy-dfa", "xtrie", "xtrie-eager", "xfilter", "xfilter-lb")
"""What is measured; `xfilter-lb` is the engine `xfilter` with list balance."""

SLOW: Final = 10
"""How many documents are enough for engines whose cost grows with every query."""


@dataclass(frozen=True, slots=True)
class Row:
    """One engine with one number of queries; times are milliseconds a document."""

    engine: str
    queries: int
    documents: int
    matches: float
    states: int
    add_microseconds: float
    cold: float
    warm: float
    warm_new: float
    parsing: float

    @property
    def ratio(self) -> float:
        """Warm matching with parsing, in units of bare parsing."""
        return self.warm / self.parsing


def random_documents(schema: Schema, number: int, seed: int, depth: int = 8) -> list[bytes]:
    """Documents that are random walks over the schema: names nest as it allows, content models are not kept."""
    random = Random(seed)
    return [etree.tostring(_element(schema, schema.root, random, depth)) for _ in range(number)]


def measure(name: str, queries: int, documents: Sequence[bytes], seed: int) -> Row:
    """Add generated queries to a new engine and match the documents."""
    schema = load_schema("nitf")
    paths = list(generate_xpaths(schema, XPathParameters(number=queries, wildcard=0.1, descendant=0.1), seed))
    chosen = documents if name == "lazy-dfa" else documents[:SLOW]
    engine = new_engine(name)
    started = time.perf_counter()
    for id, path in enumerate(paths):
        engine.add(id, path)
    added = time.perf_counter() - started
    parsing = best(etree.fromstring, chosen)
    matches: list[int] = []
    cold = timed(lambda document: matches.append(len(engine.match(document))), chosen)
    warm = best(engine.match, chosen)
    return Row(
        engine=name,
        queries=queries,
        documents=len(chosen),
        matches=sum(matches) / len(chosen),
        states=len(engine.cache) if isinstance(engine, LazyDfa) else 0,
        add_microseconds=added / max(queries, 1) * 1e6,
        cold=cold,
        warm=warm,
        warm_new=best(engine.match_anew, chosen) if isinstance(engine, LazyDfa) else warm,
        parsing=parsing,
    )


def new_engine(name: str) -> Engine:
    """An engine by the name that it has in measurements."""
    return create_engine("xfilter", list_balance=True) if name == "xfilter-lb" else create_engine(name)


def best(work: Callable[[bytes], object], documents: Sequence[bytes]) -> float:
    """Milliseconds a document, the best of three passes."""
    return min(timed(work, documents) for _ in range(3))


def timed(work: Callable[[bytes], object], documents: Sequence[bytes]) -> float:
    """Milliseconds a document in one pass."""
    started = time.perf_counter()
    for document in documents:
        work(document)
    return (time.perf_counter() - started) / len(documents) * 1e3


def _element(schema: Schema, name: str, random: Random, depth: int) -> etree._Element:
    element = etree.Element(name)
    children = schema.children(name)
    if depth > 1 and children:
        for _ in range(random.randint(1, 3)):
            element.append(_element(schema, random.choice(children), random, depth - 1 - random.randrange(2)))
    return element
