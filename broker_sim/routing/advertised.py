"""All that is advertised from one hop, as one thing to ask.

A subscription follows a link when *any* advertisement from there overlaps it, and a publisher may send what *any* of
its advertisements allows. So the advertisements of a hop are asked together, through the one automaton of their union,
and an answer is remembered for as long as the set stands.
"""

from __future__ import annotations

from collections.abc import Iterable

from pyroaring import BitMap

from broker_sim.relations import overlaps
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
