"""The overlay: brokers and the links between them.

A topology is found by the name of a shipped file (`paper-8`), by the path of any GraphML file, or made by a seeded
generator (`barabasi-albert:n=1000,m=2,seed=7`). Whatever the source, it becomes a simple, connected, undirected graph:
parallel links are merged into their best, self-loops dropped, directions ignored. Brokers are named by their node ids
and stand in natural order (2 before 10), which is the order that every run, table and tie relies on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final

import networkx as nx

from broker_sim.errors import TopologyError

MAX_BROKERS: Final = 100_000
MAX_LINKS: Final = 1_000_000

_digits = re.compile(r"(\d+)")


@dataclass(frozen=True, slots=True)
class Link:
    """An undirected link; `latency` in seconds and `bandwidth` in bytes per second where the source gives them."""

    first: str
    second: str
    latency: float | None = None
    bandwidth: float | None = None


@dataclass(frozen=True)
class Topology:
    """Brokers in natural order and links in the order of their ends, each with its first end before its second.

    `labels` are names for people, `positions` are (x, y), longitude before latitude; both where the source has them.
    """

    name: str
    brokers: tuple[str, ...]
    links: tuple[Link, ...]
    labels: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), compare=False, repr=False)
    positions: Mapping[str, tuple[float, float]] = field(
        default_factory=lambda: MappingProxyType({}), compare=False, repr=False
    )

    @cached_property
    def graph(self) -> nx.Graph[str]:
        """The same as a networkx graph, frozen; nodes and edges in order, edges with `latency` and `bandwidth`."""
        graph: nx.Graph[str] = nx.Graph(name=self.name)
        graph.add_nodes_from(self.brokers)
        for link in self.links:
            attributes = {"latency": link.latency, "bandwidth": link.bandwidth}
            graph.add_edge(
                link.first, link.second, **{key: value for key, value in attributes.items() if value is not None}
            )
        nx.freeze(graph)
        return graph

    @cached_property
    def is_tree(self) -> bool:
        """Whether there is exactly one way between any two brokers."""
        return len(self.links) == len(self.brokers) - 1

    @cached_property
    def leaves(self) -> tuple[str, ...]:
        """The brokers with at most one link."""
        return tuple(broker for broker in self.brokers if self.graph.degree[broker] <= 1)

    @cached_property
    def spanning_tree(self) -> nx.Graph[str]:
        """One fixed tree over all brokers: breadth first from the first broker, neighbours in natural order."""
        if self.is_tree:
            return self.graph
        tree: nx.Graph[str] = nx.Graph(name=self.name)
        tree.add_nodes_from(self.brokers)
        tree.add_edges_from(nx.bfs_edges(self.graph, self.brokers[0]))
        nx.freeze(tree)
        return tree

    def neighbours(self, broker: str) -> tuple[str, ...]:
        """The brokers linked to `broker`, in natural order."""
        return tuple(sorted(self.graph[broker], key=natural_key))


def natural_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """Sorts runs of digits by their number, so that 2 comes before 10; equal numbers by their spelling.

    Numbers are compared by length, then as text: a name may have more digits than Python turns into a number.
    """
    parts = (part.lstrip("0") if part.isdecimal() else part for part in _digits.split(name) if part)
    return (*((0, len(part), part) if not part or part.isdecimal() else (1, 0, part) for part in parts), (2, 0, name))


def topology_of(
    graph: nx.Graph[str], name: str, *, largest_component: bool = False, source: str | None = None
) -> Topology:
    """The topology of a simple graph, which must be connected unless its largest component is asked for.

    Nodes may have `label` and `position`, edges `latency` and `bandwidth`.
    """
    kept = _component(graph, largest_component, source)
    brokers = tuple(sorted(kept, key=natural_key))
    rank = {broker: index for index, broker in enumerate(brokers)}
    links = []
    for first, second, data in graph.subgraph(kept).edges(data=True):
        low, high = sorted((first, second), key=rank.__getitem__)
        links.append(Link(low, high, data.get("latency"), data.get("bandwidth")))
    links.sort(key=lambda link: (rank[link.first], rank[link.second]))
    return Topology(name, brokers, tuple(links), _kept(graph, brokers, "label"), _kept(graph, brokers, "position"))


def _kept(graph: nx.Graph[str], brokers: tuple[str, ...], key: str) -> Mapping[str, Any]:
    return MappingProxyType({broker: graph.nodes[broker][key] for broker in brokers if key in graph.nodes[broker]})


def _component(graph: nx.Graph[str], largest_component: bool, source: str | None) -> set[str]:
    components = sorted(nx.connected_components(graph), key=lambda part: (-len(part), min(map(natural_key, part))))
    if not components:
        raise TopologyError("the graph has no nodes: expected at least one broker", source=source)
    if len(components) > 1 and not largest_component:
        sizes = ", ".join(str(len(part)) for part in components[:10]) + (", ..." if len(components) > 10 else "")
        raise TopologyError(
            f"the graph is not connected: {len(components)} components of {sizes} brokers; "
            "ask for the largest component, or add links",
            source=source,
        )
    return components[0]
