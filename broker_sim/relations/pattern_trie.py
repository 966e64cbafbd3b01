"""All patterns of an index as one trie, run like an automaton to find those that cover a path.

The trie shares the steps of the patterns (see `embedding`), each written in its loosest spelling: `//` before, inside
and behind a loose run of `*`, `/` elsewhere. In that spelling an embedding simply maps step to step, so the trie can be
run like YFilter's shared automaton, with the path in question as the document: its nodes are read one by one; `*` in
it is a label that only `*` accepts; over its `/` all edges may advance, over its `//` only loose ones; and a node with
loose edges, once reached, waits for all that follows. A pattern whose end is reached covers the path.

A walk costs the nodes that are active or waiting at each step of the path, not the number of patterns.
"""

from __future__ import annotations

from collections.abc import Iterator

from broker_sim.relations.embedding import Pattern
from broker_sim.xpath import CHILD, WILDCARD, Path


class TrieNode:
    """What follows by `/` and by `//`, and the ids of the patterns that end here; empty ones are None to save room."""

    __slots__ = ("ids", "loose", "rigid")

    def __init__(self) -> None:
        self.rigid: dict[str, TrieNode] | None = None
        self.loose: dict[str, TrieNode] | None = None
        self.ids: list[int] | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing ends here or below."""
        return self.rigid is None and self.loose is None and self.ids is None

    def edges(self, loose: bool) -> dict[str, TrieNode] | None:
        """The edges of one kind."""
        return self.loose if loose else self.rigid

    def grow(self, loose: bool, name: str) -> TrieNode:
        """The node behind an edge, made if it is not there."""
        edges = self.edges(loose)
        if edges is None:
            edges = {}
            if loose:
                self.loose = edges
            else:
                self.rigid = edges
        node = edges.get(name)
        if node is None:
            node = edges[name] = TrieNode()
        return node

    def cut(self, loose: bool, name: str) -> None:
        """Remove an edge that is there."""
        edges = self.edges(loose)
        assert edges is not None
        del edges[name]
        if not edges:
            if loose:
                self.loose = None
            else:
                self.rigid = None


class PatternTrie:
    """Patterns by their loosest spelling. What ends at a node is the business of whoever owns the trie."""

    def __init__(self) -> None:
        self._root = TrieNode()

    def node(self, pattern: Pattern) -> TrieNode:
        """The node where `pattern` ends, made if it is not there."""
        node = self._root
        for loose, name in _loosest(pattern):
            node = node.grow(loose, name)
        return node

    def find(self, pattern: Pattern) -> TrieNode | None:
        """The node where `pattern` ends, if it is there."""
        node = self._root
        for loose, name in _loosest(pattern):
            edges = node.edges(loose)
            if edges is None or name not in edges:
                return None
            node = edges[name]
        return node

    def prune(self, pattern: Pattern) -> None:
        """Drop the nodes of `pattern`, from its end up, that nothing needs any more."""
        trail: list[tuple[TrieNode, bool, str]] = []
        node = self._root
        for loose, name in _loosest(pattern):
            trail.append((node, loose, name))
            node = node.grow(loose, name)
        for parent, loose, name in reversed(trail):
            if not node.is_empty:
                return
            parent.cut(loose, name)
            node = parent

    def count_nodes(self) -> int:
        """How many nodes there are, without the root."""
        nodes = [self._root]
        for node in nodes:
            for edges in (node.rigid, node.loose):
                nodes += edges.values() if edges else ()
        return len(nodes) - 1

    def covering(self, path: Path) -> Iterator[TrieNode]:
        """The nodes where patterns end that cover `path`, a linear one; each once, the shortest first."""
        active = [self._root]
        waiting = [self._root.loose] if self._root.loose else []
        seen: set[TrieNode] = set()
        for step in path.steps:
            active = _advance(active if step.axis == CHILD else (), waiting, step.name)
            for node in active:
                if (node.ids is None and node.loose is None) or node in seen:
                    continue
                seen.add(node)
                if node.loose is not None:
                    waiting.append(node.loose)
                if node.ids is not None:
                    yield node


def _advance(active: list[TrieNode] | tuple[()], waiting: list[dict[str, TrieNode]], name: str) -> list[TrieNode]:
    reached: list[TrieNode] = []
    for node in active:
        edges = node.rigid
        if edges is not None:
            if name in edges:
                reached.append(edges[name])
            if WILDCARD in edges and name != WILDCARD:
                reached.append(edges[WILDCARD])
    for edges in waiting:
        if name in edges:
            reached.append(edges[name])
        if WILDCARD in edges and name != WILDCARD:
            reached.append(edges[WILDCARD])
    return reached


def _loosest(pattern: Pattern) -> list[tuple[bool, str]]:
    """The steps of a pattern: whether a step is loose, and its name."""
    steps: list[tuple[bool, str]] = []
    for distance, names, _ in pattern.segments:
        steps += [(True, WILDCARD)] * (distance - 1)
        steps += [(False, name) for name in names]
        if distance:
            steps[-len(names)] = (True, names[0])
    return steps + [(True, WILDCARD)] * pattern.trailing
