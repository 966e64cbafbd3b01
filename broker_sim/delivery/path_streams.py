"""The shared path matching engine: YFilter's automaton, run for streams of path-tuples.

Section 2.3 of "Query Processing for High-Volume XML Message Brokering" (VLDB 2003): for each navigation path the engine
delivers a stream of path-tuples, one for each way in which the path matches, with one element for each step; a stream
is ordered by the last element. Elements are their numbers in document order.

`YFilter.path_tuples` finds the tuples of a path by climbing from its last element, for each path anew. With thousands
of paths of common prefixes that repeats most of the work, so here the tuples grow on the way down, next to the active
states of the same automaton (`SharedNfa`): a state holds the tuples of its prefix that end at the open element, a loop
those that end at any open element. Which states lead to which at an element depends on the names above it only, and is
remembered as in a lazy automaton, at most `MAX_MOVES` moves. A document then costs one list for each element and each
state reached there, and one small tuple for each match of a path or of a prefix of one: what the streams themselves
need, whatever the number of queries.

Equal paths are one path with one number, however many queries use it. A path with several `//` can match a deep
recursive document in exponentially many ways; beyond `MAX_TUPLES` the engine gives up, and `by_search` answers instead.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from pyroaring import BitMap, FrozenBitMap

from broker_sim.delivery.query import Navigation
from broker_sim.engines.nfa import ROOT, SharedNfa, labels_of
from broker_sim.engines.outline import Outline

MAX_MOVES: Final = 20_000
"""How many moves are remembered before all are forgotten."""

MAX_TUPLES: Final = 1_000_000
"""How many tuples a document may have, beyond four for each element and state."""

PathTuple = tuple[int, ...]
Stream = Sequence[PathTuple]
Streams = Mapping[int, Stream]


_Held = dict[int, list[PathTuple]]
"""The tuples that a state holds."""

_Growth = tuple[int, bool, int, int | None]
"""Tuples at a state, a loop or not, grow by one element: the state they reach, and the path that ends there."""

_Ending = tuple[int, bool, int]
"""The same where only the path that ends matters."""


@dataclass(slots=True, eq=False)
class _Place:
    """The states that are active at an element, and the moves that were made from here."""

    active: FrozenBitMap
    moves: dict[str, _Move] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Move:
    """What happens at an element: growth, the loops that it enters from which states, and growth that ends a path."""

    place: _Place
    growth: tuple[_Growth, ...]
    loops: tuple[tuple[int, int], ...]
    ending: tuple[_Ending, ...]


class TooManyTuples(Exception):
    """A path matches a document in more ways than can be written down."""


class PathStreams:
    """Navigation paths in, their streams out; a path is held as often as it was added."""

    def __init__(self, max_moves: int = MAX_MOVES) -> None:
        self._max_moves = max_moves
        self._nfa = SharedNfa()
        self._numbers: dict[Navigation, int] = {}
        self._paths: dict[int, tuple[Navigation, int]] = {}
        self._users: dict[int, int] = {}
        self._next = 0
        self._places: dict[FrozenBitMap, _Place] = {}
        self.remembered = 0

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def states(self) -> int:
        """The states of the automaton."""
        return len(self._nfa)

    def add(self, steps: Navigation) -> int:
        """The number of a path, which is held once more."""
        number = self._numbers.get(steps)
        if number is None:
            number = self._numbers[steps] = self._next
            self._next += 1
            way, _ = self._nfa.add(number, labels_of(steps))
            self._paths[number] = (steps, way[-1])
            self._users[number] = 0
            self._forget()
        self._users[number] += 1
        return number

    def release(self, number: int) -> None:
        """Hold a path once less; the last release forgets it."""
        self._users[number] -= 1
        if not self._users[number]:
            steps, state = self._paths.pop(number)
            del self._users[number], self._numbers[steps]
            self._nfa.remove(number, state)
            self._forget()
            self._nfa.recycle()

    def streams(self, outline: Outline) -> Streams:
        """The streams of all paths that match, by number; raises `TooManyTuples`."""
        if self.remembered > self._max_moves:
            self._forget()
        return _Run(self, outline).streams()

    def start(self) -> _Place:
        """Where a document begins."""
        return self._place(self._nfa.start())

    def move(self, place: _Place, name: str) -> _Move:
        """The move that an element of this name makes, not yet remembered."""
        growth = tuple(self._growth(source, target) for source, target in self._nfa.moves(place.active, name))
        after_each = ((target, self._nfa.loop_after(target)) for _, _, target, _ in growth)
        loops = tuple((target, loop) for target, loop in after_each if loop is not None)
        ending = tuple((source, from_loop, number) for source, from_loop, _, number in growth if number is not None)
        after = self._place(self._nfa.step(place.active, name))
        move = place.moves[name] = _Move(after, growth, loops, ending)
        self.remembered += 1
        return move

    def initial_loop(self) -> int | None:
        """The loop that is active before the root element."""
        return self._nfa.loop_after(ROOT)

    def _growth(self, source: int, target: int) -> _Growth:
        numbers = self._nfa.numbers(BitMap((target,)))
        return source, self._nfa.is_loop(source), target, numbers[0] if numbers else None

    def _place(self, active: BitMap) -> _Place:
        frozen = FrozenBitMap(active)
        place = self._places.get(frozen)
        if place is None:
            place = self._places[frozen] = _Place(frozen)
        return place

    def _forget(self) -> None:
        self._places.clear()
        self.remembered = 0


class _Run:
    """One document."""

    def __init__(self, engine: PathStreams, outline: Outline) -> None:
        self._engine = engine
        self._outline = outline
        self._streams: _Held = {}
        self._loops: _Held = {}
        self._left = MAX_TUPLES + 4 * len(outline) * engine.states

    def streams(self) -> Streams:
        outline, last = self._outline, self._outline.last
        loops = self._loops
        first = self._engine.initial_loop()
        if first is not None:
            loops[first] = [()]
        start: _Held = {ROOT: [()]}
        stack: list[tuple[int, _Place, _Held, Collection[tuple[int, int]]]] = [(-1, self._engine.start(), start, ())]
        for element, (name, parent) in enumerate(zip(outline.names, outline.parents, strict=True)):
            while stack[-1][0] != parent:
                for loop, length in stack.pop()[3]:
                    del loops[loop][length:]
            _, place, held, _ = stack[-1]
            move = place.moves.get(name) or self._engine.move(place, name)
            if last[element] == element:
                self._end(move, held, element)
            else:
                stack.append((element, move.place, *self._grow(move, held, element)))
        return self._streams

    def _end(self, move: _Move, held: _Held, element: int) -> None:
        """An element without children: only paths that end here matter."""
        loops, streams, added = self._loops, self._streams, (element,)
        for source, from_loop, number in move.ending:
            grown = [places + added for places in (loops if from_loop else held)[source]]
            self._count(grown)
            if number in streams:
                streams[number] += grown
            else:
                streams[number] = grown

    def _grow(self, move: _Move, held: _Held, element: int) -> tuple[_Held, list[tuple[int, int]]]:
        """What the states hold at this element, and how much the loops held before it."""
        loops, streams, added = self._loops, self._streams, (element,)
        here: _Held = {}
        for source, from_loop, target, number in move.growth:
            here[target] = grown = [places + added for places in (loops if from_loop else held)[source]]
            self._count(grown)
            if number is not None:
                streams.setdefault(number, []).extend(grown)
        opened: list[tuple[int, int]] = []
        for state, loop in move.loops:
            before = loops.setdefault(loop, [])
            opened.append((loop, len(before)))
            before += here[state]
        return here, opened

    def _count(self, grown: list[PathTuple]) -> None:
        self._left -= len(grown)
        if self._left < 0:
            raise TooManyTuples
