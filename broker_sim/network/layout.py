"""Where to draw brokers: at their own positions, or at computed ones that stay the same from call to call.

A topology whose source gives every broker a position keeps them. Otherwise trees (and graphs too large for springs) are
drawn in rings around their centre, each broker within the sector of its parent; other graphs by springs from a
fixed seed.
"""

from __future__ import annotations

import math
from typing import Final

import networkx as nx

from broker_sim.network.graph import Topology
from broker_sim.network.shape import centre_of

Position = tuple[float, float]

MAX_SPRINGS: Final = 400
"""Springs cost a square of the number of brokers in each of their rounds."""


def layout(topology: Topology) -> dict[str, Position]:
    """A position for each broker."""
    if all(broker in topology.positions for broker in topology.brokers):
        return dict(topology.positions)
    if topology.is_tree or len(topology.brokers) > MAX_SPRINGS:
        return _rings(topology)
    found = nx.spring_layout(topology.graph, seed=1)
    return {broker: (float(x), float(y)) for broker, (x, y) in found.items()}


def _rings(topology: Topology) -> dict[str, Position]:
    centre = centre_of(topology)
    children: dict[str, list[str]] = {broker: [] for broker in topology.brokers}
    order = [centre]
    for parent, child in nx.bfs_edges(topology.graph, centre):
        children[parent].append(child)
        order.append(child)
    leaves: dict[str, int] = {}
    for broker in reversed(order):
        leaves[broker] = sum(leaves[child] for child in children[broker]) or 1
    sector = {centre: (0.0, math.tau, 0)}
    positions: dict[str, Position] = {}
    for broker in order:
        start, width, radius = sector[broker]
        angle = start + width / 2
        positions[broker] = (radius * math.cos(angle), radius * math.sin(angle))
        for child in children[broker]:
            share = width * leaves[child] / leaves[broker]
            sector[child] = (start, share, radius + 1)
            start += share
    return positions
