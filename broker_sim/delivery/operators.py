"""The operators of post-processing, one class each.

Sections 3 and 4 of "Query Processing for High-Volume XML Message Brokering" (VLDB 2003). A plan is a pipeline on the
stream of the binding path; each operator takes the tuples that are left and gives those that stay, in their order. The
field of the bound element is the last of a binding tuple and has the same index in tuples of predicate and return
paths, since these begin with the binding path.

Scan and merge operators need streams ordered by the bound element, hash operators do not; `claims` says which is safe.
A scan or merge costs one pass over its streams, a hash operator one pass and a table on top of it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Final, Protocol

from broker_sim.delivery.groups import Column, Groups
from broker_sim.delivery.path_streams import PathTuple, Stream, Streams
from broker_sim.delivery.query import Condition, Navigation
from broker_sim.delivery.tree_search import TreeSearch
from broker_sim.delivery.value_tests import ReadyTest, Values
from broker_sim.engines.outline import Outline
from broker_sim.xpath import ValueTest

FieldTest = tuple[int, ValueTest]
"""A test on the element in one field of a tuple."""

_nothing: Final[Sequence[int]] = ()


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


class ScanDupElim:
    """Keep the first of tuples with equal key fields that follow each other."""

    kind = "DupElim"
    __slots__ = ("_first", "_last")

    def __init__(self, first: int, last: int) -> None:
        self._first, self._last = first, last

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


class HashDupElim:
    """Keep the first of all tuples with equal key fields."""

    kind = "DupElim"
    __slots__ = ("_first", "_last")

    def __init__(self, first: int, last: int) -> None:
        self._first, self._last = first, last

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


class _Semijoin:
    """Keep the binding tuples whose bound element occurs in the stream of a predicate path."""

    kind = "Semijoin"
    __slots__ = ("_field", "_path", "_selection")

    def __init__(self, path: int, field: int, selection: Operator | None) -> None:
        self._path, self._field, self._selection = path, field, selection

    def _right(self, message: Message) -> Stream:
        right = message.streams.get(self._path, ())
        return right if self._selection is None or not right else self._selection.apply(right, message)


class HashSemijoin(_Semijoin):
    """A table of the bound elements of the predicate path, probed by the binding tuples."""

    __slots__ = ()

    def apply(self, tuples: Stream, message: Message) -> Stream:
        field = self._field
        wanted = {places[field] for places in self._right(message)}
        return [places for places in tuples if places[-1] in wanted]


class MergeSemijoin(_Semijoin):
    """Both streams in step; the predicate path must be ordered by the bound element."""

    __slots__ = ()

    def apply(self, tuples: Stream, message: Message) -> Stream:
        field = self._field
        kept: list[PathTuple] = []
        right = iter(self._right(message))
        at = -1
        for places in tuples:
            bound = places[-1]
            while at < bound:
                after = next(right, None)
                if after is None:
                    return kept
                at = after[field]
            if at == bound:
                kept.append(places)
        return kept


class ReturnSelect:
    """One group for each tuple; each list is found by a tree search."""

    kind = "Return-Select"
    __slots__ = ("_searches",)

    def __init__(self, returns: Iterable[Navigation]) -> None:
        self._searches = tuple(map(TreeSearch, returns))

    def finish(self, tuples: Stream, message: Message) -> Groups:
        bound = [places[-1] for places in tuples]
        outline = message.outline
        columns = (tuple([list(search.find(outline, element)) for element in bound]) for search in self._searches)
        return Groups(bound, tuple(columns))


class ReturnStream:
    """A return path as an input of an outer join: its number, and what removes its duplicates, if anything must."""

    __slots__ = ("dup_elim", "path")

    def __init__(self, path: int, dup_elim: Operator | None) -> None:
        self.path, self.dup_elim = path, dup_elim

    def tuples(self, message: Message) -> Stream:
        """The stream of the path without duplicates."""
        stream = message.streams.get(self.path, ())
        return stream if self.dup_elim is None or not stream else self.dup_elim.apply(stream, message)


class _OuterJoinSelect(ABC):
    """Left outer joins of the binding tuples with each return path; a group keeps an empty list where none matches."""

    kind = "OuterJoin-Select"
    __slots__ = ("_field", "_inputs")

    def __init__(self, inputs: Iterable[ReturnStream], field: int) -> None:
        self._inputs, self._field = tuple(inputs), field

    def finish(self, tuples: Stream, message: Message) -> Groups:
        bound = [places[-1] for places in tuples]
        return Groups(bound, tuple([self._column(bound, one.tuples(message)) for one in self._inputs]))

    @abstractmethod
    def _column(self, bound: list[int], stream: Stream) -> Column:
        """The lists of one return path."""


class HashOuterJoinSelect(_OuterJoinSelect):
    """A table for each return path."""

    __slots__ = ()

    def _column(self, bound: list[int], stream: Stream) -> Column:
        table = group_by_hash(stream, self._field)
        return [table.get(element, _nothing) for element in bound]


class MergeOuterJoinSelect(_OuterJoinSelect):
    """All streams in step; each must be ordered by the bound element."""

    __slots__ = ()

    def _column(self, bound: list[int], stream: Stream) -> Column:
        field, end = self._field, len(stream)
        column: list[Sequence[int]] = []
        at = 0
        for element in bound:
            while at < end and stream[at][field] < element:
                at += 1
            found = []
            while at < end and stream[at][field] == element:
                found.append(stream[at][-1])
                at += 1
            column.append(found)
        return column


def group_by_hash(stream: Stream, field: int) -> dict[int, list[int]]:
    """The last elements of the tuples, by the element in a field; each list in the order of the stream."""
    table: dict[int, list[int]] = {}
    for places in stream:
        found = table.get(places[field])
        if found is None:
            table[places[field]] = [places[-1]]
        else:
            found.append(places[-1])
    return table
