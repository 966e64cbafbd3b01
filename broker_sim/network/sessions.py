"""Clients that disconnect and come back: what is kept for them, and that nothing is told them twice.

A broker notifies its client of a document once (`broker_sim.routing.clients`). A client that moves from one broker to
another has subscriptions at both for a while, so whoever has been away takes each document only once, whichever
broker it comes from. While it is away, its documents are kept for it. In an overlay with faults, where a broker may
have forgotten what it has said, every client does so.
"""

from __future__ import annotations

from dataclasses import dataclass

from pyroaring import BitMap

from broker_sim.network.edge import NOTICE, Handover


@dataclass(frozen=True, slots=True)
class Delivery:
    """A client was notified of a document."""

    doc_id: int
    client: str
    delay: float
    hops: int
    handed: Handover = NOTICE


class Sessions:
    """The clients that are away, and those that have been; with `wary`, all clients count as such."""

    def __init__(self, *, wary: bool = False) -> None:
        self.repeated = 0
        """How often a client was handed a document that it had."""
        self._wary = wary
        self._kept: dict[str, list[Delivery]] = {}
        self._told: dict[str, BitMap] = {}

    def leave(self, client: str, notified: BitMap) -> None:
        """Keep what comes in for a client from now on; its broker has notified it of these documents."""
        self._kept.setdefault(client, [])
        self._told.setdefault(client, BitMap()).update(notified)

    def come_back(self, client: str, *, kept: bool) -> list[Delivery]:
        """The client is there again: what was kept for it."""
        waiting = self._kept.pop(client, [])
        if not kept:
            self._told[client] -= BitMap(delivery.doc_id for delivery in waiting)
        return waiting if kept else []

    def accept(self, delivery: Delivery) -> bool:
        """Whether the client gets a document now."""
        told = self._told.get(delivery.client)
        if told is None:
            if not self._wary:
                return True
            told = self._told[delivery.client] = BitMap()
        if delivery.doc_id in told:
            self.repeated += 1
            return False
        told.add(delivery.doc_id)
        if delivery.client in self._kept:
            self._kept[delivery.client].append(delivery)
            return False
        return True
