"""Brokers on a topology under SimPy: the clock, the wires, and what arrived when.

Clients hand messages to their broker without delay. From there every message is an arrival and a completion event
(`broker_sim.network.wire`), run by plain callbacks. Events at the same instant happen in the order in which they
were caused, so a run is a function of its input alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, cast

import simpy
from simpy.events import Event

from broker_sim.errors import ConfigurationError
from broker_sim.network.graph import Topology
from broker_sim.network.timeline import Timeline
from broker_sim.network.wire import LinkModel, ServiceModel, Station
from broker_sim.routing import Broker, Message

MAX_SETTLING_ROUNDS: Final = 10_000


@dataclass(frozen=True, slots=True)
class Delivery:
    """A client was notified of a document."""

    doc_id: int
    client: str
    delay: float
    hops: int


Journey = tuple[Station, Message, str, int]
"""A message on its way: where to, what, from which hop, and how many brokers it will have seen."""


class Overlay:
    """A running overlay."""

    def __init__(
        self, topology: Topology, brokers: Mapping[str, Broker], links: LinkModel, service: ServiceModel
    ) -> None:
        self._environment = simpy.Environment()
        seconds = service.seconds()
        self.stations = {name: Station(broker, seconds) for name, broker in brokers.items()}
        self.wires = {
            (sender, receiver): links.wire(link, sender, self.stations[receiver])
            for link in topology.links
            for sender, receiver in ((link.first, link.second), (link.second, link.first))
        }
        self.deliveries: list[Delivery] = []
        self.timeline = Timeline()
        self._home: dict[str, Station] = {}
        self._published_at: dict[int, float] = {}

    @property
    def now(self) -> float:
        """Simulated seconds since the start."""
        return float(self._environment.now)

    def attach(self, client: str, broker: str) -> None:
        """Connect a client to its broker."""
        if client in self.stations:
            raise ConfigurationError(f"client {client!r} has the name of a broker")
        self._home[client] = self.stations[broker]

    def submit(self, client: str, message: Message, delay: float = 0.0) -> None:
        """Let a client hand over a message, `delay` seconds from now."""
        if message.kind == "publish":
            self._published_at.setdefault(message.doc_id, self.now + delay)
        self._schedule(delay, (self._home[client], message, client, 1), self._arrive)

    def run_to_rest(self) -> None:
        """Run until nothing moves any more, and brokers at rest have nothing more to say."""
        for _ in range(MAX_SETTLING_ROUNDS):
            self._environment.run()
            sent = [(station, station.broker.settle()) for station in self.stations.values()]
            if not any(outgoing for _, outgoing in sent):
                self.timeline.record(self.now, self.stations.values())
                return
            for station, outgoing in sent:
                self._send(station, outgoing, 0)
        raise RuntimeError(f"the overlay did not come to rest in {MAX_SETTLING_ROUNDS} rounds")

    def _schedule(self, delay: float, value: Journey, callback: Callable[[Event], None]) -> None:
        callbacks = self._environment.timeout(delay, value).callbacks
        assert callbacks is not None
        callbacks.append(callback)

    def _arrive(self, event: Event) -> None:
        journey: Journey = cast(Journey, event.value)
        station, message, _, _ = journey
        now = self._environment.now
        self._schedule(station.completion(now, message.kind) - now, journey, self._complete)

    def _complete(self, event: Event) -> None:
        station, message, from_hop, hops = cast(Journey, event.value)
        station.queue -= 1
        self._send(station, station.broker.handle(message, from_hop), hops)
        self.timeline.tick(self._environment.now, self.stations.values())

    def _send(self, station: Station, outgoing: list[tuple[str, Message]], hops: int) -> None:
        now = self._environment.now
        sender = station.broker.name
        for hop, message in outgoing:
            wire = self.wires.get((sender, hop))
            if wire is None:
                delay = now - self._published_at[message.doc_id]
                self.deliveries.append(Delivery(message.doc_id, hop, delay, hops))
            else:
                arrival = wire.arrival(now, message.size)
                self._schedule(arrival - now, (wire.receiver, message, sender, hops + 1), self._arrive)
