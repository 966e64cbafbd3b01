"""A content-based router: two tables, and what each message does to them.

The *subscription routing table* (SRT) holds advertisements with the hop they came from: subscriptions that overlap one
go there. The *publication routing table* (PRT) holds subscriptions with the hops they came from: publications that
match one go there (router paper, sections 2 and 4). For each link, a `Forwarding` keeps what has been sent on it.

`handle` is deterministic and free of clock and wire. Hops that are not neighbours are clients. A client is notified of
a document once, however many of its paths match. A subscription that overlaps no advertisement yet waits in the PRT
and is forwarded when one comes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pyroaring import BitMap

from broker_sim.errors import DocumentError
from broker_sim.routing.advertised import AdvertisedSet
from broker_sim.routing.forwarding import Change, Forwarding, forwarding_for
from broker_sim.routing.knowledge import Knowledge
from broker_sim.routing.message import Kind, Message
from broker_sim.routing.strategy import Strategy

Outgoing = list[tuple[str, Message]]


class Broker:
    """One broker and its tables."""

    def __init__(self, name: str, neighbours: Iterable[str], strategy: Strategy, knowledge: Knowledge) -> None:
        self.name = name
        self.strategy = strategy
        self.knowledge = knowledge
        self.links: dict[str, Forwarding] = {hop: forwarding_for(strategy, knowledge) for hop in neighbours}
        self.srt: dict[str, set[tuple[str, int]]] = {}
        self.prt: dict[str, BitMap] = {}
        self.srt_size = 0
        """Advertisements known, each from one hop."""
        self.prt_size = 0
        """Subscriptions known, counted once for each hop they came from."""
        self._advertised: dict[str, AdvertisedSet] = {}
        self._hops: Counter[int] = Counter()
        self._notified: dict[str, BitMap] = {}
        self._made = 0

    def handle(self, message: Message, from_hop: str) -> Outgoing:
        """Take in one message; returns what to send, in order."""
        match message.kind:
            case "publish":
                return self._publish(message, from_hop)
            case "subscribe":
                return self._subscribe(message, from_hop)
            case "unsubscribe":
                return self._unsubscribe(message, from_hop)
            case "advertise":
                return self._advertise(message, from_hop)
            case "unadvertise":
                return self._unadvertise(message, from_hop)

    def settle(self) -> Outgoing:
        """The overlay is at rest: form mergers."""
        return [sent for hop, link in self.links.items() for sent in self._tell(hop, link.settle())]

    # Publications

    def _publish(self, message: Message, from_hop: str) -> Outgoing:
        if self.strategy.advertise and from_hop not in self.links:
            self._check_advertised(message, from_hop)
        matches = self.knowledge.matches(message.key)
        return [
            (hop, message)
            for hop, table in self.prt.items()
            if table.intersect(matches) and (hop != from_hop if hop in self.links else self._first(hop, message.doc_id))
        ]

    def _first(self, client: str, doc_id: int) -> bool:
        """Whether the client has not yet been notified of the document; it is now."""
        notified = self._notified.setdefault(client, BitMap())
        if doc_id in notified:
            return False
        notified.add(doc_id)
        return True

    def _check_advertised(self, message: Message, publisher: str) -> None:
        refused = self.knowledge.refused(self._advertised_by(publisher), message.key)
        if refused is not None:
            raise DocumentError(
                f"publisher {publisher} did not advertise the path /{'/'.join(refused)}; "
                "publish documents of the advertised DTD, or advertise everything",
                source=f"document {message.doc_id}",
            )

    # Subscriptions

    def _subscribe(self, message: Message, from_hop: str) -> Outgoing:
        table = self.prt.setdefault(from_hop, BitMap())
        if message.key in table:
            return []
        self.knowledge.learn(message.key)
        table.add(message.key)
        self.prt_size += 1
        self._hops[message.key] += 1
        return self._reconcile(message.key, self.links, message)

    def _unsubscribe(self, message: Message, from_hop: str) -> Outgoing:
        table = self.prt.get(from_hop)
        if table is None or message.key not in table:
            return []
        table.remove(message.key)
        self.prt_size -= 1
        if not table:
            del self.prt[from_hop]
        self._hops[message.key] -= 1
        if not self._hops[message.key]:
            del self._hops[message.key]
        return self._reconcile(message.key, self.links, message)

    # Advertisements

    def _advertise(self, message: Message, from_hop: str) -> Outgoing:
        entries = self.srt.setdefault(from_hop, set())
        entry = (message.origin, message.key)
        if entry in entries:
            return []
        entries.add(entry)
        self.srt_size += 1
        return self._advertised_anew(message, from_hop)

    def _unadvertise(self, message: Message, from_hop: str) -> Outgoing:
        entries = self.srt.get(from_hop, set())
        entry = (message.origin, message.key)
        if entry not in entries:
            return []
        entries.remove(entry)
        self.srt_size -= 1
        return self._advertised_anew(message, from_hop)

    def _advertised_anew(self, message: Message, from_hop: str) -> Outgoing:
        """An advertisement of `from_hop` came or went: tell the others; what overlaps it may have to follow."""
        self._advertised.pop(from_hop, None)
        sent = [(hop, message) for hop in self.links if hop != from_hop]
        if from_hop in self.links and self._hops:
            one = self.knowledge.advertised(frozenset((message.key,)))
            for key in sorted(self._hops):
                if self.knowledge.overlaps(one, key):
                    sent += self._reconcile(key, (from_hop,))
        return sent

    def _advertised_by(self, hop: str) -> AdvertisedSet:
        """All that is advertised from `hop`."""
        found = self._advertised.get(hop)
        if found is None:
            keys = frozenset(key for _, key in self.srt.get(hop, ()))
            found = self._advertised[hop] = self.knowledge.advertised(keys)
        return found

    # What flows where

    def _needed(self, key: int, hop: str) -> bool:
        """Whether a subscription must flow to `hop`: somebody else asks for it and somebody there may publish it."""
        others = self._hops[key] - (key in self.prt.get(hop, ()))
        if others <= 0 or not self.strategy.advertise:
            return others > 0
        return self.knowledge.overlaps(self._advertised_by(hop), key)

    def _reconcile(self, key: int, hops: Iterable[str], cause: Message | None = None) -> Outgoing:
        """Bring what each link carries in line with the tables, as far as `key` is concerned."""
        sent: Outgoing = []
        for hop in hops:
            link = self.links[hop]
            needed = self._needed(key, hop)
            if needed != (key in link.needed):
                sent += self._tell(hop, link.add(key) if needed else link.discard(key), cause)
        return sent

    def _tell(self, hop: str, changes: Iterable[Change], cause: Message | None = None) -> Outgoing:
        """The messages that tell `hop` of changes; the message that caused one is passed on as it is."""
        return [
            (hop, cause if cause is not None and (cause.kind, cause.key) == change else self._made_here(*change))
            for change in changes
        ]

    def _made_here(self, kind: Kind, key: int) -> Message:
        self._made += 1
        return Message(kind, self.name, self._made, key, size=self.knowledge.values.subscription_size(key))
