"""Covering over some publications only: those of one schema, or those that are advertised.

The publications of a schema are the walks of its element graph from the root to an element that may end, of any length;
those of advertisements are the walks of their position automaton from a start to an accepting position. `first` covers
`second` here exactly if none of them is matched by `second` alone. We look for such a walk in the product of the graph
and the paths' automaton (`path_automaton`): a breadth-first search over pairs of a place and a state. A walk is given
up as soon as `first` accepts, for acceptance is for ever, or `second` no longer can. A place that any name fits is
tried with each name that a path mentions, and with one that none does: all others behave like that one.

Several paths on either side are taken as their union, so disjunctions are exact too. The cost is the number of places
times the states that arise, times the ways on from a place. Most pairs meet few states; in the worst case they are
exponential in the rigid wildcards of a path, as they are for any automaton of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from broker_sim.relations.path_automaton import PathAutomaton
from broker_sim.xpath import WILDCARD, Path
from dtd_ads import Schema
from dtd_ads.automaton import PositionAutomaton
from dtd_ads.positions import positions_in

Place = str | int
_State = tuple[Place, int, int]
_Origins = dict[_State, tuple[str, _State | None]]
"""For each state that was reached, the name read last and the state before."""


def schema_covers(first: Sequence[Path], second: Sequence[Path], schema: Schema) -> bool:
    """Whether each publication of `schema` that some path of `second` matches is matched by one of `first`."""
    return all(witness(first, path, schema) is None for path in second)


def witness(first: Sequence[Path], second: Path, publications: Schema | PositionAutomaton) -> tuple[str, ...] | None:
    """A shortest publication that `second` matches and no path of `first` does, if there is one."""
    ours, theirs = PathAutomaton([second]), PathAutomaton(first)
    walks: _Walks = (
        _ElementWalks(publications)
        if isinstance(publications, Schema)
        else _PositionWalks(publications, ours.names | theirs.names)
    )
    reached: _Origins = {}
    queue: list[_State] = []

    def reach(places: Iterable[Place], wanted: int, other: int, before: _State | None) -> None:
        for place in places:
            for name in walks.names(place):
                state = (place, ours.step(wanted, name), theirs.step(other, name))
                if state not in reached:
                    reached[state] = (name, before)
                    queue.append(state)

    reach(walks.starts(), ours.start, theirs.start, None)
    for state in queue:
        place, wanted, other = state
        if not wanted or theirs.accepted(other):
            continue
        if walks.may_end(place) and ours.accepted(wanted):
            return _walk(state, reached)
        reach(walks.onward(place), wanted, other, state)
    return None


class _Walks(Protocol):
    """A graph whose walks are publications."""

    def starts(self) -> Iterable[Place]: ...

    def onward(self, place: Place) -> Iterable[Place]: ...

    def names(self, place: Place) -> Sequence[str]: ...

    def may_end(self, place: Place) -> bool: ...


class _ElementWalks:
    """The element graph of a schema; a place is a name."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema

    def starts(self) -> Iterable[Place]:
        return (self._schema.root,)

    def onward(self, place: Place) -> Iterable[Place]:
        return self._schema.children(str(place))

    def names(self, place: Place) -> Sequence[str]:
        return (str(place),)

    def may_end(self, place: Place) -> bool:
        return self._schema.may_end(str(place))


class _PositionWalks:
    """The automaton of advertisements; a place is a position."""

    def __init__(self, automaton: PositionAutomaton, mentioned: Iterable[str]) -> None:
        self._automaton = automaton
        self._any = (*sorted(mentioned), WILDCARD)

    def starts(self) -> Iterable[Place]:
        return positions_in(self._automaton.start)

    def onward(self, place: Place) -> Iterable[Place]:
        return positions_in(self._automaton.successors[int(place)])

    def names(self, place: Place) -> Sequence[str]:
        label = self._automaton.labels[int(place)]
        return self._any if label == WILDCARD else (label,)

    def may_end(self, place: Place) -> bool:
        return bool(self._automaton.accept >> int(place) & 1)


def _walk(last: _State, reached: _Origins) -> tuple[str, ...]:
    names: list[str] = []
    state: _State | None = last
    while state is not None:
        name, state = reached[state]
        names.append(name)
    return tuple(reversed(names))
