"""The element graph of a DTD: who may stand inside whom, and where a path may end.

A path of a valid document is a walk in this graph from the root to an element that *may end* a path. An element
may end a path when its content model can be satisfied without a child element: EMPTY, ANY, text or mixed
content, or all children optional. That is the convention of every count and advertisement here ("may end");
the stricter one, where only elements that can never have a child end a path ("leaf only"), is reported beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import networkx as nx

from dtd_ads.content import Attribute, Content


@dataclass(frozen=True, slots=True)
class Element:
    """One declared element; `children` are the declared elements its content model allows, in DTD order."""

    name: str
    content: Content
    children: tuple[str, ...]
    attributes: tuple[Attribute, ...] = ()

    @property
    def may_end(self) -> bool:
        """Whether a root-to-leaf path may end here."""
        return self.content.nullable


@dataclass(frozen=True)
class Schema:
    """An element graph with its root. `elements` holds every declared element, reachable or not."""

    name: str
    root: str
    elements: Mapping[str, Element]
    warnings: tuple[str, ...] = field(default=(), compare=False)

    def children(self, name: str) -> tuple[str, ...]:
        """The elements that may stand directly inside `name`."""
        return self.elements[name].children

    def may_end(self, name: str) -> bool:
        """Whether a root-to-leaf path may end at `name`."""
        return self.elements[name].may_end

    @cached_property
    def graph(self) -> nx.DiGraph[str]:
        """The reachable part of the element graph, nodes in breadth-first DTD order."""
        graph: nx.DiGraph[str] = nx.DiGraph()
        graph.add_node(self.root)
        queue = [self.root]
        for name in queue:
            for child in self.children(name):
                if child not in graph:
                    queue.append(child)
                graph.add_edge(name, child)
        return graph

    @cached_property
    def reachable(self) -> tuple[str, ...]:
        """The elements that a document may contain, the root first."""
        return tuple(self.graph)

    @cached_property
    def recursion(self) -> tuple[frozenset[str], ...]:
        """The strongly connected components that hold a cycle, largest first, ties by name."""
        components = (
            frozenset(component)
            for component in nx.strongly_connected_components(self.graph)
            if len(component) > 1 or self.graph.has_edge(*(list(component) * 2))
        )
        return tuple(sorted(components, key=lambda component: (-len(component), min(component))))
