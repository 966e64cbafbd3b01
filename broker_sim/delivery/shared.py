"""Shared post-processing: one plan for all queries, which grows and shrinks with them.

Section 5 of "Query Processing for High-Volume XML Message Brokering" (VLDB 2003), on PathSharing-FWR: shared joins with
shared selections above them (`shared_join`), shared GroupBys (`group_by`) and tuple lists between operators
(`tuple_lists`). A new query looks for each operator that it needs and makes what is missing; a query that goes takes
with it what it alone needed. Both cost the size of the query, whatever the number of others.

Where we go beyond the paper:

- It shares joins of queries with one predicate path only. A query with several takes the tuple list of each, and keeps
  the bound elements that all hold. Each predicate path restricts the bound elements on its own, so this is exact.
- Any number of simple predicates may share a selection, not one for each path.
- The paper does not share outer joins. Here plans with the same bound elements in a document share the lists of each
  return path they have in common, and plans that also have the same return paths share their result.

A document costs the joins and selections, which grow with the number of distinct paths and not of queries, the distinct
outer joins, and a look at each plan with a result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Final

from broker_sim.delivery.claims import Claims
from broker_sim.delivery.group_by import GroupBy
from broker_sim.delivery.groups import Column, Groups
from broker_sim.delivery.operators import Message
from broker_sim.delivery.path_streams import PathStreams
from broker_sim.delivery.prepared import Prepared
from broker_sim.delivery.profile import Profile
from broker_sim.delivery.query import Navigation
from broker_sim.delivery.shared_join import Constants, SharedJoin, Signature, signature_of
from broker_sim.delivery.tuple_lists import Returns, TupleList

_Part = tuple[SharedJoin, Signature, Constants]
"""Where one predicate path of a query is decided."""

_nothing: Final[Iterator[Sequence[int]]] = repeat(())
"""The list of a bound element without matches, as often as it is needed."""


class SharedPlans:
    """The shared plan of all queries."""

    def __init__(self, engine: PathStreams, claims: Claims | None, profile: Profile) -> None:
        self._engine: Final = engine
        self._claims: Final = claims
        self._profile: Final = profile
        self._group_bys: dict[tuple[Navigation, int], GroupBy] = {}
        self._joins: dict[tuple[GroupBy, GroupBy | None], SharedJoin] = {}
        self._keys: dict[GroupBy, tuple[Navigation, int]] = {}
        self._plans = 0

    def add(self, id: int, query: Prepared) -> None:
        """Take up a query."""
        lists = [join.output(signature, constants) for join, signature, constants in self._parts(query)]
        returns = self._returns(query)
        if _end_of(lists).enter(id, returns):
            self._plans += 1
            for group_by in returns:
                group_by.users += 1

    def remove(self, id: int, query: Prepared) -> None:
        """Forget a query, and every operator that only it needed."""
        parts = self._parts(query)
        lists = [join.output(signature, constants) for join, signature, constants in parts]
        returns = self._returns(query)
        end = _end_of(lists)
        if end.leave(id, returns):
            self._plans -= 1
            for group_by in returns:
                self._release(group_by)
        if len(lists) > 1 and not end.used:
            lists[0].part(tuple(lists[1:]))
        for (join, signature, constants), output in zip(parts, lists, strict=True):
            if not output.used:
                self._discard(join, signature, constants)

    def run(self, message: Message) -> dict[int, Groups]:
        """The groups of every query that has any."""
        filled: list[TupleList] = []
        try:
            self._fill(message, filled)
            with self._profile.time("OuterJoin-Select"):
                return _outer_joins(filled, message)
        finally:
            for output in filled:
                output.bound = []

    def _fill(self, message: Message, filled: list[TupleList]) -> None:
        """Run joins, selections and intersections; enters each tuple list that holds anything in `filled`."""
        time, streams = self._profile.time, message.streams
        with time("Join"):
            alive = [join for join in self._joins.values() if (join.found or join.binding).path in streams]
            joined = [(join, join.joined(message)) for join in alive]
        with time("Selection"):
            for join, table in joined:
                join.select(table, message, filled)
        with time("Intersection"):
            filled += _meetings(filled)

    def __len__(self) -> int:
        return self._plans

    def operators(self) -> Counter[str]:
        """How many shared operators of which kind there are."""
        counted: Counter[str] = Counter()
        for join in self._joins.values():
            if join.found is not None:
                counted[f"Shared join {'merge' if join.found.ordered else 'hash'}"] += 1
            counted["Shared selection"] += len(join.selections)
            counted["Tuple list"] += sum(map(len, join.selections.values()))
        for group_by in self._group_bys.values():
            counted[f"GroupBy {'scan' if group_by.ordered else 'hash'}"] += 1
        counted["OuterJoin-Select"] = self._plans
        return +counted

    def _parts(self, query: Prepared) -> list[_Part]:
        """The selections of a query: one for each predicate path, the first with the tests on the binding path."""
        if not query.conditions:
            return [(self._join(query, None), *signature_of(query.tests, ()))]
        parts = [
            (self._join(query, condition.steps), *signature_of(() if place else query.tests, condition.tests))
            for place, condition in enumerate(query.conditions)
        ]
        return list(dict.fromkeys(parts))

    def _join(self, query: Prepared, steps: Navigation | None) -> SharedJoin:
        binding = self._group_by(query, ())
        found = None if steps is None else self._group_by(query, steps)
        join = self._joins.get((binding, found))
        if join is None:
            join = self._joins[binding, found] = SharedJoin(binding, found)
            for group_by in join.inputs:
                group_by.users += 1
        return join

    def _returns(self, query: Prepared) -> Returns:
        return tuple([self._group_by(query, steps) for steps in query.returns])

    def _group_by(self, query: Prepared, steps: Navigation) -> GroupBy:
        path = query.binding + steps
        group_by = self._group_bys.get((path, query.field))
        if group_by is None:
            claims = self._claims
            group_by = self._group_bys[path, query.field] = GroupBy(
                self._engine.add(path),
                query.field,
                ordered=not steps or (claims is not None and claims.ordered(path, query.field)),
                distinct=claims is not None and claims.distinct_pairs(path, query.field),
                profile=self._profile,
            )
            self._keys[group_by] = (path, query.field)
        return group_by

    def _discard(self, join: SharedJoin, signature: Signature, constants: Constants) -> None:
        join.discard(signature, constants)
        if not join.selections:
            del self._joins[join.binding, join.found]
            for group_by in join.inputs:
                self._release(group_by)

    def _release(self, group_by: GroupBy) -> None:
        """One reader less; without any the GroupBy goes, and its path with it."""
        group_by.users -= 1
        if not group_by.users:
            del self._group_bys[self._keys.pop(group_by)]
            self._engine.release(group_by.path)


def _end_of(lists: list[TupleList]) -> TupleList:
    """Where a query ends that reads these lists."""
    return lists[0].meeting(tuple(lists[1:])) if len(lists) > 1 else lists[0]


def _meetings(filled: list[TupleList]) -> list[TupleList]:
    """The meetings that have any elements."""
    found: list[TupleList] = []
    for first in filled:
        for others, met in first.meetings.items():
            if all(other.bound for other in others):
                met.bound = first.meet(others)
                if met.bound:
                    found.append(met)
    return found


def _outer_joins(ends: list[TupleList], message: Message) -> dict[int, Groups]:
    """For each plan that ends at one of the lists, its groups; equal outer joins are made once."""
    found: dict[int, Groups] = {}
    made: dict[tuple[int, ...], tuple[_Columns, dict[Returns, Groups]]] = {}
    for end in ends:
        key = tuple(end.bound)
        if key not in made:
            made[key] = _Columns(end.bound, message), {}
        columns, known = made[key]
        column = columns.__getitem__
        for returns, ids in end.plans.items():
            groups = known.get(returns)
            if groups is None:
                groups = known[returns] = Groups(columns.bound, tuple(map(column, returns)))
            for id in ids:
                found[id] = groups
    return found


class _Columns(dict[GroupBy, Column]):
    """The columns of some bound elements, made when first asked for."""

    def __init__(self, bound: list[int], message: Message) -> None:
        super().__init__()
        self.bound = bound
        self._message = message

    def __missing__(self, group_by: GroupBy) -> Column:
        table = group_by.table(self._message)
        column = self[group_by] = list(map(table.get, self.bound, _nothing))
        return column
