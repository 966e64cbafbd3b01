"""One advertisement tree as one broker sees it: who advertises and asks for what, and what each link carries.

On a topology that is a tree, one such tree serves all publishers, with a link to every neighbour. On any other, each
publisher's advertisements span a tree of their own: the broker's only link in it is its *parent*, the hop from which
the tree's first advertisement arrived, and subscriptions of it go nowhere else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from pyroaring import BitMap

from broker_sim.routing.advertised import AdvertisedSet
from broker_sim.routing.announcing import Announced
from broker_sim.routing.clients import Clients
from broker_sim.routing.forwarding import Change, Forwarding, SchemaCovering, forwarding_for
from broker_sim.routing.knowledge import Knowledge
from broker_sim.routing.strategy import Strategy

HopChange = tuple[str, Change]
"""What to tell which hop."""


class Tree:
    """The tables of one tree. `parent` is None where the tree serves all publishers."""

    def __init__(
        self,
        clients: Clients,
        links: Iterable[str],
        strategy: Strategy,
        knowledge: Knowledge,
        parent: str | None = None,
    ) -> None:
        self.parent = parent
        self.links: dict[str, Forwarding] = {hop: forwarding_for(strategy, knowledge) for hop in links}
        self.srt: dict[str, set[tuple[str, int]]] = {}
        self.prt: dict[str, BitMap] = {}
        self._clients = clients
        self._advertise = strategy.advertise
        self.announced: dict[str, Announced] = {}
        """What each neighbour was told is advertised here, where covered advertisements are kept back."""
        self._knowledge = knowledge
        self._advertised: dict[str, AdvertisedSet] = {}
        self._hops: Counter[int] = Counter()

    # Advertisements

    def advertise(self, entry: tuple[str, int], hop: str) -> bool:
        """Note an advertisement (origin and key) of a hop; whether it is new."""
        entries = self.srt.setdefault(hop, set())
        new = entry not in entries
        if new:
            entries.add(entry)
            self._advertised.pop(hop, None)
        return new

    def unadvertise(self, entry: tuple[str, int], hop: str) -> bool:
        """Forget an advertisement of a hop; whether it was there."""
        entries = self.srt.get(hop, set())
        known = entry in entries
        if known:
            entries.remove(entry)
            self._advertised.pop(hop, None)
            if not entries:
                del self.srt[hop]
        return known

    def advertised_by(self, hop: str) -> AdvertisedSet:
        """All that is advertised from a hop."""
        found = self._advertised.get(hop)
        if found is None:
            keys = frozenset(key for _, key in self.srt.get(hop, ()))
            found = self._advertised[hop] = self._knowledge.advertised(keys)
        return found

    def reconcile_overlapping(self, advertisement: int, hop: str) -> Iterator[HopChange]:
        """An advertisement of a hop came or went: what overlaps it may have to follow.

        A tree pattern may need several advertisements together, one for each branch, so every pattern is looked at.
        """
        if hop not in self.links:
            return
        link = self.links[hop]
        if isinstance(link, SchemaCovering):
            for change in link.readvertise(self.advertised_by(hop)):
                yield hop, change
        one = self._knowledge.advertised(frozenset((advertisement,)))
        for key in sorted({*self._hops, *self._clients.asking}):
            if not self._knowledge.values.path(key).is_linear or self._knowledge.overlaps(one, key):
                yield from self.reconcile(key, (hop,))

    # Subscriptions

    def subscribe(self, key: int, hop: str) -> bool:
        """Note a subscription of a neighbour; whether it is new."""
        table = self.prt.setdefault(hop, BitMap())
        if key in table:
            return False
        table.add(key)
        self._hops[key] += 1
        return True

    def unsubscribe(self, key: int, hop: str) -> bool:
        """Forget a subscription of a neighbour; whether it was there."""
        table = self.prt.get(hop)
        if table is None or key not in table:
            return False
        table.remove(key)
        if not table:
            del self.prt[hop]
        self._hops[key] -= 1
        if not self._hops[key]:
            del self._hops[key]
        if not self._hops:
            self._hops.clear()  # An empty table may still have the memory of a full one.
        return True

    def reconcile(self, key: int, hops: Iterable[str] | None = None) -> Iterator[HopChange]:
        """Bring what links carry in line with the tables, as far as `key` is concerned."""
        for hop in self.links if hops is None else hops:
            link = self.links[hop]
            needed = self._needed(key, hop)
            if needed != (key in link.needed):
                for change in link.add(key) if needed else link.discard(key):
                    yield hop, change

    def _needed(self, key: int, hop: str) -> bool:
        """Whether a subscription must flow to `hop`: somebody else asks for it and somebody there may publish it."""
        if not self.asks_beside(key, hop):
            return False
        return not self._advertise or self._knowledge.overlaps(self.advertised_by(hop), key)

    def asks_beside(self, key: int, hop: str) -> bool:
        """Whether anybody but `hop` asks for a subscription."""
        others = self._hops.get(key, 0) + self._clients.asking.get(key, 0)
        return others > (key in self.prt.get(hop, ()))

    def asked(self) -> BitMap:
        """All that anybody asks for."""
        return BitMap([*self._hops, *self._clients.asking])

    def settle(self) -> Iterator[HopChange]:
        """The overlay is at rest: form mergers."""
        for hop, link in self.links.items():
            for change in link.settle():
                yield hop, change

    # Publications

    def onward(self, matches: BitMap, from_hop: str) -> list[str]:
        """The neighbours that a publication goes on to."""
        return [hop for hop, table in self.prt.items() if hop != from_hop and table.intersect(matches)]
