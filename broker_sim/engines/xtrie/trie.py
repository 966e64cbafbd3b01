"""The trie of all substrings: section 4.1 of the XTrie paper, without its max-suffix pointers (see `visits`).

A node is a number; its edges are a list of children (first child, next sibling) in columns of plain numbers, so that
a node takes 20 bytes. `alpha` is the paper's substring pointer: the first row of the chain of the substring
that ends at the node. Following an edge costs the number of siblings before it; documents pay that once for a node and
name, since `visits` remembers where it led.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Final

from broker_sim.engines.xtrie.decomposition import NONE

ROOT: Final = 0


class Trie:
    """Substrings of symbols; a symbol is the number of a name."""

    def __init__(self) -> None:
        self._symbol = array("i", [NONE])
        self._parent = array("i", [NONE])
        self._first_child = array("i", [NONE])
        self._next_sibling = array("i", [NONE])
        self.alpha = array("i", [NONE])
        self._spare: list[int] = []

    def __len__(self) -> int:
        return len(self.alpha) - len(self._spare)

    def child(self, node: int, symbol: int) -> int:
        """Where the edge `symbol` leads, or NONE."""
        symbols, siblings = self._symbol, self._next_sibling
        child = self._first_child[node]
        while child != NONE and symbols[child] != symbol:
            child = siblings[child]
        return child

    def insert(self, symbols: Sequence[int]) -> int:
        """The node of a substring, made if need be."""
        node = ROOT
        for symbol in symbols:
            child = self.child(node, symbol)
            node = child if child != NONE else self._grow(node, symbol)
        return node

    def prune(self, node: int) -> None:
        """Drop a node and those above it that lead to no substring with rows any more."""
        while node != ROOT and self.alpha[node] == NONE and self._first_child[node] == NONE:
            parent = self._parent[node]
            self._cut(parent, node)
            node = parent

    def _grow(self, parent: int, symbol: int) -> int:
        node = self._spare.pop() if self._spare else self._append()
        self._symbol[node], self._parent[node] = symbol, parent
        self._next_sibling[node] = self._first_child[parent]
        self._first_child[parent] = node
        return node

    def _append(self) -> int:
        for column in (self._symbol, self._parent, self._first_child, self._next_sibling, self.alpha):
            column.append(NONE)
        return len(self.alpha) - 1

    def _cut(self, parent: int, node: int) -> None:
        after = self._next_sibling[node]
        if self._first_child[parent] == node:
            self._first_child[parent] = after
        else:
            before = self._first_child[parent]
            while self._next_sibling[before] != node:
                before = self._next_sibling[before]
            self._next_sibling[before] = after
        self._spare.append(node)
