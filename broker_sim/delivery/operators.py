"""The operators of post-processing, one class each.

Sections 3 and 4 of "Query Processing for High-Volume XML Message Brokering" (VLDB 2003). A plan is a pipeline on the
stream of the binding path; each operator takes the tuples that are left and gives those that stay, in their order. The
field of the bound element is the last of a binding tuple and has the same index in tuples of predicate and return
paths, since these begin with the binding path.

Scan and merge operators need streams ordered by the bound element, hash operators do not; `claims` says which is safe.
A scan or merge costs one pass over its streams, a hash operator one pass and a table on top of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from broker_sim.delivery.groups import Groups
from broker_sim.delivery.path_streams import PathTuple, Stream, Streams
from broker_sim.delivery.query import Condition
from broker_sim.delivery.tree_search import TreeSearch
from broker_sim.delivery.value_tests import ReadyTest, Values
from broker_sim.engines.outline import Outline
from broker_sim.xpath import ValueTest

FieldTest = tuple[int, ValueTest]
"""A test on the element in one field of a tuple."""


class Message:
    """A document in the making of its results: its elements, its values and the streams of the engine."""

    __slots__ = ("outline", "streams", "values")

    def __init__(self, outline: Outline, streams: Streams) -> None:
        self.outline = outline
        self.streams = streams
        self.values = Values(outline)


class Operator(Protocol):
    """One step of a pipeline on tuples."""

    kind: str

    def apply(self, tuples: Stream, message: Message) -> Stream:
        """The tuples that stay."""


class Last(Protocol):
    """The end of a pipeline: tuples become groups."""

    kind: str

    def finish(self, tuples: Stream, message: Message) -> Groups:
        """One group for each tuple."""


class Selection:
    """Keep the tuples at which all simple predicates hold."""

    kind = "Selection"
    __slots__ = ("_tests",)

    def __init__(self, tests: Iterable[FieldTest]) -> None:
        self._tests = tuple((field, ReadyTest(test)) for field, test in tests)

    def apply(self, tuples: Stream, message: Message) -> Stream:
        for field, test in self._tests:
            passing = test.passing(message.values, [places[field] for places in tuples])
            tuples = [places for places in tuples if places[field] in passing]
        return tuples


class _DupElim:
    """The key fields of tuples that count as equal."""

    kind = "DupElim"
    __slots__ = ("_first", "_last")

    def __init__(self, first: int, last: int) -> None:
        self._first, self._last = first, last


class ScanDupElim(_DupElim):
    """Keep the first of tuples with equal key fields that follow each other."""

    __slots__ = ()

    def apply(self, tuples: Stream, message: Message) -> Stream:
        first, last = self._first, self._last
        kept: list[PathTuple] = []
        before = (-1, -1)
        for places in tuples:
            key = (places[first], places[last])
            if key != before:
                kept.append(places)
                before = key
        return kept


class HashDupElim(_DupElim):
    """Keep the first of all tuples with equal key fields."""

    __slots__ = ()

    def apply(self, tuples: Stream, message: Message) -> Stream:
        first, last = self._first, self._last
        kept: dict[tuple[int, int], PathTuple] = {}
        for places in tuples:
            kept.setdefault((places[first], places[last]), places)
        return list(kept.values())


class WhereFilter:
    """Keep the tuples whose bound element passes every condition, each decided by a tree search."""

    kind = "Where-Filter"
    __slots__ = ("_conditions",)

    def __init__(self, conditions: Iterable[Condition]) -> None:
        self._conditions = tuple((TreeSearch(one.steps), tuple(map(ReadyTest, one.tests))) for one in conditions)

    def apply(self, tuples: Stream, message: Message) -> Stream:
        for search, tests in self._conditions:
            tuples = [places for places in tuples if _some(search, tests, places[-1], message)]
        return tuples


def _some(search: TreeSearch, tests: tuple[ReadyTest, ...], bound: int, message: Message) -> bool:
    values = message.values
    return any(all(test.holds(values, found) for test in tests) for found in search.find(message.outline, bound))
