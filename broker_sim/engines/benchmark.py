"""How fast engines are: generated NITF queries against documents, counts first, then times as ratios to bare parsing.

`cold` is the first pass over the documents and pays for every state that is made; `warm` the best of three more
passes; `warm_new` the same with remembered answers dropped before each document. Times include parsing. They are
CPU time of this process, so that other work on the machine disturbs them less.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeVar

from lxml import etree

from broker_sim.engines import ENGINES as NAMES
from broker_sim.engines import Engine, create_engine
from broker_sim.engines.engine import loading
from broker_sim.engines.lazy_dfa import LazyDfa
from broker_sim.workload import DocumentParameters, XPathParameters, generate_documents, generate_xpaths
from broker_sim.xpath import Branch, Expression, Path, Predicate, Step
from dtd_ads import load_schema

ENGINES: Final = (*NAMES, "xfilter-lb")
"""What is measured: every engine as it comes, and as `xfilter-lb` the engine `xfilter` with list balance."""

SLOW: Final = 10
"""How many documents are enough for engines whose cost grows with every query."""

VALUES: Final = 20
"""From how many values texts and attributes are drawn."""

Item = TypeVar("Item")


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


def nitf_documents(number: int, seed: int) -> list[bytes]:
    """Valid documents of about seventy elements."""
    parameters = DocumentParameters(number=number, elements=70, max_value=VALUES)
    return list(generate_documents(load_schema("nitf"), parameters, seed))


def nitf_paths(number: int, seed: int) -> Iterator[Path]:
    """Distinct linear queries by YFilter's rule, W = DO = 0.1, L = 10."""
    return generate_xpaths(load_schema("nitf"), XPathParameters(number=number, wildcard=0.1, descendant=0.1), seed)


def nitf_patterns(number: int, seed: int, max_length: int) -> list[Path]:
    """Distinct queries by the same rule that have one nested path and one comparison each."""
    parameters = XPathParameters(
        number=1_000 * number,
        wildcard=0.1,
        descendant=0.1,
        max_length=max_length,
        predicates=1,
        branching=1 / max_length,
        max_value=VALUES,
    )
    return list(islice(filter(_one_of_each, generate_xpaths(load_schema("nitf"), parameters, seed)), number))


def measure(name: str, queries: int, documents: Sequence[bytes], seed: int) -> Row:
    """Add generated queries to a new engine and match the documents."""
    paths = list(nitf_paths(queries, seed))
    chosen = documents if name == "lazy-dfa" else documents[:SLOW]
    started = time.process_time()
    engine = filled(name, paths)
    added = time.process_time() - started
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


def filled(name: str, expressions: Iterable[Expression]) -> Engine:
    """A new engine with these subscriptions, numbered from 0."""
    engine = new_engine(name)
    with loading(engine):
        for id, expression in enumerate(expressions):
            engine.add(id, expression)
    return engine


def new_engine(name: str) -> Engine:
    """An engine by the name that it has in measurements."""
    return create_engine("xfilter", list_balance=True) if name == "xfilter-lb" else create_engine(name)


def best(work: Callable[[Item], object], items: Sequence[Item]) -> float:
    """Milliseconds an item, the best of three passes."""
    return min(timed(work, items) for _ in range(3))


def timed(work: Callable[[Item], object], items: Sequence[Item]) -> float:
    """Milliseconds an item in one pass."""
    started = time.process_time()
    for item in items:
        work(item)
    return (time.process_time() - started) / len(items) * 1e3


def _one_of_each(path: Path) -> bool:
    predicates = list(_predicates(path.steps))
    nested = [each for each in predicates if isinstance(each, Branch)]
    compared = [each for each in predicates if not isinstance(each, Branch) and each.operator is not None]
    return len(predicates) == 2 and len(nested) == len(compared) == 1


def _predicates(steps: Sequence[Step]) -> Iterator[Predicate]:
    for step in steps:
        for predicate in step.predicates:
            yield predicate
            if isinstance(predicate, Branch):
                yield from _predicates(predicate.steps)
