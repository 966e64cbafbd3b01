"""The shared automaton: all paths in one trie of steps, as YFilter keeps them.

YFilter, as summed up in section 2 of "Query Processing for High-Volume XML Message Brokering" (VLDB 2003), turns all
paths into one nondeterministic automaton in which paths share their common prefixes. Here the automaton is a trie
whose edges are labelled: a name, `*` for any name, or `//` for the silent move to a *loop*, a state that stays active
below the element at which it was entered. So `/a//b` is the labels `a`, `//`, `b`. A state is a number; a path is
recorded, under a number of its owner's choice, at the state where its labels end.

The trie changes with subscriptions and never with documents. Next to the edges it keeps, for each label, the
bitmap of the states with such an edge: a set of states then takes a step by one intersection and a look at each hit,
and states that have no edge of the name cost nothing (where YFilter probes every active state).

Adding or removing a path costs its length. States that fall away keep their number until `recycle`, so that
a cache built on the numbers stays sound.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from pyroaring import AbstractBitMap, BitMap

from broker_sim.xpath import DESCENDANT, WILDCARD, Step

LOOP: Final = "//"
"""The label of a silent move to a state that stays active."""

ROOT: Final = 0

_no_edges: Final[dict[str, int]] = {}
_no_states: Final = BitMap()


def labels_of(steps: Iterable[Step]) -> list[str]:
    """The labels that the steps of a linear path write; predicates are not looked at."""
    found: list[str] = []
    for step in steps:
        if step.axis == DESCENDANT:
            found.append(LOOP)
        found.append(step.name)
    return found


class SharedNfa:
    """A trie of labels; sets of states are bitmaps."""

    __slots__ = ("_edges", "_finals", "_labels", "_loops", "_numbers", "_parents", "_retired", "_spare", "_with_edge")

    def __init__(self) -> None:
        self._edges: list[dict[str, int]] = [_no_edges]
        self._labels: list[str] = [""]
        self._parents: list[int] = [ROOT]
        self._numbers: list[int | set[int] | None] = [None]
        self._with_edge: dict[str, BitMap] = {}
        self._loops = BitMap()
        self._finals = BitMap()
        self._retired: list[int] = []
        self._spare: list[int] = []

    def __len__(self) -> int:
        return len(self._edges) - len(self._retired) - len(self._spare)

    def add(self, number: int, labels: Sequence[str]) -> tuple[list[int], int]:
        """Record a path under a number; returns the states on its way, the root first, and how many labels had one."""
        way, known = [state := ROOT], 0
        for label in labels:
            after = self._edges[state].get(label)
            if after is None:
                after = self._grow(state, label)
            else:
                known += 1
            way.append(state := after)
        self._record(state, number)
        return way, known

    def remove(self, number: int, state: int) -> None:
        """Forget a path that ends at `state`, and every state that only this path needed."""
        held = self._numbers[state]
        if isinstance(held, set):
            held.remove(number)
            self._numbers[state] = held if len(held) > 1 else held.pop()
            return
        self._numbers[state] = None
        self._finals.discard(state)
        while state != ROOT and not self._edges[state] and self._numbers[state] is None:
            state = self._prune(state)

    def start(self) -> BitMap:
        """The states that are active before the root element."""
        return self._closed(BitMap((ROOT,)))

    def step(self, active: AbstractBitMap, name: str) -> BitMap:
        """The states that are active at an element of this name, given those at its parent."""
        edges, with_edge = self._edges, self._with_edge
        targets = [edges[state][name] for state in active & with_edge.get(name, _no_states)]
        targets += [edges[state][WILDCARD] for state in active & with_edge.get(WILDCARD, _no_states)]
        reached = self._closed(BitMap(targets))
        reached |= active & self._loops
        return reached

    def moves(self, active: AbstractBitMap, name: str) -> list[tuple[int, int]]:
        """From which of the active states an element of this name leads to which state, staying in loops left out."""
        edges, with_edge = self._edges, self._with_edge
        by_name = [(state, edges[state][name]) for state in active & with_edge.get(name, _no_states)]
        by_wildcard = active & with_edge.get(WILDCARD, _no_states)
        return by_name + [(state, edges[state][WILDCARD]) for state in by_wildcard]

    def loop_after(self, state: int) -> int | None:
        """The loop to which a state leads silently, if any."""
        return self._edges[state].get(LOOP)

    def is_loop(self, state: int) -> bool:
        """Whether a state stays active below the element at which it was entered."""
        return state in self._loops

    def numbers(self, states: AbstractBitMap) -> list[int]:
        """The numbers of the paths that end at any of the states."""
        numbers = self._numbers
        found: list[int] = []
        for state in states & self._finals:
            held = numbers[state]
            if isinstance(held, int):
                found.append(held)
            elif held is not None:
                found.extend(held)
        return found

    def asks_for(self, name: str) -> bool:
        """Whether any path has a step of this name; all other names lead to the same states."""
        return name in self._with_edge

    @property
    def size(self) -> int:
        """How many numbers of states were ever given, retired ones included."""
        return len(self._edges)

    @property
    def retired(self) -> int:
        """How many numbers of states wait for `recycle`."""
        return len(self._retired)

    def recycle(self) -> None:
        """Allow the numbers of states that fell away to be given to new ones."""
        self._spare += self._retired
        self._retired.clear()

    def _closed(self, states: BitMap) -> BitMap:
        """The states and the loops to which they lead silently; a loop never leads to another."""
        looping = states & self._with_edge.get(LOOP, _no_states)
        states.update([self._edges[state][LOOP] for state in looping])
        return states

    def _grow(self, parent: int, label: str) -> int:
        state = self._spare.pop() if self._spare else self._append()
        self._labels[state], self._parents[state] = label, parent
        if self._edges[parent]:
            self._edges[parent][label] = state
        else:
            self._edges[parent] = {label: state}
        with_edge = self._with_edge.get(label)
        if with_edge is None:
            with_edge = self._with_edge[label] = BitMap()
        with_edge.add(parent)
        if label == LOOP:
            self._loops.add(state)
        return state

    def _append(self) -> int:
        self._edges.append(_no_edges)
        self._labels.append("")
        self._parents.append(ROOT)
        self._numbers.append(None)
        return len(self._edges) - 1

    def _prune(self, state: int) -> int:
        parent, label = self._parents[state], self._labels[state]
        del self._edges[parent][label]
        if not self._edges[parent]:
            self._edges[parent] = _no_edges
        self._with_edge[label].discard(parent)
        if not self._with_edge[label]:
            del self._with_edge[label]
        if label == LOOP:
            self._loops.discard(state)
        self._retired.append(state)
        return parent

    def _record(self, state: int, number: int) -> None:
        held = self._numbers[state]
        if held is None:
            self._numbers[state] = number
            self._finals.add(state)
        elif isinstance(held, set):
            held.add(number)
        else:
            self._numbers[state] = {held, number}
