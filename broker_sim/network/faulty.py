"""An overlay in which things go wrong, with brokers that do nothing about it.

Here a broker handles a message when its service ends, not when it arrives: what is in the queue of a broker that
crashes is gone. A message is lost if its link is cut when it is sent or when it would arrive, and what reaches a
broker that is down, from a neighbour or a client, is lost as well. A restarted broker without its journal knows
nothing, and refuses documents whose advertisements it has forgotten.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from math import inf

from simpy.events import Event

from broker_sim.errors import DocumentError
from broker_sim.network.faults import Crash, Faults
from broker_sim.network.graph import Topology
from broker_sim.network.overlay import Arrival, Handled, HandOver, Observer, Overlay
from broker_sim.network.sessions import Delivery, Sessions
from broker_sim.network.stopping import StopConditions
from broker_sim.network.wire import LinkModel, ServiceModel, Station
from broker_sim.routing import Broker, Message


class FaultyOverlay(Overlay):
    """A running overlay with faults; `new_broker` makes a broker that knows nothing."""

    def __init__(
        self,
        topology: Topology,
        new_broker: Callable[[str], Broker],
        links: LinkModel,
        service: ServiceModel,
        faults: Faults,
        hand_over: HandOver,
        stop: StopConditions | None = None,
    ) -> None:
        brokers = {name: new_broker(name) for name in topology.brokers}
        super().__init__(topology, brokers, links, service, hand_over, stop)
        self.sessions = Sessions(wary=True)
        self.faults = faults
        self._new_broker = new_broker
        self._observer: Observer | None = None
        self.strikes: list[float] = []
        """When a broker or a link has failed or come back."""
        self._lives: Counter[str] = Counter()
        self._forgetful: set[str] = set()
        """Brokers that are down and will have lost their state."""
        self._blank: set[str] = set()
        """Brokers that have restarted with nothing."""

    def watch(self, observer: Observer) -> None:
        self._observer = observer

    def begin_faults(self) -> None:
        """Let the plan take its course from now on."""
        plan = self.faults.plan
        for crash in plan.crashes:
            self._between(crash.at, crash.until, partial(self.crash, crash), partial(self.restart, crash.broker))
        for cut in plan.cuts:
            self._between(cut.at, cut.until, partial(self.cut, cut.link), partial(self.mend, cut.link))
        for slow in plan.slowdowns:
            change = (slow.broker, slow.factor)
            self._between(
                slow.at, slow.until, partial(self.faults.slow, *change), partial(self.faults.recover, *change)
            )

    def _between(self, at: float, until: float, begin: Callable[[], None], end: Callable[[], None]) -> None:
        for time, action in ((at, begin), (until, end)):
            if time < inf:
                self._horizon = max(self._horizon, self.now + time)
                self.call(time, action)

    # Faults

    def crash(self, crash: Crash) -> None:
        """A broker stops, and loses what it had not handled."""
        if crash.state == "lost":
            self._forgetful.add(crash.broker)
        if self.faults.crash(crash.broker):
            self.strikes.append(self.now)
            self._lives[crash.broker] += 1
            self.stations[crash.broker].lose(self.now)
            self._stopped(crash.broker)

    def restart(self, name: str) -> None:
        """A crash is over: the broker goes on, or starts with nothing."""
        if not self.faults.restart(name):
            return
        self.strikes.append(self.now)
        lost = name in self._forgetful
        self._forgetful.discard(name)
        if lost:
            self._blank.add(name)
            station = self.stations[name]
            self.timeline.change(self.now, -station.broker.srt_size, -station.broker.prt_size)
            station.broker = self._new_broker(name)
        self._restarted(name, lost=lost)

    def cut(self, link: tuple[str, ...]) -> None:
        """A link goes down."""
        self.strikes.append(self.now)
        self.faults.cut(link)

    def mend(self, link: tuple[str, ...]) -> None:
        """A cut is over."""
        self.strikes.append(self.now)
        self.faults.mend(link)

    def _stopped(self, name: str) -> None:
        """A broker has just gone down."""

    def _restarted(self, name: str, *, lost: bool) -> None:
        """A broker has just come back."""

    # Messages

    def arrive(self, event: Event) -> None:
        """Queue the message of an `Arrival`."""
        assert isinstance(event, Arrival)
        station, message = event.station, event.message
        if not self._reaches(event.from_hop, station.broker.name):
            return
        if self._watch is not None:
            self._watch.arrived(station, self.now)
        station.received[message.kind] += 1
        self._serve(station, station.service[message.kind], partial(self._handle, event))

    def _reaches(self, sender: str, receiver: str) -> bool:
        """Whether what a broker, or a client, has sent gets in."""
        return self.faults.is_up(receiver) and self.faults.joins(sender, receiver)

    def _serve(self, station: Station, seconds: float, action: Callable[[], None]) -> None:
        """Do something when a broker has had the time for it, unless it crashes before."""
        name = station.broker.name
        life = self._lives[name]
        done = station.occupy(self.now, seconds * self.faults.slowness(name))
        self.call(done - self.now, lambda: action() if self._lives[name] == life else None)

    def _handle(self, event: Arrival) -> None:
        station = event.station
        with self._followed(station, event):
            try:
                outgoing = station.broker.handle(event.message, event.from_hop)
            except DocumentError:
                if station.broker.name not in self._blank:
                    raise
                return
            self._send(station, outgoing, self.now, event.hops)

    @contextmanager
    def _followed(self, station: Station, handled: Handled | None) -> Iterator[None]:
        """Note how a broker's tables change, and let an observer see the message that it handles."""
        broker, before = station.broker, len(self.deliveries)
        srt, prt = broker.srt_size, broker.prt_size
        yield
        self.timeline.change(self.now, broker.srt_size - srt, broker.prt_size - prt)
        if self._observer is not None and handled is not None:
            self._observer(handled, self.deliveries[before:])

    def _send(self, station: Station, outgoing: list[tuple[str, Message]], at: float, hops: int) -> None:
        """Hand what a broker says to the wires, and to clients."""
        sender = station.broker.name
        for hop, message in outgoing:
            wire = self.wires.get((sender, hop))
            if wire is None:
                self.notify(hop, message, hops)
                continue
            delay = wire.arrival(at, message.size) - self.now
            for _ in range(self.faults.copies() if self.faults.joins(sender, hop) else 0):
                Arrival(self, delay, wire.receiver, message, sender, hops + 1)

    def notify(self, client: str, message: Message, hops: int) -> None:
        """Hand a document to a client, which takes it if it is new."""
        delay = self.now - self._published_at[message.doc_id]
        delivery = Delivery(message.doc_id, client, delay, hops, self._hand_over(client, message))
        if self.sessions.accept(delivery):
            self.deliveries.append(delivery)
