"""What follows from values alone, worked out once however many brokers ask.

A thousand brokers that ask whether the same subscription overlaps the same advertisements need the answer once. So
the brokers of a simulation share one `Knowledge`, and everything a broker decides is an intersection of its own tables
with bitmaps of keys from here: which subscriptions overlap what a hop advertises, which ones cover another or are
covered by it, and which ones a publication matches (through one engine for all). The answers are those that each broker
would find alone: a broker may as well have a `Knowledge` of its own, and a test runs an overlay so.

A subscription must be learned before it is asked about. Learn many before the first question where you can, since
matches and coverings are remembered until the next one comes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pyroaring import AbstractBitMap, BitMap

from broker_sim.engines import Engine
from broker_sim.engines.documents import parse, publications
from broker_sim.relations import advertisement_covers, merge_set
from broker_sim.relations.pattern_index import PatternIndex
from broker_sim.routing.advertised import AdvertisedSet, PublicationPath
from broker_sim.routing.values import Values
from broker_sim.xpath import Expression
from dtd_ads import Schema

MATCH_CACHE: Final = 100_000
"""How many publications' matches are kept."""


class Knowledge:
    """Relations between interned values, by one engine and one covering index."""

    def __init__(
        self,
        values: Values,
        engine: Engine,
        *,
        cover: bool = False,
        schema: Schema | None = None,
        merge_depth: int = 10,
    ) -> None:
        self.values = values
        self._engine = engine
        self._schema = schema
        self._merge_depth = merge_depth
        self._index = PatternIndex() if cover else None
        self._learned = BitMap()
        self._advertised: dict[frozenset[int], AdvertisedSet] = {}
        self._inclusions: dict[tuple[int, int], bool] = {}
        self._matches: dict[int, BitMap] = {}
        self._mergers: dict[tuple[bytes, float], dict[int, BitMap]] = {}

    def learn(self, key: int) -> None:
        """Take in a subscription, if it is not known yet."""
        if key in self._learned:
            return
        self._learned.add(key)
        path = self.values.path(key)
        self._engine.add(key, path)
        self._matches.clear()
        if self._index is not None:
            self._index.add(key, path)

    def forget(self, keys: BitMap) -> None:
        """Give up subscriptions that stand in no table, and what was remembered of publications."""
        for key in keys & self._learned:
            self._engine.remove(key)
            if self._index is not None:
                self._index.remove(key)
        self._learned -= keys
        self._matches.clear()
        self._mergers.clear()
        self._advertised.clear()

    def advertised(self, keys: frozenset[int]) -> AdvertisedSet:
        """The set of the advertisements under `keys`."""
        found = self._advertised.get(keys)
        if found is None:
            found = self._advertised[keys] = AdvertisedSet(map(self.values.advertised, sorted(keys)))
        return found

    def overlaps(self, advertised: AdvertisedSet, key: int) -> bool:
        """Whether something advertised may match a subscription."""
        return advertised.overlaps(key, self.values.path(key))

    def above(self, advertised: AdvertisedSet, first: int, second: int) -> bool:
        """Whether one linear subscription stands for another on all that is advertised."""
        ours, theirs = self.values.path(first), self.values.path(second)
        return first != second and ours.is_linear and theirs.is_linear and advertised.above(first, ours, second, theirs)

    def advertisement_covers(self, first: int, second: int) -> bool:
        """Whether every publication of one advertisement is one of another."""
        known = self._inclusions.get((first, second))
        if known is None:
            answer = advertisement_covers(self.values.advertised(first), self.values.advertised(second))
            known = self._inclusions[first, second] = answer
        return known

    def refused(self, advertised: AdvertisedSet, key: int) -> PublicationPath | None:
        """A path of a publication that is not advertised; None if all are."""
        content = self.values.published(key)
        return advertised.refused(key, publications(parse(content)) if isinstance(content, bytes) else (content,))

    def coverers(self, key: int) -> AbstractBitMap:
        """The subscriptions that cover this one, itself included."""
        assert self._index is not None
        return self._index.coverers_of(key)

    def covered(self, key: int, within: BitMap) -> BitMap:
        """The subscriptions of `within` that this one covers, itself included if it is there."""
        assert self._index is not None
        return self._index.covered(key, within)

    @property
    def exact(self) -> bool:
        """Whether all coverings among what is known are found, so that they are transitive."""
        return self._index is not None and self._index.all_linear

    def mergers(self, keys: BitMap, max_degree: float) -> dict[int, BitMap]:
        """How `keys`, a covering-maximal set, merges: the keys to forward, and which ones each stands for."""
        memo = (keys.serialize(), max_degree)
        found = self._mergers.get(memo)
        if found is None:
            of_path: dict[Expression, int] = {self.values.path(key): key for key in keys}
            found = self._mergers[memo] = {
                self.values.subscription(entry.expression.disjuncts[0]): BitMap(of_path[part] for part in entry.parts)
                for entry in merge_set(list(of_path), self._schema, max_degree, self._merge_depth)
            }
            for merger in found:
                self.learn(merger)
        return found

    def matches(self, key: int) -> BitMap:
        """The subscriptions that a publication matches."""
        found = self._matches.get(key)
        if found is None:
            if len(self._matches) >= MATCH_CACHE:
                self._matches.clear()
            content = self.values.published(key)
            engine = self._engine
            found = engine.match(content) if isinstance(content, bytes) else engine.match_path(content)
            self._matches[key] = found
        return found


def tidy(knowledges: Iterable[Knowledge], values: Values) -> None:
    """Forget, when nothing is on a wire, the subscriptions that stand in no table, and all publications."""
    unused = values.unused()
    for knowledge in knowledges:
        knowledge.forget(unused)
    values.forget(unused)
