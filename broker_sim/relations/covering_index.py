"""Who covers whom among many linear paths, without comparing them pairwise.

This takes the place of the router paper's subscription tree (section 5). One index serves all brokers of a simulation:
it holds every expression once, under a number, and a broker's question about one of its links is an intersection:
`index.coverers_of(x) & forwarded` tells whether `x` must be sent there, `index.covered(path, forwarded)` what it
makes needless, `index.maximal(forwarded)` what would be enough. Fill the index before asking where you can: answers
are remembered until the next change.

Two structures give the two directions. Who covers a path: one walk over the trie of all patterns (`pattern_trie`).
Whom a path covers: the paths that show all its features (`postings`), each tested by an embedding unless the features
settle it. The covering-maximal set is kept up to date with every change, by those two questions.

Equal expressions cover each other. Of them the one with the smallest (canonical text, id) stands for all in a maximal
set, so that tables do not depend on the order of arrival.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pyroaring import BitMap, FrozenBitMap

from broker_sim.relations.embedding import Target, embeds, pattern_of, target_of
from broker_sim.relations.pattern_trie import PatternTrie, TrieNode
from broker_sim.relations.postings import Postings, is_exact
from broker_sim.xpath import Path


class _Entry(NamedTuple):
    path: Path
    target: Target
    node: TrieNode


class CoveringIndex:
    """Linear paths under numbers of the caller's choice."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        """Hold nothing, and no memory for what is gone."""
        self._entries: dict[int, _Entry] = {}
        self._ids = BitMap()
        self._trie = PatternTrie()
        self._postings = Postings()
        self._maximal = BitMap()
        self._coverers: dict[int, FrozenBitMap] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, identifier: object) -> bool:
        return identifier in self._entries

    def __iter__(self) -> Iterator[int]:
        return iter(self._ids)

    def count_nodes(self) -> int:
        """How many steps the paths amount to when common beginnings are shared."""
        return self._trie.count_nodes()

    def path(self, identifier: int) -> Path:
        """The path under a number, as it was added."""
        return self._entries[identifier].path

    def add(self, identifier: int, path: Path) -> None:
        """Enter a linear path under a number that is not in use."""
        if identifier in self._entries:
            raise ValueError(f"number {identifier} is already taken by {self.path(identifier)}")
        if not path.is_linear:
            raise ValueError(f"expected a linear path, got {path}")
        node = self._trie.node(pattern_of(path))
        entry = self._entries[identifier] = _Entry(path, target_of(path), node)
        self._ids.add(identifier)
        self._postings.add(identifier, entry.target)
        self._coverers.clear()
        if node.ids is None:
            node.ids = [identifier]
            self._expose(identifier)
        else:
            self._regroup(node, sorted([*node.ids, identifier], key=self._rank))

    def remove(self, identifier: int) -> None:
        """Take out the path under a number; a `KeyError` if there is none."""
        path, target, node = self._entries[identifier]
        if len(self._entries) == 1:
            self._begin()
            return
        assert node.ids is not None
        remaining = [other for other in node.ids if other != identifier]
        if remaining:
            self._regroup(node, remaining)
        else:
            node.ids = None
            self._trie.prune(pattern_of(path))
        del self._entries[identifier]
        self._ids.remove(identifier)
        self._postings.remove(identifier, target)
        self._coverers.clear()
        if identifier in self._maximal:
            self._maximal.remove(identifier)
            for other in self.covered(path):
                self._expose(other)

    def equal(self, path: Path) -> BitMap:
        """The numbers of the paths that match the same publications as `path`."""
        node = self._trie.find(pattern_of(path))
        return BitMap((node and node.ids) or ())

    def coverers(self, path: Path) -> BitMap:
        """The numbers of all that cover `path`, equal ones included; `path` itself need not be in the index."""
        return BitMap([number for node in self._trie.covering(path) for number in node.ids or ()])

    def coverers_of(self, identifier: int) -> FrozenBitMap:
        """`coverers` of the path under a number (itself included), remembered until the index changes."""
        found = self._coverers.get(identifier)
        if found is None:
            found = self._coverers[identifier] = FrozenBitMap(self.coverers(self.path(identifier)))
        return found

    def is_covered(self, path: Path) -> bool:
        """Whether a path that is not equal to `path` covers it."""
        own = self._trie.find(pattern_of(path))
        return any(node is not own for node in self._trie.covering(path))

    def covered(self, path: Path, within: BitMap | None = None) -> BitMap:
        """The numbers of all that `path` covers, equal ones included; only those in `within` if it is given."""
        pattern = pattern_of(path)
        candidates = self._postings.candidates(pattern, self._ids if within is None else within & self._ids)
        if is_exact(pattern):
            return candidates
        entries = self._entries
        return BitMap([number for number in candidates if embeds(pattern, entries[number].target)])

    def maximal(self, within: BitMap | None = None) -> BitMap:
        """The covering-maximal numbers, of all or of those in `within`; one for each set of equal expressions."""
        if within is None:
            return self._maximal.copy()
        present = within & self._ids
        return BitMap([number for number in present if self._is_maximal(number, present)])

    def _is_maximal(self, identifier: int, present: BitMap) -> bool:
        rivals = self.coverers_of(identifier) & present
        if len(rivals) == 1:
            return True
        equal = self._entries[identifier].node.ids or ()
        first = next(number for number in equal if number in present)
        return first == identifier and rivals.issubset(BitMap(equal))

    def _expose(self, identifier: int) -> None:
        """Enter a path into the maximal set if it belongs there, and take out what it covers."""
        path, _, node = self._entries[identifier]
        if node.ids is None or node.ids[0] != identifier:
            return
        if any(other is not node for other in self._trie.covering(path)):
            return
        self._maximal -= self.covered(path, self._maximal)
        self._maximal.add(identifier)

    def _regroup(self, node: TrieNode, ids: list[int]) -> None:
        """Give a node the numbers of its equal paths, by rank; the first of them stands for all."""
        assert node.ids is not None
        if node.ids[0] in self._maximal:
            self._maximal.remove(node.ids[0])
            self._maximal.add(ids[0])
        node.ids = ids

    def _rank(self, identifier: int) -> tuple[str, int]:
        return str(self.path(identifier)), identifier
