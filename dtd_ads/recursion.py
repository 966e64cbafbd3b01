"""Walks inside a recursive part of the element graph, written with `( ... )+`.

The question is: which advertisement parts describe exactly the walks from u to v inside a strongly connected
component? The answer follows one idea. Choose an element h (the hub). A walk avoids h, or it goes to h, loops at h
some times, and goes on from its last h to v. Without h the component falls apart, so the pieces are smaller
questions of the same kind. What the loops at h may be decides:

- a loop of h alone makes every stay at h `(/h)+`;
- one other loop R: `/h` or `(/hR)+/h`;
- two other loops A and B: they alternate in runs, and `(A|B)+` is the finite union of A+, B+, (A+B+)+, (B+A+)+,
  (A+B+)+A+ and (B+A+)+B+;
- three or more cannot be written. Were they a finite union of such expressions, take the words over the three loops
  without a square. A group taken twice, with the groups inside it taken once, writes a square, so each expression
  writes at most one of them; but there are infinitely many square-free words over three letters. Such a component
  is a *knot*.

The router paper names simple, series and embedded recursion but does not say how they are found; this is our way.
The search tries hubs in DTD order and keeps the shortest answer. It is bounded by `MAX_QUESTIONS`, `MAX_WALKS` and,
for components that are neither small nor almost a plain cycle, not even begun: real ones of that size are knots.
Giving up is safe: the component then counts as a knot and is advertised too widely, never too narrowly.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Final

import networkx as nx

from dtd_ads.advertisement import Loop, Part

Parts = tuple[Part, ...]
Walks = tuple[Parts, ...]

MAX_QUESTIONS: Final = 2_000
MAX_WALKS: Final = 1_000
SMALL: Final = 24
FEW_EXTRA_EDGES: Final = 4


class Knot(Exception):
    """The walks cannot be written as a finite list, or not within the bounds of the search."""


class ComponentWalks:
    """Answers questions about one strongly connected component; `graph` is that component alone, in DTD order."""

    def __init__(self, graph: nx.DiGraph[str]) -> None:
        self._children = {name: tuple(child for child in graph.successors(name) if child != name) for name in graph}
        self._parents = {name: tuple(other for other in graph.predecessors(name) if other != name) for name in graph}
        self._stay: dict[str, Parts] = {
            name: (Loop((name,)),) if graph.has_edge(name, name) else (name,) for name in graph
        }
        self._order = {name: place for place, name in enumerate(graph)}
        self._known: dict[tuple[frozenset[str], str, str], Walks | None] = {}
        extra_edges = sum(map(len, self._children.values())) - len(self._children)
        self._hopeless = len(self._children) > SMALL and extra_edges > FEW_EXTRA_EDGES

    def between(self, first: str, last: str) -> Walks:
        """All walks from `first` to `last`, both included; raises `Knot`."""
        if self._hopeless:
            raise Knot
        return self._walks(frozenset(self._children), first, last)

    def _walks(self, allowed: frozenset[str], first: str, last: str) -> Walks:
        """The walks that stay within `allowed`."""
        allowed = self._relevant(allowed, first, last)
        if not allowed:
            return ()
        question = (allowed, first, last)
        if question not in self._known:
            if len(self._known) >= MAX_QUESTIONS:
                raise Knot
            self._known[question] = None  # a knot, unless an answer is found
            self._known[question] = self._answer(allowed, first, last)
        answer = self._known[question]
        if answer is None:
            raise Knot
        return answer

    def _answer(self, allowed: frozenset[str], first: str, last: str) -> Walks | None:
        prefix: Parts = ()
        while not self._returns(allowed, first):  # walk on while no element can come again
            if first == last:
                return (prefix + self._stay[first],)
            prefix += self._stay[first]
            allowed -= {first}
            onward = [child for child in self._children[first] if child in allowed]
            if len(onward) > 1:
                found = (self._try(allowed, child, last) for child in onward)
                return _union(None if walks is None else _joined([prefix], walks) for walks in found)
            first = onward[0]
        cycle = self._relevant(allowed, first, first)
        answers = (self._through_hub(allowed, first, last, hub) for hub in sorted(cycle, key=self._order.__getitem__))
        found_answers = [answer for answer in answers if answer is not None]
        best = min(found_answers, key=_size, default=None)
        return None if best is None else tuple(prefix + walk for walk in best)

    def _through_hub(self, allowed: frozenset[str], first: str, last: str, hub: str) -> Walks | None:
        rest = allowed - {hub}
        loops = self._reach(rest, self._children[hub], self._parents[hub])
        if loops is None or len(loops) > 2:
            return None
        before = ((),) if first == hub else self._reach(rest, (first,), self._parents[hub])
        after = ((),) if last == hub else self._reach(rest, self._children[hub], (last,))
        avoiding = () if hub in (first, last) else self._try(rest, first, last)
        if before is None or after is None or avoiding is None:
            return None
        return _union((avoiding, _looped(before, self._stay[hub], loops, after)))

    def _reach(self, allowed: frozenset[str], starts: tuple[str, ...], ends: tuple[str, ...]) -> Walks | None:
        pairs = ((start, end) for start in starts if start in allowed for end in ends if end in allowed)
        return _union(self._try(allowed, start, end) for start, end in pairs)

    def _try(self, allowed: frozenset[str], first: str, last: str) -> Walks | None:
        try:
            return self._walks(allowed, first, last)
        except Knot:
            return None

    def _relevant(self, allowed: frozenset[str], first: str, last: str) -> frozenset[str]:
        """The elements of `allowed` that lie on a walk from `first` to `last`; none if there is no such walk."""
        if first not in allowed or last not in allowed:
            return frozenset()
        forward = _closure(self._children, allowed, first)
        return forward & _closure(self._parents, allowed, last) if last in forward else frozenset()

    def _returns(self, allowed: frozenset[str], name: str) -> bool:
        """Whether a walk that left `name` can come back to it."""
        return any(child in allowed and self._relevant(allowed, child, name) for child in self._children[name])


def _looped(before: Walks, stay: Parts, loops: Walks, after: Walks) -> Walks | None:
    """`before` hub (loop hub)* `after`, for at most two loops; `stay` is how the hub itself is written."""
    if before == loops:
        return _joined(_alternations([loop + stay for loop in loops]), after)
    if after == loops:
        return _joined(before, _alternations([stay + loop for loop in loops]))
    turns = [(), *_alternations([stay + loop for loop in loops])]
    return _union(_joined(before, [turn + stay], after) for turn in turns)


def _alternations(loops: list[Parts]) -> list[Parts]:
    """All sequences of one or two loops, at least one long."""
    runs = [Loop(loop) for loop in loops]
    if len(runs) < 2:
        return [(run,) for run in runs]
    a, b = runs
    ab, ba = Loop((a, b)), Loop((b, a))
    return [(a,), (b,), (ab,), (ba,), (ab, a), (ba, b)]


def _joined(*choices: Iterable[Parts]) -> Walks | None:
    lists = [tuple(choice) for choice in choices]
    number = 1
    for each in lists:
        number *= len(each)
    if number > MAX_WALKS:
        return None
    return tuple(sum(chosen, ()) for chosen in product(*lists))


def _union(found: Iterable[Walks | None]) -> Walks | None:
    """The walks of all lists, each once; None if any list is unknown or there are too many."""
    together: dict[Parts, None] = {}
    for walks in found:
        if walks is None:
            return None
        together.update(dict.fromkeys(walks))
        if len(together) > MAX_WALKS:
            return None
    return tuple(together)


def _size(walks: Walks) -> tuple[int, int]:
    return len(walks), sum(map(_length, walks))


def _length(parts: Parts) -> int:
    return sum(1 if isinstance(part, str) else 1 + _length(part.parts) for part in parts)


def _closure(neighbours: dict[str, tuple[str, ...]], allowed: frozenset[str], start: str) -> frozenset[str]:
    seen = {start}
    queue = [start]
    for name in queue:
        for other in neighbours[name]:
            if other in allowed and other not in seen:
                seen.add(other)
                queue.append(other)
    return frozenset(seen)
