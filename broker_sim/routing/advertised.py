"""All that is advertised from one hop, as one thing to ask.

A subscription follows a link when *any* advertisement from there overlaps it, and a publisher may send what *any* of
its advertisements allows. So the advertisements of a hop are asked together, through the one automaton of their union,
and an answer is remembered for as long as the set stands.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from pyroaring import BitMap

from broker_sim.relations import overlaps
from broker_sim.relations.path_automaton import PathAutomaton
from broker_sim.relations.schema_covering import witness
from broker_sim.xpath import Path
from dtd_ads.advertisement import Advertisement, AdvertisementSet
from dtd_ads.automaton import automaton_of

PublicationPath = tuple[str, ...]


class AdvertisedSet:
    """A set of advertisements, with what is known of it."""

    def __init__(self, advertisements: Iterable[Advertisement]) -> None:
        self._set = AdvertisementSet(tuple(advertisements), "paths", exact=False)
        self._asked = BitMap()
        self._overlapping = BitMap()
        self._refused: dict[int, PublicationPath | None] = {}
        self._samples: dict[int, PublicationPath | None] = {}
        self._above: dict[tuple[int, int], bool] = {}

    def overlaps(self, key: int, path: Path) -> bool:
        """Whether a publication of this set may match the subscription to `path` under `key`."""
        if key not in self._asked:
            self._asked.add(key)
            if self._set.advertisements and overlaps(self._set, path):
                self._overlapping.add(key)
        return key in self._overlapping

    def refused(self, key: int, paths: Iterable[PublicationPath]) -> PublicationPath | None:
        """The first of `paths`, those of the publication under `key`, that is not in this set; None if all are."""
        if key not in self._refused:
            automaton = automaton_of(self._set)
            self._refused[key] = next((path for path in paths if not automaton.accepts(path)), None)
        return self._refused[key]

    def above(self, first: int, first_path: Path, second: int, second_path: Path) -> bool:
        """Whether, on all that is advertised, the first of two linear paths stands for the second.

        That is, it matches whatever the second matches; of two that match the same, the one with the smaller text
        stands for the other. So this is a strict partial order.
        """
        known = self._above.get((first, second))
        if known is None:
            known = self._above[first, second] = self._covers(first_path, second, second_path) and (
                str(first_path) < str(second_path) or not self._covers(second_path, first, first_path)
            )
        return known

    def _covers(self, first_path: Path, second: int, second_path: Path) -> bool:
        """Whoever covers a path matches any one publication that it matches: a sample settles most pairs."""
        if second not in self._samples:
            self._samples[second] = witness((), second_path, automaton_of(self._set))
        sample = self._samples[second]
        if sample is None:
            return True
        return _automaton(first_path).matches(sample) and (
            witness((first_path,), second_path, automaton_of(self._set)) is None
        )


@lru_cache(maxsize=1 << 12)
def _automaton(path: Path) -> PathAutomaton:
    return PathAutomaton([path])
