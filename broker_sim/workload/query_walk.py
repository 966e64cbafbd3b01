"""The walk of YFilter's query generator, which wrote the queries of the router paper and of the message broker paper.

The walk starts at the root of the DTD and goes from an element to one of its children, chosen by Zipf(theta) in DTD
order. It stops only at an element without children or at level L. At each level, with probability DO, the step is
written with `//` and the walk first goes floor(u x (L - level)) levels down without writing them (u uniform in [0, 1),
the root at level 1); with probability W the step is written as `*`. A skip ends early at an element
without children, which is then the one written.

One option goes beyond that rule: with probability `stop` the walk ends after a step (0 = the rule).
A walk costs O(L) draws.
"""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass, field
from random import Random
from typing import Final

from broker_sim.workload.randomness import zipf_bounds
from broker_sim.xpath import CHILD, DESCENDANT
from dtd_ads.schema import Schema

Written = tuple[str, ...]
"""The steps of a walk as they are written: axis and name in one string, such as `//title`."""


@dataclass(frozen=True, slots=True)
class Walk:
    """The steps as written, and for each the element it stands for and that element's level."""

    written: Written
    places: tuple[tuple[str, int], ...]


@dataclass(slots=True, eq=False)
class _Node:
    """An element, ready for the walk: how its step is written, its children and the bounds of their choice."""

    name: str
    bounds: tuple[float, ...]
    children: list[_Node] = field(default_factory=list, repr=False)
    after_child: str = ""
    after_descendant: str = ""

    def __post_init__(self) -> None:
        self.after_child = CHILD + self.name
        self.after_descendant = DESCENDANT + self.name


class QueryWalker:
    """Draws walks in one element graph; the only state is that of `random`."""

    def __init__(
        self,
        schema: Schema,
        random: Random,
        *,
        max_length: int,
        wildcard: float = 0,
        descendant: float = 0,
        theta: float = 0,
        stop: float = 0,
    ) -> None:
        self._random: Final = random.random
        self._max_length: Final = max_length
        self._wildcard: Final = wildcard
        self._descendant: Final = descendant
        self._stop: Final = stop
        self._nodes: Final = _linked_nodes(schema, theta)
        self._root: Final = self._nodes[schema.root]

    def from_root(self) -> Walk:
        """A walk that starts with the root."""
        return self._walk(self._root, 1)

    def below(self, element: str, level: int) -> Walk | None:
        """A walk that starts with a child of `element`, which stands at `level`; None where the rule ends."""
        node = self._nodes[element]
        if not node.children or level >= self._max_length:
            return None
        return self._walk(node.children[bisect(node.bounds, self._random())], level + 1)

    def _walk(self, node: _Node, level: int) -> Walk:
        random, max_length = self._random, self._max_length
        wildcard, descendant, stop = self._wildcard, self._descendant, self._stop
        written: list[str] = []
        places: list[tuple[str, int]] = []
        while True:
            jumps = descendant and random() < descendant
            if jumps:
                for _ in range(int(random() * (max_length - level))):
                    if not node.children:
                        break
                    node = node.children[bisect(node.bounds, random())]
                    level += 1
            if wildcard and random() < wildcard:
                written.append("//*" if jumps else "/*")
            else:
                written.append(node.after_descendant if jumps else node.after_child)
            places.append((node.name, level))
            if not node.children or level >= max_length or (stop and random() < stop):
                return Walk(tuple(written), tuple(places))
            node = node.children[bisect(node.bounds, random())]
            level += 1


def _linked_nodes(schema: Schema, theta: float) -> dict[str, _Node]:
    bounds = {count: zipf_bounds(count, theta) for count in {len(schema.children(name)) for name in schema.reachable}}
    nodes = {name: _Node(name, bounds[len(schema.children(name))]) for name in schema.reachable}
    for name, node in nodes.items():
        node.children.extend(nodes[child] for child in schema.children(name))
    return nodes
