"""What one link carries: the set of subscriptions forwarded on it, under each kind of strategy.

For one outgoing link (and advertisement tree) the *needed* set is everything that must flow that way; the *wire* set is
what the neighbour has been told. `Plain` forwards all that is needed. `Covering` forwards the covering-maximal
subset (router paper, section 5): a new subscription that is covered stays here, one that covers forwarded ones
replaces them, and a removal re-exposes what only the removed one covered. `SchemaCovering` goes on from there with what
covers on all that is advertised from the link, `Merging` replaces groups of maximal ones by mergers. Each returns the
changes to the wire set in the order in which the neighbour must hear of them.

We depart from the paper in that order: it unsubscribes first, then subscribes. A document that arrives at the neighbour
between the two would be lost, and the neighbour would expose, for that moment, everything the removed one covered. So
additions come first. The number of messages is what the paper counts.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Literal, Protocol

from pyroaring import BitMap

from broker_sim.routing.advertised import AdvertisedSet
from broker_sim.routing.knowledge import Knowledge
from broker_sim.routing.strategy import Strategy

Change = tuple[Literal["subscribe", "unsubscribe"], int]


class Forwarding(Protocol):
    """The needed and the wire set of one link."""

    @property
    def needed(self) -> BitMap:
        """What must flow this way."""

    @property
    def wire(self) -> BitMap:
        """What the neighbour has been told."""

    def add(self, key: int) -> list[Change]:
        """A subscription must now flow this way."""

    def discard(self, key: int) -> list[Change]:
        """A subscription need no longer flow this way."""

    def settle(self) -> list[Change]:
        """The overlay is at rest: time for what is not done at every change."""

    def standing_for(self, key: int) -> BitMap:
        """What is on the wire for a subscription that must flow this way: itself, what covers it, or a merger."""


class Plain:
    """Forwards all that is needed."""

    def __init__(self) -> None:
        self.needed = self.wire = BitMap()

    def add(self, key: int) -> list[Change]:
        if key in self.wire:
            return []
        self.wire.add(key)
        return [("subscribe", key)]

    def discard(self, key: int) -> list[Change]:
        if key not in self.wire:
            return []
        self.wire.remove(key)
        return [("unsubscribe", key)]

    def settle(self) -> list[Change]:
        return []

    def standing_for(self, key: int) -> BitMap:
        return BitMap([key]) & self.wire


class Covering:
    """Forwards the covering-maximal subset of what is needed.

    Covering is a partial order on keys, so that subset is unique: it does not depend on the order of arrivals and
    removals. With tree patterns among them, coverings may be missed, and covering is not transitive as far as we know
    it; a removal then looks at all that is not forwarded.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self.needed = BitMap()
        self.wire = BitMap()

    def add(self, key: int) -> list[Change]:
        if key in self.needed:
            return []
        self.needed.add(key)
        if self._knowledge.coverers(key).intersect(self.wire):
            return []
        replaced = self._knowledge.covered(key, self.wire)
        self.wire -= replaced
        self.wire.add(key)
        return [("subscribe", key), *(("unsubscribe", other) for other in replaced)]

    def discard(self, key: int) -> list[Change]:
        if key not in self.needed:
            return []
        self.needed.remove(key)
        if key not in self.wire:
            return []
        self.wire.remove(key)
        exposed = self._exposed(key)
        self.wire |= exposed
        return [*(("subscribe", other) for other in exposed), ("unsubscribe", key)]

    def _exposed(self, key: int) -> BitMap:
        """What is maximal now that `key` is gone: the maximal part of what it alone had covered."""
        exact = self._knowledge.exact
        candidates = self._knowledge.covered(key, self.needed) if exact else self.needed - self.wire
        rivals = self.wire | candidates
        coverers = self._knowledge.coverers
        exposed = BitMap(other for other in candidates if coverers(other).intersection_cardinality(rivals) == 1)
        if not exact:
            standing = self.wire | exposed
            exposed |= BitMap(other for other in candidates - exposed if not coverers(other).intersect(standing))
        return exposed

    def settle(self) -> list[Change]:
        return []

    def standing_for(self, key: int) -> BitMap:
        return BitMap([key]) if key in self.wire else BitMap(self._knowledge.coverers(key)) & self.wire


class _OverMaximal(ABC):
    """A wire set that follows the covering-maximal set."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._maximal = Covering(knowledge)
        self.wire = BitMap()

    @property
    def needed(self) -> BitMap:
        return self._maximal.needed

    def add(self, key: int) -> list[Change]:
        return self._follow(self._maximal.add(key))

    def discard(self, key: int) -> list[Change]:
        return self._follow(self._maximal.discard(key))

    @abstractmethod
    def _follow(self, changes: list[Change]) -> list[Change]:
        """Carry changes of the maximal set over to the wire set."""


class SchemaCovering(_OverMaximal):
    """Covering, then of the maximal set only what is maximal on the publications that can arrive over the link.

    Those are the publications of all advertisements from there. When advertisements come or go, so does what covers.
    Tree patterns take part in plain covering only.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        super().__init__(knowledge)
        self._advertised = knowledge.advertised(frozenset())

    def readvertise(self, advertised: AdvertisedSet) -> list[Change]:
        """Something else is advertised from now on."""
        self._advertised = advertised
        before, self.wire = self.wire, BitMap()
        self._enter(self._maximal.wire)
        return _difference(before, self.wire)

    def _follow(self, changes: list[Change]) -> list[Change]:
        before = self.wire.copy()
        self._enter(BitMap(key for kind, key in changes if kind == "subscribe"))
        gone = BitMap(key for kind, key in changes if kind == "unsubscribe") & self.wire
        self.wire -= gone
        if gone:
            hidden = self._maximal.wire - self.wire
            self._enter(BitMap(key for key in hidden if self._dominators(key, gone)))
        return _difference(before, self.wire)

    def _enter(self, keys: BitMap) -> None:
        """Put keys of the maximal set on the wire, unless another one there stands for them."""
        for key in keys:
            if not self._dominators(key, self.wire):
                self.wire -= BitMap(other for other in self.wire if self._above(key, other))
                self.wire.add(key)

    def _dominators(self, key: int, among: BitMap) -> BitMap:
        return BitMap(other for other in among if self._above(other, key))

    def _above(self, first: int, second: int) -> bool:
        return self._knowledge.above(self._advertised, first, second)

    def settle(self) -> list[Change]:
        return []

    def standing_for(self, key: int) -> BitMap:
        standing = BitMap()
        for maximal in self._maximal.standing_for(key):
            standing |= BitMap([maximal]) if maximal in self.wire else self._dominators(maximal, self.wire)
        return standing


class Merging(_OverMaximal):
    """Covering, then mergers over the maximal set.

    Mergers are formed at rest, or when the maximal set has changed by more than the strategy's threshold. Between
    those moments a new maximal subscription joins a merger that covers it, or is forwarded as it is; a merger
    that loses a part is undone: its other parts are forwarded by themselves until the next rest.
    """

    def __init__(self, knowledge: Knowledge, max_degree: float, threshold: int) -> None:
        super().__init__(knowledge)
        self._max_degree = max_degree
        self._threshold = threshold
        self._parts: dict[int, BitMap] = {}
        self._home: dict[int, int] = {}
        self._changed = 0

    def _follow(self, changes: list[Change]) -> list[Change]:
        self._changed += len(changes)
        if self._changed > self._threshold:
            return self.settle()
        before = self.wire.copy()
        for kind, key in changes:
            if kind == "subscribe":
                self._join(key)
            else:
                self._leave(key)
        return _difference(before, self.wire)

    def _join(self, key: int) -> None:
        above = self._knowledge.coverers(key) & self.wire
        home = above.min() if above else key
        self._home[key] = home
        self._parts.setdefault(home, BitMap()).add(key)
        self.wire.add(home)

    def _leave(self, key: int) -> None:
        home = self._home.pop(key)
        others = self._parts.pop(home)
        others.remove(key)
        self.wire.remove(home)
        for other in others:
            self._join(other)

    def settle(self) -> list[Change]:
        if not self._changed:
            return []
        self._changed = 0
        merged = self._knowledge.mergers(self._maximal.wire, self._max_degree)
        self._parts = {merger: parts.copy() for merger, parts in merged.items()}
        self._home = {part: merger for merger, parts in merged.items() for part in parts}
        before, self.wire = self.wire, BitMap(merged)
        return _difference(before, self.wire)

    def standing_for(self, key: int) -> BitMap:
        return BitMap(self._home[part] for part in self._maximal.standing_for(key))


def _difference(before: BitMap, after: BitMap) -> list[Change]:
    """Additions, then removals."""
    return [*(("subscribe", key) for key in after - before), *(("unsubscribe", key) for key in before - after)]


def forwarding_for(strategy: Strategy, knowledge: Knowledge) -> Forwarding:
    """An empty link under `strategy`."""
    if strategy.max_degree is not None:
        return Merging(knowledge, strategy.max_degree, strategy.merge_threshold)
    if strategy.schema_cover:
        return SchemaCovering(knowledge)
    return Covering(knowledge) if strategy.cover else Plain()
