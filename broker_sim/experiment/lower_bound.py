"""The least publication traffic that can do: each publication visits exactly the brokers on the way to its receivers.

A publication enters at its publisher's broker, which counts, and must reach the broker of every client that it
matches. The union of those ways is counted for each publication. What a run carries beyond it are false positives.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import networkx as nx
from pyroaring import BitMap

Matches = Callable[[int], BitMap]


class DeliveryTrees:
    """Ways from publishers' brokers to all others, counted for sets of receivers."""

    def __init__(self, tree: nx.Graph[str]) -> None:
        self._graph = tree
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
    trees: DeliveryTrees, tables: Sequence[tuple[str, BitMap]], published: Mapping[tuple[str, int], int], known: Matches
) -> int:
    """The least number of messages for what was `published`: how often, by source broker and publication key.

    `tables` are the clients: each one's broker and the keys of its subscriptions. `known` tells the keys that a
    publication matches.
    """
    total = 0
    for (source, key), times in published.items():
        matched = known(key)
        receivers = frozenset(broker for broker, keys in tables if keys.intersect(matched))
        total += times * trees.size(source, receivers)
    return total
