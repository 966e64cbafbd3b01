"""The least publication traffic that can do: each publication visits exactly the brokers on the way to its receivers.

A publication enters at its publisher's broker, which counts, and must reach the broker of every client that it
matches. The union of those ways is counted for each publication. What a run carries beyond it are false positives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import networkx as nx
from pyroaring import BitMap

from broker_sim.network.topology import Topology


class DeliveryTrees:
    """Ways from publishers' brokers to all others, counted for sets of receivers."""

    def __init__(self, topology: Topology) -> None:
        self._graph = topology.graph
        self._parents: dict[str, Mapping[str, str]] = {}
        self._sizes: dict[tuple[str, frozenset[str]], int] = {}

    def size(self, source: str, receivers: frozenset[str]) -> int:
        """How many brokers lie on the ways from `source` to `receivers`, `source` itself included."""
        memo = (source, receivers)
        if memo not in self._sizes:
            self._sizes[memo] = len(self._brokers(source, receivers))
        return self._sizes[memo]

    def _brokers(self, source: str, receivers: frozenset[str]) -> set[str]:
        if source not in self._parents:
            self._parents[source] = dict(nx.bfs_predecessors(self._graph, source))
        parents = self._parents[source]
        visited = {source}
        for broker in receivers:
            while broker not in visited:
                visited.add(broker)
                broker = parents[broker]
        return visited


def least_messages(
    trees: DeliveryTrees, tables: Sequence[tuple[str, BitMap]], publications: Sequence[tuple[str, BitMap]]
) -> int:
    """The least number of messages for `publications` (source broker, keys matched).

    `tables` are the clients: each one's broker and the keys of its subscriptions.
    """
    total = 0
    known: dict[int, frozenset[str]] = {}
    for source, matched in publications:
        receivers = known.get(id(matched))
        if receivers is None:
            receivers = known[id(matched)] = frozenset(broker for broker, keys in tables if keys.intersect(matched))
        total += trees.size(source, receivers)
    return total
