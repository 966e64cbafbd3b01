"""The least publication traffic that can do: each publication visits exactly the brokers on the way to its receivers.

A publication enters at its publisher's broker, which counts, and must reach the broker of every client that it
matches. The union of those ways is counted for each publication. What a run carries beyond it are false positives.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pyroaring import BitMap

Matches = Callable[[int], BitMap]
Root = tuple[str, int]
"""A publisher's broker and the tree that its publications follow."""


class DeliveryTrees:
    """Ways from publishers' brokers to all others, counted for sets of receivers."""

    def __init__(self, parents: Callable[[Root], Mapping[str, str]]) -> None:
        self._find_parents = parents
        self._parents: dict[Root, Mapping[str, str]] = {}
        self._sizes: dict[tuple[Root, frozenset[str]], int] = {}

    def size(self, root: Root, receivers: frozenset[str]) -> int:
        """How many brokers lie on the ways from `root` to `receivers`, that of the root included."""
        memo = (root, receivers)
        if memo not in self._sizes:
            self._sizes[memo] = len(self._brokers(root, receivers))
        return self._sizes[memo]

    def _brokers(self, root: Root, receivers: frozenset[str]) -> set[str]:
        if root not in self._parents:
            self._parents[root] = self._find_parents(root)
        parents = self._parents[root]
        visited = {root[0]}
        for broker in receivers:
            while broker not in visited:
                visited.add(broker)
                broker = parents[broker]
        return visited


def least_messages(
    trees: DeliveryTrees,
    tables: Sequence[tuple[str, BitMap]],
    published: Mapping[tuple[Root, int], int],
    known: Matches,
) -> int:
    """The least number of messages for what was `published`: how often, by root and publication key.

    `tables` are the clients: each one's broker and the keys of its subscriptions. `known` tells the keys that a
    publication matches.
    """
    total = 0
    for (root, key), times in published.items():
        matched = known(key)
        receivers = frozenset(broker for broker, keys in tables if keys.intersect(matched))
        total += times * trees.size(root, receivers)
    return total
