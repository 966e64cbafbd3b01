"""Brokers on a topology under SimPy: the clock, the wires, and what arrived when.

Clients hand messages to their broker without delay. From there every message is one SimPy event, its arrival at a
broker. A broker has one server and handles messages in the order of their arrival, so what it will say, and when, is
settled then: it depends on nothing that arrives later. Events at the same instant happen in the order in which they
were caused, so a run is a function of its input alone.
"""

from __future__ import annotations

import gc
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Final, Protocol

import simpy
from simpy.events import NORMAL, Event

from broker_sim.errors import ConfigurationError
from broker_sim.network.edge import NOTICE, Handover
from broker_sim.network.graph import Topology
from broker_sim.network.sessions import Delivery, Sessions
from broker_sim.network.stopping import StopConditions, Stopped, Watch
from broker_sim.network.timeline import Timeline
from broker_sim.network.wire import LinkModel, ServiceModel, Station, Wire
from broker_sim.routing import KINDS, Broker, Message
from broker_sim.routing.message import Kind

MAX_SETTLING_ROUNDS: Final = 10_000
PROGRESS_STEPS: Final = 200

Progress = Callable[[float], None]
HandOver = Callable[[str, Message], Handover]
"""What a client is handed when a message is for it."""


def _notice(client: str, message: Message) -> Handover:
    """A bare notification."""
    return NOTICE


class Arrival(Event):
    """A message reaches a broker from a hop, `hops` brokers on its way, itself included."""

    def __init__(
        self, overlay: Overlay, delay: float, station: Station, message: Message, from_hop: str, hops: int
    ) -> None:
        self.env = overlay.environment
        self.callbacks = [overlay.on_arrival]
        self._value = None
        self._ok = True
        self.station = station
        self.message = message
        self.from_hop = from_hop
        self.hops = hops
        self.env.schedule(self, NORMAL, delay)


class Handled(Protocol):
    """A broker has handled a message from a hop."""

    @property
    def station(self) -> Station:
        """Where."""

    @property
    def message(self) -> Message:
        """What."""

    @property
    def from_hop(self) -> str:
        """From whom."""


Observer = Callable[[Handled, Sequence[Delivery]], None]
"""Called with what a broker has handled, and with the notifications that came of it."""


class Overlay:
    """A running overlay."""

    def __init__(
        self,
        topology: Topology,
        brokers: Mapping[str, Broker],
        links: LinkModel,
        service: ServiceModel,
        hand_over: HandOver = _notice,
        stop: StopConditions | None = None,
    ) -> None:
        self._hand_over = hand_over
        self.environment: Final = simpy.Environment()
        seconds = service.seconds()
        self.stations = {name: Station(broker, seconds) for name, broker in brokers.items()}
        self.wires = {
            (sender, receiver): links.wire(link, sender, self.stations[receiver])
            for link in topology.links
            for sender, receiver in ((link.first, link.second), (link.second, link.first))
        }
        self.deliveries: list[Delivery] = []
        self.sessions = Sessions()
        self.slowest: dict[Kind, float] = dict.fromkeys(KINDS, 0.0)
        """The longest time from the handling of a message at one broker to its handling at the next, by kind."""
        self.depth = 1
        """The most brokers on the way of an advertisement."""
        self.timeline = Timeline()
        self.offered_load: float | None = None
        self._watch = Watch(stop) if stop else None
        self._home: dict[str, Station] = {}
        self._published_at: dict[int, float] = {}
        self._horizon = 0.0
        self.on_arrival: Callable[[Event], None] = self.arrive

    @property
    def now(self) -> float:
        """Simulated seconds since the start."""
        return float(self.environment.now)

    def attach(self, client: str, broker: str) -> None:
        """Connect a client to its broker."""
        if client in self.stations:
            raise ConfigurationError(f"client {client!r} has the name of a broker")
        self._home[client] = self.stations[broker]

    def watch(self, observer: Observer) -> None:
        """Let `observer` see every arrival from now on; nothing is paid for it otherwise."""

        def watched(event: Event) -> None:
            assert isinstance(event, Arrival)
            before = len(self.deliveries)
            self.arrive(event)
            observer(event, self.deliveries[before:])

        self.on_arrival = watched

    def submit(self, client: str, message: Message, delay: float = 0.0, broker: str | None = None) -> None:
        """Let a client hand over a message, `delay` seconds from now, to its broker or another one."""
        self._horizon = max(self._horizon, self.now + delay)
        if message.kind == "publish":
            self._published_at.setdefault(message.doc_id, self.now + delay)
        station = self._home[client] if broker is None else self.stations[broker]
        Arrival(self, delay, station, message, client, 1)

    def call(self, delay: float, action: Callable[[], None]) -> None:
        """Do something `delay` seconds from now."""
        self.environment.timeout(delay).callbacks.append(lambda event: action())

    def leave(self, client: str) -> None:
        """Disconnect a client: its broker keeps what it is notified of."""
        self.sessions.leave(client, self._home[client].broker.clients.notified(client))

    def come_back(self, client: str, *, kept: bool) -> None:
        """Connect a client again and, if it was kept, hand it what has come in."""
        for delivery in self.sessions.come_back(client, kept=kept):
            delay = self.now - self._published_at[delivery.doc_id]
            self.deliveries.append(replace(delivery, delay=delay))

    def run_to_rest(self, progress: Progress | None = None) -> None:
        """Run until nothing moves any more, and brokers at rest have nothing more to say, or `Stopped` is raised.

        `progress` is called now and then with the share of what clients had to hand over that is on its way.
        """
        for _ in range(MAX_SETTLING_ROUNDS):
            self._run(progress)
            sent = [(station, station.broker.settle()) for station in self.stations.values()]
            if not any(outgoing for _, outgoing in sent):
                for station in self.stations.values():
                    station.rest()
                self.timeline.record(self.now)
                return
            for station, outgoing in sent:
                self._send(station, outgoing, self.now, 0)
        raise Stopped(f"the overlay did not come to rest in {MAX_SETTLING_ROUNDS:,} rounds")

    def _run(self, progress: Progress | None) -> None:
        """Run to the end of the last service."""
        start, span = self.now, self._horizon - self.now
        with without_collection(), self._load_offered():
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
        if event.hops > self.depth and message.kind == "advertise":
            self.depth = event.hops
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
                delivery = Delivery(message.doc_id, hop, delay, hops, self._hand_over(hop, message))
                if self.sessions.accept(delivery):
                    self.deliveries.append(delivery)
            else:
                delay = wire.arrival(at, message.size) - now
                if delay > self.slowest[message.kind]:
                    self.slowest[message.kind] = delay
                Arrival(self, delay, wire.receiver, message, sender, hops + 1)


@contextmanager
def without_collection() -> Iterator[None]:
    """No search for cyclic garbage: events make none, and with millions of them it would cost a third of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
