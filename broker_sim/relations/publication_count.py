"""How many publications of a DTD match a set of linear paths: counted exactly, never enumerated.

The publications are the walks of the element graph from the root to an element that may end a path, of at most
`max_depth` elements. `PublicationCounter.count` is |P(s1) u .. u P(sn)| among them, by dynamic programming over
(element, state, elements left), where the state is a set of rests (`residuals`). Three things keep it cheap:

- Acceptance is for ever, so an accepted walk needs no more states: a table holds the completions of every element.
- A state whose rests all wait in a `//` for one name passes over whole walks: a table for each name holds the walks
  that meet it for the first time after k elements. It costs edges x max_depth once, for as long as the counter lives.
- States are values, so counts of one path serve every other path with the same end, and every union with it.

The numbers are Python integers: TEI has 7.7e14 paths of up to 10 elements, and deeper bounds pass any machine word.
A counter keeps at most `MAX_STATES` states; beyond that it forgets them all and starts again.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from broker_sim.errors import ConfigurationError
from broker_sim.relations.residuals import ACCEPTED, DEAD, Residuals, Steps
from dtd_ads import Schema

MAX_DEPTH: Final = 400
MAX_STATES: Final = 200_000
MAX_COUNTERS: Final = 16


class PublicationCounter:
    """Counts over the publications of `schema` with at most `max_depth` elements."""

    def __init__(self, schema: Schema, max_depth: int = 10) -> None:
        if not 1 <= max_depth <= MAX_DEPTH:
            raise ConfigurationError(f"max_depth must be from 1 to {MAX_DEPTH}, got {max_depth}")
        self.schema = schema
        self.max_depth = max_depth
        self._children = {name: schema.children(name) for name in schema.reachable}
        self._child_sets = {name: frozenset(children) for name, children in self._children.items()}
        self._completions = self._count_completions()
        self._first_meetings: dict[str, dict[str, tuple[int, ...]]] = {}
        self._forget()

    def count(self, paths: Iterable[Steps]) -> int:
        """How many publications match at least one of `paths`."""
        if len(self._residuals) > MAX_STATES:
            self._forget()
        state = self._residuals.step(self._residuals.start(paths), self.schema.root)
        return self._matching(state, self.schema.root, self.max_depth - 1)

    def _forget(self) -> None:
        self._residuals = Residuals()
        self._counts: dict[tuple[int, str, int], int] = {}

    def _count_completions(self) -> dict[str, list[int]]:
        """By element and elements left: the ways to go on from it to an end, the end right there included."""
        ends = {name: int(self.schema.may_end(name)) for name in self._children}
        completions = {name: [end] for name, end in ends.items()}
        for left in range(1, self.max_depth):
            for name, children in self._children.items():
                completions[name].append(ends[name] + sum(completions[child][left - 1] for child in children))
        return completions

    def _matching(self, state: int, element: str, left: int) -> int:
        """The publications that go on from `element`, just read into `state`, by at most `left` more elements."""
        if state == ACCEPTED:
            return self._completions[element][left]
        if state == DEAD or not left:
            return 0
        key = (state, element, left)
        found = self._counts.get(key)
        if found is None:
            self._residuals.expand(state)
            found = self._counts[key] = self._sum(state, element, left)
        return found

    def _sum(self, state: int, element: str, left: int) -> int:
        moves, other = self._residuals.moves[state], self._residuals.others[state]
        if other == DEAD:
            children = self._child_sets[element]
            return sum([self._matching(moves[name], name, left - 1) for name in moves if name in children])
        if other == state and len(moves) == 1:
            [(name, met)] = moves.items()
            ways = self._meetings(name).get(element, ())[:left]
            return sum([way * self._matching(met, name, left - k) for k, way in enumerate(ways, 1) if way])
        return sum([self._matching(moves.get(child, other), child, left - 1) for child in self._children[element]])

    def _meetings(self, name: str) -> dict[str, tuple[int, ...]]:
        """By element: the walks below it that meet `name` for the first time after 1, 2, .. elements."""
        known = self._first_meetings.get(name)
        if known is None:
            known = self._first_meetings[name] = self._count_meetings(name)
        return known

    def _count_meetings(self, name: str) -> dict[str, tuple[int, ...]]:
        last = {element: int(name in children) for element, children in self._child_sets.items()}
        columns = [last]
        for _ in range(self.max_depth - 2):
            last = {
                element: sum([last[child] for child in children if child != name])
                for element, children in self._children.items()
            }
            columns.append(last)
        return {element: tuple([column[element] for column in columns]) for element in self._children}


_counters: dict[tuple[int, int], PublicationCounter] = {}


def counter_of(schema: Schema, max_depth: int = 10) -> PublicationCounter:
    """The counter that all questions about this schema object share; the last few schemas are remembered."""
    key = (id(schema), max_depth)
    counter = _counters.pop(key, None)
    if counter is None:
        counter = PublicationCounter(schema, max_depth)
        if len(_counters) >= MAX_COUNTERS:
            del _counters[next(iter(_counters))]
    _counters[key] = counter
    return counter
