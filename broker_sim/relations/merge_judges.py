"""Whether a merger is allowed: by its imperfect degree over a DTD, or only if it is perfect over any names."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Protocol

from broker_sim.relations.perfect_merging import is_perfect
from broker_sim.relations.publication_count import PublicationCounter
from broker_sim.relations.residuals import Steps


class Judge(Protocol):
    """Answers for a merger that covers all `parts`."""

    def degree(self, merger: Steps, parts: Iterable[Steps]) -> Fraction | None:
        """The imperfect degree of an allowed merger; None for one that is not allowed."""


class DegreeJudge:
    """Allows mergers up to an imperfect degree; remembers the counts of single paths."""

    def __init__(self, counter: PublicationCounter, max_degree: float) -> None:
        self._counter = counter
        self._kept, self._of = (1 - Fraction(max_degree)).as_integer_ratio()
        self._sizes: dict[Steps, int] = {}

    def degree(self, merger: Steps, parts: Iterable[Steps]) -> Fraction | None:
        """The degree, if it is not above the bound; the union is counted only if the sum of its parts could do."""
        size = self._size(merger)
        if not size:
            return Fraction(0)
        distinct = set(parts)
        if self._too_few(sum(map(self._size, distinct)), size):
            return None
        union = self._counter.count(distinct)
        return None if self._too_few(union, size) else Fraction(size - union, size)

    def _too_few(self, wanted: int, size: int) -> bool:
        return wanted * self._of < size * self._kept

    def _size(self, path: Steps) -> int:
        size = self._sizes.get(path)
        if size is None:
            size = self._sizes[path] = self._counter.count([path])
        return size


class PerfectJudge:
    """Allows mergers that are perfect over any names."""

    def degree(self, merger: Steps, parts: Iterable[Steps]) -> Fraction | None:
        """0 for a perfect merger."""
        return Fraction(0) if is_perfect(merger, parts) else None
