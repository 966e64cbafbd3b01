"""The states of the lazy automaton: made when a document first needs them, kept within bounds, patched by changes.

A state stands for a set of states of the shared automaton (see `nfa`) and remembers where the names seen so far lead.
Names that no path asks for share one transition, so that foreign documents cannot fill the memory.

Bounds are on the number of states and on their bytes, estimated from the sizes of their bitmaps and transitions.
When one is reached, the states that can no longer be reached from the start are dropped; if that does not free half,
all are. Documents under way do not notice: a state that was dropped still knows its set and finds its way back.

A new path is a way through states that were there and then a chain of new ones. Only states that contain the last old
one are touched: where a transition would now lead to the first new one too, its target is exchanged for a copy that
has it, with all the transitions that the new state does not change. A path that goes is struck from the states that
accept it; the states that it leaves behind in the sets have no edges any more and do no harm.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pyroaring import BitMap, FrozenBitMap

from broker_sim.engines.nfa import LOOP, SharedNfa
from broker_sim.xpath import WILDCARD

OTHER: Final = ""
"""Stands for every name that no path asks for."""

_STATE_BYTES: Final = 600
_TRANSITION_BYTES: Final = 100


class DfaState:
    """Transitions by name; `ids` are the subscriptions and `parts` the pattern parts that match where it is reached."""

    __slots__ = ("ids", "parts", "states", "to")

    def __init__(self, states: FrozenBitMap, ids: BitMap, parts: BitMap) -> None:
        self.states = states
        self.ids = ids
        self.parts = parts
        self.to: dict[str, DfaState] = {}

    def accept(self, number: int) -> None:
        """Add a subscription, or the complement of a part."""
        if number >= 0:
            self.ids.add(number)
        else:
            self.parts.add(~number)

    def bytes(self) -> int:
        """Roughly what it takes in memory."""
        members = len(self.states) + len(self.ids) + len(self.parts)
        return _STATE_BYTES + 4 * members + _TRANSITION_BYTES * len(self.to)


@dataclass(frozen=True, slots=True)
class _Tail:
    """The new end of a path: `labels` lead from the first of `way`, which is old, through the rest, which is new."""

    number: int
    labels: Sequence[str]
    way: Sequence[int]

    @property
    def entered(self) -> list[int]:
        """The new states that are active as soon as the first label is read."""
        return list(self.way[1:3] if self.labels[1:2] == [LOOP] else self.way[1:2])

    def unchanged(self, transitions: dict[str, DfaState]) -> dict[str, DfaState]:
        """Those of the transitions that `entered` do not change."""
        if len(self.labels) == 1:
            return dict(transitions)
        if self.labels[1] in (LOOP, WILDCARD):
            return {}
        return {name: target for name, target in transitions.items() if name != self.labels[1]}


class DfaCache:
    """The known states, by the sets they stand for."""

    def __init__(self, nfa: SharedNfa, max_states: int, max_bytes: int) -> None:
        self._nfa: Final = nfa
        self._max_states: Final = max_states
        self._max_bytes: Final = max_bytes
        self._known: dict[FrozenBitMap, DfaState] = {}
        self._start: DfaState | None = None
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._known)

    def __iter__(self) -> Iterator[DfaState]:
        return iter(self._known.values())

    @property
    def bytes(self) -> int:
        """Roughly what the states take in memory."""
        return self._bytes

    @property
    def start(self) -> DfaState:
        """The state before the root element."""
        if self._start is None:
            self._start = self._state(FrozenBitMap(self._nfa.start()))
        return self._start

    def step(self, state: DfaState, name: str) -> DfaState:
        """The state to which a name leads that `state` has no transition for yet."""
        if not self._nfa.asks_for(name):
            other = state.to.get(OTHER)
            if other is not None:
                return other
            name = OTHER
        target = self._state(FrozenBitMap(self._nfa.step(state.states, name)))
        state.to[name] = target
        self._bytes += _TRANSITION_BYTES
        return target

    def flush(self) -> None:
        """Forget every state."""
        for state in self._known.values():
            state.to.clear()
        self._known.clear()
        self._start = None
        self._bytes = 0

    def extend(self, number: int, labels: Sequence[str], way: Sequence[int], known: int) -> list[DfaState]:
        """Take up a path of which the first `known` labels had states before; `way` is its states, the root first.

        Returns the states that accept it from now on and are otherwise as they were.
        """
        last_old = way[known]
        touched = [state for state in self._known.values() if last_old in state.states]
        if known == len(labels):
            for state in touched:
                state.accept(number)
            return touched
        if labels[known] == LOOP:
            for state in touched:
                self._enter_loop(state, way[known + 1])
        else:
            self._widen(touched, _Tail(number, labels[known:], way[known:]))
        return []

    def forget(self, number: int, end: int) -> list[DfaState]:
        """Strike a path that ends at the state `end` of the shared automaton; returns the states that accepted it."""
        touched = [state for state in self._known.values() if end in state.states]
        for state in touched:
            (state.ids if number >= 0 else state.parts).discard(number if number >= 0 else ~number)
        return touched

    def _state(self, states: FrozenBitMap) -> DfaState:
        found = self._known.get(states)
        if found is None:
            numbers = self._nfa.numbers(states)
            parts = [~number for number in numbers if number < 0]
            ids = [number for number in numbers if number >= 0] if parts else numbers
            found = self._keep(DfaState(states, BitMap(ids), BitMap(parts) if parts else BitMap()))
        return found

    def _keep(self, state: DfaState) -> DfaState:
        if len(self._known) >= self._max_states or self._bytes >= self._max_bytes:
            self._make_room()
        self._known[state.states] = state
        self._bytes += state.bytes()
        return state

    def _make_room(self) -> None:
        """Drop what cannot be reached; if that is less than half, drop all."""
        kept = self._reachable()
        room = sum(state.bytes() for state in kept)
        if not kept or 2 * len(kept) > self._max_states or 2 * room > self._max_bytes:
            self.flush()
            return
        for state in self._known.values():
            if state not in kept:
                state.to.clear()
        self._known = {state.states: state for state in kept}
        self._bytes = room

    def _reachable(self) -> set[DfaState]:
        found = set() if self._start is None else {self._start}
        waiting = list(found)
        while waiting:
            for target in waiting.pop().to.values():
                if target not in found:
                    found.add(target)
                    waiting.append(target)
        return found

    def _enter_loop(self, state: DfaState, loop: int) -> None:
        """A state's own set grows by a new loop, and everything below it changes."""
        del self._known[state.states]
        state.states = FrozenBitMap(state.states | BitMap((loop,)))
        state.to.clear()
        self._known[state.states] = state

    def _widen(self, touched: list[DfaState], tail: _Tail) -> None:
        """Exchange the targets of the touched states, and of the copies that are touched as well."""
        old, first = tail.way[0], tail.way[1]
        label = tail.labels[0]
        while touched:
            state = touched.pop()
            for name in list(state.to) if label == WILDCARD else [label]:
                target = state.to.get(name)
                if target is None or first in target.states:
                    continue
                states = FrozenBitMap(target.states | BitMap(tail.entered))
                wider = self._known.get(states)
                if wider is None:
                    wider = self._copy(target, states, tail)
                    if old in states:
                        touched.append(wider)
                state.to[name] = wider

    def _copy(self, state: DfaState, states: FrozenBitMap, tail: _Tail) -> DfaState:
        found = DfaState(states, state.ids.copy(), state.parts.copy())
        if len(tail.labels) == 1:
            found.accept(tail.number)
        self._keep(found)
        # Only now: making room may have cleared the transitions, and then they must not survive in the copy.
        found.to = tail.unchanged(state.to)
        self._bytes += _TRANSITION_BYTES * len(found.to)
        return found
