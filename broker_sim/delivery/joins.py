"""The operators that bring streams together: semijoins with predicate paths, and what makes groups.

Sections 3 and 4 of "Query Processing for High-Volume XML Message Brokering" (VLDB 2003). Merge operators go through
both streams in step and need them ordered by the bound element; hash operators make a table first. OuterJoin-Select and
the tree search of Return-Select end a plan: each binding tuple becomes a group.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Final

from broker_sim.delivery.groups import Column, Groups
from broker_sim.delivery.operators import Message, Operator
from broker_sim.delivery.path_streams import PathTuple, Stream
from broker_sim.delivery.query import Navigation
from broker_sim.delivery.tree_search import TreeSearch

_nothing: Final[Sequence[int]] = ()


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
