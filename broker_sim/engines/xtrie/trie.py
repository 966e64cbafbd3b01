"""The trie of all substrings: section 4.1 of the XTrie paper.

A node is a number, with columns of plain numbers: the name of its edge, its parent, how many children it has, and the
paper's two pointers. `alpha`, the substring pointer, is the first row of the chain of the substring that ends at the
node. `beta`, the max-suffix pointer, leads to the longest proper suffix of its label that is in the trie, as the
failure links of Aho and Corasick do. (The paper says "among the internal nodes"; a substring that ends at a leaf of the
trie is found through such a pointer too, so we take all nodes.) A new substring may change the pointers of nodes
anywhere, so they are worked out where documents pass and forgotten when the trie has changed.

Edges are found in one hash table of node numbers for the whole trie, open addressing, at most two thirds full. A node
takes 20 bytes and 6 to 8 more in that table; following an edge costs a few operations however many children there are.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Final

from broker_sim.engines.xtrie.decomposition import NONE

ROOT: Final = 0
_UNKNOWN: Final = -2
_GONE: Final = -2
_LEAST: Final = 13


class Trie:
    """Substrings of symbols; a symbol is the number of a name."""

    def __init__(self) -> None:
        self._symbol = array("i", [NONE])
        self._parent = array("i", [NONE])
        self._children = array("i", [0])
        self.alpha = array("i", [NONE])
        self.beta = array("i", [ROOT])
        self._spare: list[int] = []
        self._slots = array("i", [NONE]) * _LEAST
        self._taken = 0

    def __len__(self) -> int:
        return len(self.alpha) - len(self._spare)

    @property
    def numbers(self) -> int:
        """Nodes have numbers below this one."""
        return len(self.alpha)

    def child(self, node: int, symbol: int) -> int:
        """Where the edge `symbol` leads, or NONE."""
        return self._slots[self._slot(node, symbol)]

    def insert(self, symbols: Sequence[int]) -> int:
        """The node of a substring, made if need be."""
        node = ROOT
        for symbol in symbols:
            child = self.child(node, symbol)
            node = child if child != NONE else self._grow(node, symbol)
        return node

    def prune(self, node: int) -> None:
        """Drop a node and those above it that lead to no substring with rows any more."""
        while node != ROOT and self.alpha[node] == NONE and not self._children[node]:
            parent = self._parent[node]
            self._slots[self._slot(parent, self._symbol[node])] = _GONE
            self._parent[node] = _GONE
            self._children[parent] -= 1
            self._spare.append(node)
            node = parent

    def forget_suffixes(self) -> None:
        """Drop the max-suffix pointers, because the trie has changed."""
        self.beta = array("i", [_UNKNOWN]) * len(self.alpha)
        self.beta[ROOT] = ROOT

    def step(self, node: int, symbol: int) -> int:
        """Where the start of an element leads from the node of its parent: steps 9 to 12 of SEARCH.

        The pointers of the node that is returned, and of all behind it, are known from then on.
        """
        beta, slots, slot = self.beta, self._slots, self._slot
        found = last = ROOT
        while True:
            child = slots[slot(node, symbol)]
            if child != NONE:
                if last == ROOT:
                    found = child
                else:
                    beta[last] = child
                if beta[child] != _UNKNOWN:
                    return found
                last = child
            if node == ROOT:
                if last != ROOT:
                    beta[last] = ROOT
                return found
            node = beta[node]

    def _grow(self, parent: int, symbol: int) -> int:
        if 3 * (self._taken + 1) > 2 * len(self._slots):
            self._rehash()
        node = self._spare.pop() if self._spare else self._append()
        self._symbol[node], self._parent[node] = symbol, parent
        self._children[parent] += 1
        self._enter(node)
        return node

    def _append(self) -> int:
        for column in (self._symbol, self._parent, self.alpha):
            column.append(NONE)
        self._children.append(0)
        return len(self.alpha) - 1

    def _slot(self, node: int, symbol: int) -> int:
        """The place of an edge in the hash table, or the empty one where it would be."""
        slots, symbols, parents = self._slots, self._symbol, self._parent
        size = len(slots)
        at = (node * 40503 + symbol * 2531011) % size
        while True:
            child = slots[at]
            if child == NONE or (child >= 0 and symbols[child] == symbol and parents[child] == node):
                return at
            at = at + 1 if at + 1 < size else 0

    def _enter(self, node: int) -> None:
        """Give the edge to `node`, which is in no slot, the empty one that it would be looked for in."""
        self._slots[self._slot(self._parent[node], self._symbol[node])] = node
        self._taken += 1

    def _rehash(self) -> None:
        """Lay the hash table out anew, twice as large as the nodes that are there."""
        self._slots = array("i", [NONE]) * max(_LEAST, 2 * len(self) | 1)
        self._taken = 0
        for node in range(1, len(self.alpha)):
            if self._parent[node] != _GONE:
                self._enter(node)
