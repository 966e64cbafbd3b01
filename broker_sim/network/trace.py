"""Who sent what to whom, and when: a sample of the messages of a run, in bounded space.

What is sampled are *journeys*, each whole: one advertisement or subscription with all the links that it passes, or one
document with all its publications and notifications. The publications of a document on one link are one hop that knows
how many they were. Of each kind, at most `LIMIT` hops are kept: when there are more, journeys are dropped in the order
of a hash of their name until half of that is left, and journeys beyond the last one kept are not taken up again. So the
sample depends on names alone, and what is there is there from its first hop to its last.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final
from zlib import crc32

from broker_sim.network.overlay import Handled, Overlay
from broker_sim.network.sessions import Delivery
from broker_sim.routing import KINDS, Kind, Message

LIMIT: Final = 10_000

Describe = Callable[[Message], str]
"""What a message is about, for people."""


@dataclass(slots=True)
class Hop:
    """`messages` went from a sender to a receiver, either of which may be a client.

    The first left at `departed` and was there at `arrived`; the last was there at `until`.
    """

    sender: str
    receiver: str
    departed: float
    arrived: float
    until: float
    messages: int
    bytes: int
    notification: bool = False


@dataclass(slots=True)
class Journey:
    """A message on all its ways, or a document."""

    kind: Kind
    origin: str
    doc_id: int
    content: str
    rank: int
    hops: list[Hop] = field(default_factory=list)
    by_link: dict[tuple[str, str], Hop] = field(default_factory=dict, repr=False)
    """The same hops by sender and receiver, for documents."""


class Trace:
    """Journeys of one overlay, taken down while it runs."""

    def __init__(self, overlay: Overlay, describe: Describe, limit: int = LIMIT) -> None:
        self._overlay = overlay
        self._describe = describe
        self._samples = {kind: _Sample(limit) for kind in KINDS}
        overlay.watch(self._note)

    @property
    def journeys(self) -> list[Journey]:
        """Those that were kept, by kind and then in the order in which they began."""
        return [journey for sample in self._samples.values() for journey in sample.journeys.values()]

    def _note(self, arrival: Handled, deliveries: Sequence[Delivery]) -> None:
        message = arrival.message
        sample = self._samples[message.kind]
        document = message.kind == "publish"
        name = str(message.doc_id) if document else f"{message.origin}/{message.id}"
        rank = crc32(name.encode())
        if rank > sample.last:
            return
        journey = sample.journeys.get(name)
        if journey is None:
            journey = Journey(message.kind, message.origin, message.doc_id, self._describe(message), rank)
            sample.journeys[name] = journey
        sample.add(journey, self._hop(arrival), merge=document)
        for delivery in deliveries:
            done = arrival.station.free_at
            hop = Hop(arrival.station.broker.name, delivery.client, done, done, done, 1, message.size, True)
            sample.add(journey, hop, merge=False)

    def _hop(self, arrival: Handled) -> Hop:
        now, size = self._overlay.now, arrival.message.size
        receiver = arrival.station.broker.name
        wire = self._overlay.wires.get((arrival.from_hop, receiver))
        departed = now if wire is None else now - wire.latency - size / wire.bandwidth
        return Hop(arrival.from_hop, receiver, departed, now, now, 1, size)


class _Sample:
    """The journeys of one kind."""

    def __init__(self, limit: int) -> None:
        self.journeys: dict[str, Journey] = {}
        self.last = 1 << 32
        """The largest rank that is still taken."""
        self._limit = limit
        self._hops = 0

    def add(self, journey: Journey, hop: Hop, *, merge: bool) -> None:
        """One more hop, or one more message on a hop that is there."""
        known = journey.by_link.setdefault((hop.sender, hop.receiver), hop) if merge else hop
        if known is not hop:
            known.until = hop.until
            known.messages += 1
            known.bytes += hop.bytes
            return
        journey.hops.append(hop)
        self._hops += 1
        if self._hops > self._limit:
            self._thin_out()

    def _thin_out(self) -> None:
        """Drop journeys of the largest ranks until half the limit, or a single one, is left."""
        ordered = sorted(self.journeys.items(), key=lambda item: item[1].rank)
        while len(ordered) > 1 and self._hops > self._limit // 2:
            name, journey = ordered.pop()
            del self.journeys[name]
            self._hops -= len(journey.hops)
        self.last = ordered[-1][1].rank
