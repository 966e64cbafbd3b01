"""Brokers on a topology that keep their promise under faults.

What is survived with nothing lost, and what is not, is written down in `docs/reliability.md`. The parts: channels
(`channel`), trees and publications (`node`, `growth`), publishers (`source`) and subscribers (`asking`). Clients are
attached to their broker without delay or loss, notice when it is down, and turn to it when it is back.

Signs of life never end, so rest means here: everything that clients and the fault plan had to do is done; brokers have
noticed who can be reached and who cannot; nobody has anything to handle, and nobody waits for an answer.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from pyroaring import BitMap

from broker_sim.errors import ConfigurationError
from broker_sim.network.faults import Faults
from broker_sim.network.faulty import FaultyOverlay
from broker_sim.network.graph import Topology
from broker_sim.network.overlay import HandOver, Progress, without_collection
from broker_sim.network.reliable.asking import Asking
from broker_sim.network.reliable.channel import Channel, Connection, Frame
from broker_sim.network.reliable.contents import Content, Part, Published
from broker_sim.network.reliable.node import Node
from broker_sim.network.reliable.settings import Reliability
from broker_sim.network.reliable.source import Source
from broker_sim.network.stopping import StopConditions
from broker_sim.network.wire import LinkModel, ServiceModel, Station
from broker_sim.routing import Broker, Message

_LIVES = 1 << 20
"""Epochs of a broker's first life are below this."""


@dataclass(frozen=True, slots=True)
class Reached:
    """A content is at a broker, from a neighbour in a connection or from a client."""

    station: Station
    content: Content
    from_hop: str
    hops: int
    connection: Connection | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """A message of routing was handled."""

    station: Station
    message: Message
    from_hop: str


def _message(content: Content) -> Message | None:
    """The message of routing in a content, if there is one."""
    if isinstance(content, Published):
        return content.message
    return content if isinstance(content, Message) else None


class ReliableOverlay(FaultyOverlay):
    """A running overlay of nodes."""

    def __init__(
        self,
        topology: Topology,
        new_broker: Callable[[str], Broker],
        links: LinkModel,
        service: ServiceModel,
        faults: Faults,
        hand_over: HandOver,
        stop: StopConditions | None = None,
        settings: Reliability | None = None,
    ) -> None:
        super().__init__(topology, new_broker, links, service, faults, hand_over, stop)
        self.settings = settings or Reliability()
        self.sources: dict[str, Source] = {}
        self._asking: dict[str, Asking] = {}
        self._numbers = {name: number for number, name in enumerate(self.stations)}
        self.nodes = {name: self._node(name, 1) for name in self.stations}
        for node in self.nodes.values():
            node.start()

    def _node(self, name: str, life: int) -> Node:
        broker = self.stations[name].broker
        channels = {}
        for hop in broker.neighbours:
            round_trip = 2 * self.wires[name, hop].latency
            patience = round_trip + 2 * self.settings.acknowledge
            peer = _LIVES if life == 1 else 0
            channels[hop] = Channel(life * _LIVES, peer, patience, round_trip, open=life == 1, heard_at=self.now)
        return Node(broker, self._numbers[name], channels, self.settings, self)

    def check_links(self, largest: int) -> None:
        """Raise an error if a message of so many bytes keeps a link busy until its other end would give up."""
        for (sender, receiver), wire in self.wires.items():
            seconds = largest / wire.bandwidth
            if seconds > self.settings.timeout / 2:
                raise ConfigurationError(
                    f"a message of {largest:,} bytes takes {seconds:.3g} s from {sender} to {receiver}; "
                    f"expected a timeout of at least {2 * seconds:.3g} s",
                    source="network.reliability.timeout",
                )

    # Clients

    def submit(self, client: str, message: Message, delay: float = 0.0, broker: str | None = None) -> None:
        self._horizon = max(self._horizon, self.now + delay)
        if message.kind == "publish":
            self._published_at.setdefault(message.doc_id, self.now + delay)
        self.call(delay, partial(self._hand_in, client, message))

    def _hand_in(self, client: str, message: Message) -> None:
        match message.kind:
            case "advertise":
                self._source(client, message.tree).advertise(message)
            case "unadvertise":
                self._source(client, message.tree).unadvertise(message)
            case "publish":
                self._source(client, message.tree).publish(message)
            case _:
                self._asking.setdefault(client, Asking()).ask(message)
                self._tell(client, message)

    def _source(self, client: str, number: int) -> Source:
        if client not in self.sources:
            everyone = BitMap(self._numbers.values())
            later = partial(self.call, self.settings.rebuild)
            self.sources[client] = Source(number, everyone, partial(self._tell, client), later)
        return self.sources[client]

    def _tell(self, client: str, content: Content) -> None:
        """Hand something to a client's broker, if that is up; a client whose broker comes back tells it again."""
        station = self._home[client]
        if self.faults.is_up(station.broker.name):
            if self._watch is not None:
                self._watch.arrived(station, self.now)
            self._queue(Reached(station, content, client, 1))

    # Faults

    def _stopped(self, name: str) -> None:
        self.nodes[name].stop()

    def _restarted(self, name: str, *, lost: bool) -> None:
        if lost:
            self.nodes[name] = self._node(name, self._lives[name] + 1)
            self.nodes[name].greet()
            self.nodes[name].start()
        else:
            self.nodes[name].resume()
        for client, station in self._home.items():
            if station is self.stations[name]:
                self._turn_to(client, lost=lost)

    def _turn_to(self, client: str, *, lost: bool) -> None:
        if client in self._asking:
            for message in self._asking[client].restarted(lost=lost):
                self._tell(client, message)
        if client in self.sources:
            self.sources[client].restarted(self.now, lost=lost)

    # What nodes ask for

    def transmit(self, sender: str, receiver: str, frame: Frame) -> float:
        wire = self.wires[sender, receiver]
        arrival = wire.arrival(self.now, frame.size)
        for _ in range(self.faults.copies() if self.faults.joins(sender, receiver) else 0):
            self.call(arrival - self.now, partial(self._receive, sender, receiver, frame))
        return arrival - wire.latency

    def _receive(self, sender: str, receiver: str, frame: Frame) -> None:
        if not self._reaches(sender, receiver):
            return
        station = self.stations[receiver]
        if self._watch is not None:
            self._watch.arrived(station, self.now)
        node = self.nodes[receiver]
        receipt = node.receive(sender, frame)
        if not receipt.new:
            station.overhead += 1
        for content, hops in receipt.contents:
            self._queue(Reached(station, content, sender, hops + 1, node.channels[sender].connection))

    def grown(self, client: str, tree: int, members: BitMap) -> None:
        self.sources[client].grown(tree, members, self.now)

    def broken(self, client: str, tree: int) -> None:
        self.sources[client].broken(tree, self.now)

    def done(self, client: str, tree: int, part: Part) -> None:
        self.sources[client].done(tree, part)

    @property
    def kept(self) -> int:
        """Publications that may not have reached everyone."""
        return sum(source.kept for source in self.sources.values())

    def recoveries(self) -> list[float]:
        """For each tree that was built anew, the seconds since the last fault, or end of a fault, before that.

        A tree that was built though nothing had failed, since too many signs of life were lost, counts from the moment
        at which its publisher heard of it.
        """
        found = []
        for source in self.sources.values():
            for heard, built in source.rebuilt:
                place = bisect_right(self.strikes, heard)
                found.append(built - (self.strikes[place - 1] if place else heard))
        return found

    # Service

    def _queue(self, reached: Reached) -> None:
        station, message = reached.station, _message(reached.content)
        if message is None:
            station.overhead += 1
        else:
            station.received[message.kind] += 1
        kind = "advertise" if message is None else message.kind
        self._serve(station, station.service[kind], partial(self._do, reached))

    def _do(self, reached: Reached) -> None:
        station, content, message = reached.station, reached.content, _message(reached.content)
        with self._followed(station, None if message is None else Seen(station, message, reached.from_hop)):
            self.nodes[station.broker.name].handle(content, reached.from_hop, reached.hops, reached.connection)
        if reached.from_hop in self._asking and isinstance(content, Message):
            self._asking[reached.from_hop].handled(content)

    def _send(self, station: Station, outgoing: list[tuple[str, Message]], at: float, hops: int) -> None:
        if self.faults.is_up(station.broker.name):
            for hop, message in outgoing:
                self.nodes[station.broker.name].send(hop, message, hops)

    # Rest

    def _run(self, progress: Progress | None) -> None:
        start, span = self.now, self._horizon - self.now
        with without_collection(), self._load_offered():
            while not self._resting():
                self.environment.run(until=self.now + self.settings.heartbeat)
                if progress is not None and span > 0:
                    progress(min(1.0, (self.now - start) / span))

    def _resting(self) -> bool:
        return (
            self.now > self._horizon
            and all(station.free_at < self.now for station in self.stations.values())
            and not any(node.busy for name, node in self.nodes.items() if self.faults.is_up(name))
            and not any(source.rebuild_due for source in self.sources.values())
            and all(self._noticed(first, second) for first, second in self.wires)
        )

    def _noticed(self, first: str, second: str) -> bool:
        """Whether a broker that is up knows how it stands with a neighbour."""
        if not self.faults.is_up(first):
            return True
        ours, theirs = self.nodes[first].channels[second], self.nodes[second].channels[first]
        if self.faults.is_up(second) and self.faults.joins(first, second):
            return ours.open and theirs.open and ours.connection == theirs.connection[::-1]
        return not ours.open
