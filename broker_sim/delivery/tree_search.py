"""The tree search of PathSharing-F: a path followed downwards from one bound element, depth first.

Section 3.1 of "Query Processing for High-Volume XML Message Brokering" (VLDB 2003) leaves the routine out. Ours keeps,
as bits of one number, the steps that an element may match next; each element below the bound one is visited at most
once, in document order, and a subtree is entered only while some step is open. So what is found is in order and free of
duplicates, for O(elements visited).
"""

from __future__ import annotations

from collections.abc import Iterator

from broker_sim.delivery.query import Navigation
from broker_sim.engines.outline import Outline
from broker_sim.xpath import DESCENDANT, WILDCARD


class TreeSearch:
    """One path, made ready for the search; a path of no steps finds the element itself."""

    __slots__ = ("_any_name", "_by_name", "_descendants", "_last")

    def __init__(self, steps: Navigation) -> None:
        self._last = 1 << len(steps) >> 1
        self._any_name = self._descendants = 0
        self._by_name: dict[str, int] = {}
        for index, step in enumerate(steps):
            if step.axis == DESCENDANT:
                self._descendants |= 1 << index
            if step.name == WILDCARD:
                self._any_name |= 1 << index
            else:
                self._by_name[step.name] = self._by_name.get(step.name, 0) | 1 << index

    def find(self, outline: Outline, bound: int) -> Iterator[int]:
        """The elements at the end of the path, in document order."""
        if not self._last:
            yield bound
            return
        names, children = outline.names, outline.children
        by_name, any_name, last = self._by_name, self._any_name, self._last
        stack = [(child, 1) for child in reversed(children[bound])]
        while stack:
            element, open_steps = stack.pop()
            passed = open_steps & (by_name.get(names[element], 0) | any_name)
            if passed & last:
                yield element
            below = (passed & ~last) << 1 | open_steps & self._descendants
            if below:
                stack += [(child, below) for child in reversed(children[element])]
