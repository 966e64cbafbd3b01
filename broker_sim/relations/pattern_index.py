"""Who covers whom among linear paths and tree patterns, without comparing all pairs.

Linear paths stand in a `CoveringIndex`, where answers are exact. A tree pattern has root-to-leaf branches, which are
linear: whatever covers one of them covers the pattern. One branch of a pattern, its longest, is its *signature*. If a
pattern covers another expression by homomorphism, its signature covers one of the other's branches; two more
indices, of signatures and of branches, find those candidates, and `pattern_covers` decides.

Covering of patterns is a preorder: equal questions in different spelling cover each other. Here, of two that do, only
the one with the smaller canonical text covers the other, so that a covering-maximal set has one of them, whatever the
order of arrivals. Answers are sound; where they are incomplete, a table gets larger and nothing is lost.
"""

from __future__ import annotations

from pyroaring import AbstractBitMap, BitMap, FrozenBitMap

from broker_sim.relations.covering import path_covers
from broker_sim.relations.covering_index import CoveringIndex
from broker_sim.relations.overlap import branches
from broker_sim.xpath import Path


class PatternIndex:
    """Paths under numbers of the caller's choice; no two equal linear paths (see `normal_form`)."""

    def __init__(self) -> None:
        self._linear = CoveringIndex()
        self._signatures = CoveringIndex()
        self._branches = CoveringIndex()
        self._owners: dict[int, int] = {}
        self._numbers: dict[int, list[int]] = {}
        self._patterns: dict[int, Path] = {}
        self._coverers: dict[int, FrozenBitMap] = {}
        self._next = 0

    def __len__(self) -> int:
        return len(self._linear) + len(self._patterns)

    @property
    def all_linear(self) -> bool:
        """Whether there is no tree pattern, so that covering is exact and transitive."""
        return not self._patterns

    def add(self, identifier: int, path: Path) -> None:
        """Enter a path under a number that is not in use."""
        self._coverers.clear()
        if path.is_linear:
            self._linear.add(identifier, path)
            return
        self._patterns[identifier] = path
        self._signatures.add(identifier, signature(path))
        numbers = self._numbers[identifier] = []
        for branch in branches_of(path):
            self._branches.add(self._next, branch)
            self._owners[self._next] = identifier
            numbers.append(self._next)
            self._next += 1

    def remove(self, identifier: int) -> None:
        """Take out the path under a number; a `KeyError` if there is none."""
        self._coverers.clear()
        if identifier not in self._patterns:
            self._linear.remove(identifier)
            return
        del self._patterns[identifier]
        self._signatures.remove(identifier)
        for number in self._numbers.pop(identifier):
            self._branches.remove(number)
            del self._owners[number]

    def path(self, identifier: int) -> Path:
        """The path under a number."""
        pattern = self._patterns.get(identifier)
        return self._linear.path(identifier) if pattern is None else pattern

    def coverers_of(self, identifier: int) -> AbstractBitMap:
        """The numbers of all that cover the path under a number, itself included."""
        if self.all_linear:
            return self._linear.coverers_of(identifier)
        found = self._coverers.get(identifier)
        if found is None:
            found = self._coverers[identifier] = FrozenBitMap(self._find_coverers(identifier))
        return found

    def _find_coverers(self, identifier: int) -> BitMap:
        path = self.path(identifier)
        certain, candidates = BitMap([identifier]), BitMap()
        for branch in branches_of(path):
            certain |= self._linear.coverers(branch)
            candidates |= self._signatures.coverers(branch)
        certain |= BitMap(other for other in candidates if path_covers(self._patterns[other], path))
        return BitMap(other for other in certain if other == identifier or self._is_above(other, identifier))

    def covered(self, identifier: int, within: BitMap) -> BitMap:
        """The numbers of `within` that the path under a number covers, itself included if it is there."""
        path = self.path(identifier)
        if self.all_linear:
            return self._linear.covered(path, within)
        lead = path if path.is_linear else signature(path)
        candidates = self._linear.covered(lead, within)
        candidates |= BitMap(self._owners[number] for number in self._branches.covered(lead)) & within
        return BitMap(
            other
            for other in candidates
            if other == identifier or (path_covers(path, self.path(other)) and self._is_above(identifier, other))
        )

    def _is_above(self, first: int, second: int) -> bool:
        """Of two paths of which the first covers the second: whether it stands for it, or is merely its equal."""
        ours, theirs = self.path(first), self.path(second)
        if ours.is_linear and theirs.is_linear:
            return True
        return not path_covers(theirs, ours) or (str(ours), first) < (str(theirs), second)


def branches_of(path: Path) -> tuple[Path, ...]:
    """The distinct root-to-leaf branches of a path, each a linear path; of a linear one, itself."""
    return tuple(Path(steps) for steps in dict.fromkeys(branches((), path.steps)))


def signature(path: Path) -> Path:
    """The longest branch of a pattern, the first by its text among equals."""
    return min(branches_of(path), key=lambda branch: (-len(branch.steps), str(branch)))
