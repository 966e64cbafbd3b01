"""What a DTD says about paths: which elements a step may meet, who may stand below whom, where `//` is superfluous.

The element graph is that of `dtd_ads`. An element is *below* another when some valid document could hold it there, at
any depth; two elements are on one loop when each is below the other. Below is a transitive closure, O(elements x
edges).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

import networkx as nx

from broker_sim.delivery.query import Navigation
from broker_sim.xpath import CHILD, DESCENDANT, WILDCARD, Step
from broker_sim.xpath.linear import linear_step
from dtd_ads.schema import Schema

DOCUMENT: Final = None
"""What stands above the root."""

MEMORY: Final = 1 << 14
"""How many rewritten paths are remembered."""


class ElementGraph:
    """The reachable part of one schema."""

    def __init__(self, schema: Schema) -> None:
        self.name: Final = schema.name
        self.root: Final = schema.root
        self._children: Final[dict[str | None, frozenset[str]]] = {
            name: frozenset(schema.graph.successors(name)) for name in schema.reachable
        }
        self._children[DOCUMENT] = frozenset((schema.root,))
        self._below: Final[dict[str | None, frozenset[str]]] = {
            name: _below(schema.graph, name) for name in schema.reachable
        }
        self._below[DOCUMENT] = frozenset(schema.reachable)
        self._only_walk: Final = lru_cache(maxsize=MEMORY)(self._find_only_walk)
        self._rewritten: Final = lru_cache(maxsize=MEMORY)(self._rewrite)

    def allows(self, child: str, parent: str | None) -> bool:
        """Whether an element may stand directly inside another, or be the root."""
        return child in self._children.get(parent, ())

    def on_one_loop(self, first: str, second: str) -> bool:
        """Whether the two can stand inside each other; with itself, whether the element is recursive."""
        return second in self._below.get(first, ()) and first in self._below.get(second, ())

    def nest(self, names: Iterable[str]) -> bool:
        """Whether any of the names may stand below any of them, itself included."""
        chosen = frozenset(names)
        return any(not chosen.isdisjoint(self._below[name]) for name in chosen)

    def met_by(self, steps: Navigation) -> list[frozenset[str]]:
        """For each step of a path from the document, the elements that it may meet."""
        met: list[frozenset[str]] = []
        above: Iterable[str | None] = (DOCUMENT,)
        for step in steps:
            near = self._children if step.axis == CHILD else self._below
            reached = frozenset().union(*(near[name] for name in above))
            above = found = reached if step.name == WILDCARD else reached & {step.name}
            met.append(found)
        return met

    def canonical(self, steps: tuple[Step, ...], above: str | None = DOCUMENT) -> tuple[Step, ...]:
        """The steps, from the element `above` on, with each `//` that has only one way to go written out."""
        return self._rewritten(steps, above)

    def _rewrite(self, steps: tuple[Step, ...], above: str | None) -> tuple[Step, ...]:
        written: list[Step] = []
        for step in steps:
            if step.axis == DESCENDANT and WILDCARD not in (above, step.name):
                between = self._only_walk(above, step.name)
                if between is not None:
                    written += [linear_step(CHILD, name) for name in between]
                    step = Step(CHILD, step.name, step.predicates) if step.predicates else linear_step(CHILD, step.name)
            written.append(step)
            above = step.name
        return tuple(written)

    def _find_only_walk(self, first: str | None, last: str) -> tuple[str, ...] | None:
        """The elements between the two, if there is exactly one way from the first down to the last."""
        between: list[str] = []
        while True:
            onward = [child for child in self._children.get(first, ()) if child == last or last in self._below[child]]
            if len(onward) != 1 or self.nest(onward):
                return None
            if onward[0] == last:
                return tuple(between)
            first = onward[0]
            between.append(first)


def _below(graph: nx.DiGraph[str], name: str) -> frozenset[str]:
    children = set(graph.successors(name))
    return frozenset(children.union(*(nx.descendants(graph, child) for child in children)))
