"""Brokers on a topology under SimPy: the clock, the wires, and what arrived when.

Clients hand messages to their broker without delay. From there every message is one SimPy event, its arrival at a
broker. A broker has one server and handles messages in the order of their arrival, so what it will say, and when, is
settled then: it depends on nothing that arrives later. Events at the same instant happen in the order in which they
were caused, so a run is a function of its input alone.
"""

from __future__ import annotations

import gc
import operator
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import simpy
from simpy.events import NORMAL, Event

from broker_sim.errors import ConfigurationError
from broker_sim.network.graph import Topology
from broker_sim.network.stopping import StopConditions, Stopped, Watch
from broker_sim.network.timeline import Timeline
from broker_sim.network.wire import LinkModel, ServiceModel, Station, Wire
from broker_sim.routing import Broker, Message

MAX_SETTLING_ROUNDS: Final = 10_000
PROGRESS_STEPS: Final = 200

Progress = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class Delivery:
    """A client was notified of a document."""

    doc_id: int
    client: str
    delay: float
    hops: int


class Arrival(Event):
    """A message reaches a broker from a hop, `hops` brokers on its way, itself included."""

    def __init__(
        self, overlay: Overlay, delay: float, station: Station, message: Message, from_hop: str, hops: int
    ) -> None:
        self.env = overlay.environment
        self.callbacks = [overlay.arrive]
        self._value = None
        self._ok = True
        self.station = station
        self.message = message
        self.from_hop = from_hop
        self.hops = hops
        self.env.schedule(self, NORMAL, delay)


class Overlay:
    """A running overlay."""

    def __init__(
        self,
        topology: Topology,
        brokers: Mapping[str, Broker],
        links: LinkModel,
        service: ServiceModel,
        stop: StopConditions | None = None,
    ) -> None:
        self.environment: Final = simpy.Environment()
        seconds = service.seconds()
        self.stations = {name: Station(broker, seconds) for name, broker in brokers.items()}
        self.wires = {
            (sender, receiver): links.wire(link, sender, self.stations[receiver])
            for link in topology.links
            for sender, receiver in ((link.first, link.second), (link.second, link.first))
        }
        self.deliveries: list[Delivery] = []
        self.timeline = Timeline()
        self.offered_load: float | None = None
        self._watch = Watch(stop) if stop else None
        self._home: dict[str, Station] = {}
        self._published_at: dict[int, float] = {}
        self._horizon = 0.0

    @property
    def now(self) -> float:
        """Simulated seconds since the start."""
        return float(self.environment.now)

    def attach(self, client: str, broker: str) -> None:
        """Connect a client to its broker."""
        if client in self.stations:
            raise ConfigurationError(f"client {client!r} has the name of a broker")
        self._home[client] = self.stations[broker]

    def submit(self, client: str, message: Message, delay: float = 0.0) -> None:
        """Let a client hand over a message, `delay` seconds from now."""
        self._horizon = max(self._horizon, self.now + delay)
        if message.kind == "publish":
            self._published_at.setdefault(message.doc_id, self.now + delay)
        Arrival(self, delay, self._home[client], message, client, 1)

    def run_to_rest(self, progress: Progress | None = None) -> None:
        """Run until nothing moves any more, and brokers at rest have nothing more to say, or `Stopped` is raised.

        `progress` is called now and then with the share of what clients had to hand over that is on its way.
        """
        for _ in range(MAX_SETTLING_ROUNDS):
            self._run(progress)
            sent = [(station, station.broker.settle()) for station in self.stations.values()]
            if not any(outgoing for _, outgoing in sent):
                self.timeline.record(self.now)
                return
            for station, outgoing in sent:
                self._send(station, outgoing, self.now, 0)
        raise Stopped(f"the overlay did not come to rest in {MAX_SETTLING_ROUNDS:,} rounds")

    def _run(self, progress: Progress | None) -> None:
        """Run to the end of the last service."""
        start, span = self.now, self._horizon - self.now
        with _without_collection(), self._load_offered():
            for step in range(1, PROGRESS_STEPS if progress and span > 0 else 0):
                self.environment.run(until=start + span * step / PROGRESS_STEPS)
                assert progress is not None
                progress(step / PROGRESS_STEPS)
            self.environment.run()
        end = max(station.free_at for station in self.stations.values())
        if end > self.now:
            self.environment.run(until=end)

    @contextmanager
    def _load_offered(self) -> Iterator[None]:
        """Note the work that came to the busiest broker or wire, by the time in which clients handed over its cause.

        Above 1, its queue grows as long as that goes on. What is handed over all at once has no such time.
        """
        parts: list[Station | Wire] = [*self.stations.values(), *self.wires.values()]
        start, before = self.now, [part.busy for part in parts]
        try:
            yield
        finally:
            span = min(self._horizon, self.now) - start
            if span > 0:
                self.offered_load = max(map(operator.sub, (part.busy for part in parts), before)) / span

    def arrive(self, event: Event) -> None:
        """Handle the message of an `Arrival`."""
        assert isinstance(event, Arrival)
        station, message = event.station, event.message
        broker = station.broker
        now: float = self.environment.now
        done = station.completion(now, message.kind)
        if self._watch is not None:
            self._watch.arrived(station, now)
        if message.kind == "publish":
            self._send(station, broker.handle(message, event.from_hop), done, event.hops)
            return
        srt, prt = broker.srt_size, broker.prt_size
        self._send(station, broker.handle(message, event.from_hop), done, event.hops)
        self.timeline.change(now, broker.srt_size - srt, broker.prt_size - prt)

    def _send(self, station: Station, outgoing: list[tuple[str, Message]], at: float, hops: int) -> None:
        """Hand what a broker says at a moment to the wires, and to clients."""
        now: float = self.environment.now
        sender = station.broker.name
        for hop, message in outgoing:
            wire = self.wires.get((sender, hop))
            if wire is None:
                delay = at - self._published_at[message.doc_id]
                self.deliveries.append(Delivery(message.doc_id, hop, delay, hops))
            else:
                Arrival(self, wire.arrival(at, message.size) - now, wire.receiver, message, sender, hops + 1)


@contextmanager
def _without_collection() -> Iterator[None]:
    """No search for cyclic garbage: events make none, and with millions of them it would cost a third of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
