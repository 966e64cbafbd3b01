"""The shape of a topology in numbers: degrees, centre, diameter.

Trees are measured exactly by two breadth-first searches. Other graphs cost one search for each broker in the worst
case, so beyond `MAX_EXACT` brokers their diameter stays open and the centre is a broker of the largest degree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import networkx as nx

from broker_sim.network.graph import Topology

MAX_EXACT: Final = 5_000


@dataclass(frozen=True, slots=True)
class Shape:
    """What `broker-sim topology show` tells; `diameter` counts links and is None where it was not computed."""

    brokers: int
    links: int
    is_tree: bool
    leaves: int
    min_degree: int
    mean_degree: float
    max_degree: int
    centre: str
    diameter: int | None


def shape(topology: Topology) -> Shape:
    """Measure a topology."""
    degrees = [topology.graph.degree[broker] for broker in topology.brokers]
    centre, diameter = _centre_and_diameter(topology)
    return Shape(
        brokers=len(topology.brokers),
        links=len(topology.links),
        is_tree=topology.is_tree,
        leaves=len(topology.leaves),
        min_degree=min(degrees),
        mean_degree=sum(degrees) / len(degrees),
        max_degree=max(degrees),
        centre=centre,
        diameter=diameter,
    )


def centre_of(topology: Topology) -> str:
    """The broker whose farthest other broker is nearest."""
    return _centre_and_diameter(topology)[0]


def _centre_and_diameter(topology: Topology) -> tuple[str, int | None]:
    if topology.is_tree:
        longest = _longest_path(topology)
        middle = longest[(len(longest) - 1) // 2 : len(longest) // 2 + 1]
        return min(middle, key=topology.brokers.index), len(longest) - 1
    if len(topology.brokers) > MAX_EXACT:
        return max(topology.brokers, key=topology.graph.degree.__getitem__), None
    eccentricity = {broker: _farthest(topology, broker)[1] for broker in topology.brokers}
    return min(topology.brokers, key=eccentricity.__getitem__), max(eccentricity.values())


def _longest_path(tree: Topology) -> list[str]:
    end, _ = _farthest(tree, tree.brokers[0])
    other, _ = _farthest(tree, end)
    return list(nx.shortest_path(tree.graph, end, other))


def _farthest(topology: Topology, start: str) -> tuple[str, int]:
    distances = nx.single_source_shortest_path_length(topology.graph, start)
    farthest = max(distances.values())
    return next(broker for broker in topology.brokers if distances[broker] == farthest), farthest
