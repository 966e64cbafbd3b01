"""The list of path advertisements, described component by component.

From an element u at which a path enters a strongly connected component, a path goes on in *strides*: the parts
written while it stays in the component, then the element it goes on to (in a later component), or its end.
Components form an acyclic graph, so strides can be counted backwards over it and listed forwards from the root,
without recursion.

A component without a cycle has one stride per child; a cyclic one has those of `recursion`; a knot is `(/*)+`. If a
path may end inside a knot, that group matches whatever follows as well, so nothing needs to be written behind it;
nor beside it: where a path may go on to such a knot, its other ways on are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import networkx as nx

from dtd_ads.advertisement import WILDCARD, Loop
from dtd_ads.recursion import ComponentWalks, Knot, Parts
from dtd_ads.schema import Schema

_anything: Parts = (Loop((WILDCARD,)),)


@dataclass(frozen=True, slots=True)
class Stride:
    """What is written inside one component, and the element the path goes on to; None where it ends."""

    parts: Parts
    onward: str | None


@dataclass(slots=True)
class Component:
    """One strongly connected component; `walks` is None for a single element that does not contain itself."""

    members: frozenset[str]
    walks: ComponentWalks | None
    is_knot: bool = False
    may_end: bool = False


class Outline:
    """The path advertisements of a schema, counted or listed; `graph` is the useful part of its element graph."""

    def __init__(self, graph: nx.DiGraph[str], schema: Schema) -> None:
        self._graph = graph
        self._schema = schema
        self._order = {name: place for place, name in enumerate(graph)}
        self._component: dict[str, Component] = {}
        self._strides: dict[str, list[Stride]] = {}
        found = list(nx.strongly_connected_components(graph))  # a component comes after all it leads to
        for members in found:
            self._add(frozenset(members))
        self.exact = not any(component.is_knot for component in self._component.values())
        self._backwards = [name for members in found for name in members if name in self._strides]

    def count(self) -> int:
        """How many advertisements `paths` gives, duplicates included."""
        numbers: dict[str, int] = {}
        for name in self._backwards:
            numbers[name] = sum(1 if s.onward is None else numbers[s.onward] for s in self._strides[name])
        return numbers[self._schema.root]

    def paths(self) -> Iterator[Parts]:
        """Every advertisement, in DTD order."""
        stack: list[tuple[Parts, str | None]] = [((), self._schema.root)]
        while stack:
            parts, name = stack.pop()
            if name is None:
                yield parts
            else:
                stack += [(parts + stride.parts, stride.onward) for stride in reversed(self._strides[name])]

    def _add(self, members: frozenset[str]) -> None:
        names = sorted(members, key=self._order.__getitem__)
        inside: nx.DiGraph[str] = nx.DiGraph()
        inside.add_nodes_from(names)
        inside.add_edges_from((up, down) for up in names for down in self._graph.successors(up) if down in members)
        component = Component(members, ComponentWalks(inside) if inside.number_of_edges() else None)
        component.may_end = any(map(self._schema.may_end, names))
        self._component.update(dict.fromkeys(names, component))
        entries = [name for name in names if self._is_entry(name, members)]
        try:
            strides = {name: self._exact_strides(component, name) for name in entries}
        except Knot:
            component.is_knot = True
            strides = dict.fromkeys(entries, self._knot_strides(component))
        self._strides.update(strides)

    def _is_entry(self, name: str, members: frozenset[str]) -> bool:
        return name == self._schema.root or any(up not in members for up in self._graph.predecessors(name))

    def _exact_strides(self, component: Component, entry: str) -> list[Stride]:
        if component.walks is None:
            return self._leaving((entry,), entry)
        return [
            stride
            for last in sorted(component.members, key=self._order.__getitem__)
            if self._schema.may_end(last) or self._onward(last)
            for parts in component.walks.between(entry, last)
            for stride in self._leaving(parts, last)
        ]

    def _knot_strides(self, component: Component) -> list[Stride]:
        if component.may_end:
            return [Stride(_anything, None)]
        names = sorted(component.members, key=self._order.__getitem__)
        onward = self._distinct([child for name in names for child in self._onward(name)])
        return [Stride(_anything, child) for child in onward]

    def _leaving(self, parts: Parts, last: str) -> list[Stride]:
        """The ways on from the last element inside a component."""
        ends = [Stride(parts, None)] if self._schema.may_end(last) else []
        return ends + [Stride(parts, child) for child in self._distinct(self._onward(last))]

    def _onward(self, name: str) -> list[str]:
        members = self._component[name].members
        return [child for child in self._graph.successors(name) if child not in members]

    def _distinct(self, onward: list[str]) -> list[str]:
        """One entry for each knot; only the knot, where there is one inside which a path may end."""
        for child in onward:
            component = self._component[child]
            if component.is_knot and component.may_end:
                return [child]
        kept: dict[object, str] = {}
        for child in onward:
            component = self._component[child]
            kept.setdefault(component.members if component.is_knot else child, child)
        return list(kept.values())
