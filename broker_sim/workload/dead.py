"""Dead queries: expressions that no valid document can match.

One step of a walk is renamed so that it contradicts the DTD: below a named step `a`, a `/` step to a declared element
that `a` may not contain, or a `//` step to one that cannot stand anywhere below `a`; or another name for the root. The
names stay those of the DTD where some choice exists, so a router has to reason about structure to see that the query
is dead. Otherwise the last step gets a name that the DTD does not declare.
"""

from __future__ import annotations

from random import Random
from typing import Final

import networkx as nx

from broker_sim.workload.query_walk import Written
from broker_sim.xpath import CHILD, DESCENDANT, WILDCARD
from dtd_ads.schema import Schema


class Killer:
    """Makes walks dead; remembers for each element what cannot follow it."""

    def __init__(self, schema: Schema, random: Random) -> None:
        self._schema: Final = schema
        self._random: Final = random.random
        self._foreign: Final[dict[tuple[str, str | None], tuple[str, ...]]] = {}

    def kill(self, written: Written) -> Written:
        """The same steps with one of them renamed."""
        positions = [index for index in range(len(written)) if self._choices(written, index)]
        if not positions:
            return (*written[:-1], _axis(written[-1]) + self._undeclared())
        index = positions[int(self._random() * len(positions))]
        choices = self._choices(written, index)
        name = choices[int(self._random() * len(choices))]
        return (*written[:index], _axis(written[index]) + name, *written[index + 1 :])

    def _choices(self, written: Written, index: int) -> tuple[str, ...]:
        axis = _axis(written[index])
        if index == 0:
            return self._cannot_follow(axis, None) if axis == CHILD else ()
        before = written[index - 1].lstrip("/")
        return () if before == WILDCARD else self._cannot_follow(axis, before)

    def _cannot_follow(self, axis: str, element: str | None) -> tuple[str, ...]:
        key = (axis, element)
        if key not in self._foreign:
            allowed = self._allowed(axis, element)
            self._foreign[key] = tuple(name for name in self._schema.reachable if name not in allowed)
        return self._foreign[key]

    def _allowed(self, axis: str, element: str | None) -> set[str]:
        if element is None:
            return {self._schema.root}
        children = set(self._schema.children(element))
        if axis == CHILD:
            return children
        graph = self._schema.graph
        return children.union(*(nx.descendants(graph, child) for child in children))

    def _undeclared(self) -> str:
        name = "undeclared"
        while name in self._schema.elements:
            name += "-"
        return name


def _axis(written: str) -> str:
    return DESCENDANT if written.startswith(DESCENDANT) else CHILD
