"""One broker of a reliable overlay: its links, its places in trees, and the publications it answers for.

A node passes the messages of routing between its links and its `Broker`, which knows nothing of faults. Trees of an
earlier version, and what belongs to them, are dropped when a later one arrives. When a connection ends, its upper end
in a tree sends word up that tree. Where that word meets another connection that ends, the upper end of that one has
done so too; so the publisher hears of it. On a new connection both ends name the trees they are in; who lacks one is
reported likewise.

A publication is *done* at a broker when its clients have it and all neighbours that it went on to say that they are
done. So the publisher hears of it when it has reached everyone, and otherwise sends it again in its next tree. A
client may then be handed a document twice; it keeps what it has seen and drops the second. In a tree that is known to
be broken nothing is done any more, since the broker may lack subscriptions from below.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Protocol

from pyroaring import BitMap

from broker_sim.network.reliable.channel import Channel, Connection, Frame, Receipt
from broker_sim.network.reliable.contents import (
    Broken,
    Content,
    Done,
    Echo,
    Known,
    Part,
    Probe,
    Published,
    Withdrawn,
    publisher_of,
)
from broker_sim.network.reliable.growth import Growth
from broker_sim.network.reliable.settings import Reliability
from broker_sim.routing import Broker, Message

ASKS: Final = 4
"""How often a silent neighbour is asked for an answer in the time between two signs of life."""


class Host(Protocol):
    """What a node needs of the world."""

    @property
    def now(self) -> float:
        """The time."""

    def call(self, delay: float, action: Callable[[], None]) -> None:
        """Do something later."""

    def transmit(self, sender: str, receiver: str, frame: Frame) -> float:
        """Put a frame on a wire; returns when it will have left."""

    def notify(self, client: str, message: Message, hops: int) -> None:
        """Hand a document to a client."""

    def grown(self, client: str, tree: int, members: BitMap) -> None:
        """Tell a publisher that its tree is built."""

    def broken(self, client: str, tree: int) -> None:
        """Tell a publisher that its tree is broken."""

    def done(self, client: str, tree: int, part: Part) -> None:
        """Tell a publisher that a publication has reached all whom it concerns."""


@dataclass(slots=True)
class _Pending:
    """A publication that came from a hop, and the neighbours that are not done with it."""

    from_hop: str
    remaining: set[str]


class Node:
    """A broker with its channels. `number` stands for it in sets of brokers."""

    def __init__(
        self, broker: Broker, number: int, channels: Mapping[str, Channel], settings: Reliability, host: Host
    ) -> None:
        self.broker = broker
        self.number = number
        self.channels = channels
        self.life = 0
        """How often it has been stopped; what was planned in an earlier life does not happen."""
        self._settings = settings
        self._host = host
        self._versions: dict[int, int] = {}
        """The latest tree of each publisher."""
        self._growths: dict[int, Growth] = {}
        self._pending: dict[int, dict[Part, _Pending]] = {}
        self._done: dict[tuple[str, int], list[Part]] = {}
        self._timers: set[tuple[str, str]] = set()

    @property
    def busy(self) -> bool:
        """Whether a neighbour has yet to answer, or to hear something."""
        return bool(self._done) or any(channel.open and channel.waiting for channel in self.channels.values())

    # Life

    def greet(self) -> None:
        """Make itself known to its neighbours."""
        for hop in self.channels:
            self._sign(hop)

    def start(self) -> None:
        """Begin to give signs of life."""
        self._later("tick", "", self._settings.heartbeat, self._tick)

    def stop(self) -> None:
        """The broker is down."""
        self.life += 1
        self._timers.clear()

    def resume(self) -> None:
        """The broker is back, with what it had handled."""
        for hop, channel in self.channels.items():
            channel.restart()
            channel.heard_at = self._host.now
            self._sign(hop)
            self._watch(hop)
        for hop, tree in list(self._done):
            self._send_done(hop, tree)
        self.start()

    def _later(self, kind: str, name: str, delay: float, action: Callable[[], None]) -> None:
        """Do something after a while, once, unless the broker goes down before."""
        timer, life = (kind, name), self.life
        if timer in self._timers:
            return
        self._timers.add(timer)

        def ring() -> None:
            if life == self.life:
                self._timers.discard(timer)
                action()

        self._host.call(delay, ring)

    def _tick(self) -> None:
        now, settings = self._host.now, self._settings
        for hop, channel in self.channels.items():
            silence = now - channel.heard_at - channel.round_trip
            if channel.open and silence > settings.timeout:
                self.give_up(hop)
            elif channel.open and silence > 1.5 * settings.heartbeat:
                self._ask(hop)
            if now - channel.sent_at >= settings.heartbeat * 0.99:
                self._sign(hop)
        self.start()

    def give_up(self, hop: str) -> None:
        """Take a neighbour for dead: the connection is over."""
        self.channels[hop].close()
        self._closed(hop)

    def _ask(self, hop: str) -> None:
        """Ask a silent neighbour for an answer, again and again: its signs of life may have been lost."""
        channel, often = self.channels[hop], self._settings.heartbeat / ASKS
        if channel.open and self._host.now - channel.heard_at - channel.round_trip > often:
            self._put(hop, replace(channel.sign(), ask=True))
            self._later("ask", hop, often, lambda: self._ask(hop))

    # Links

    def receive(self, hop: str, frame: Frame) -> Receipt:
        """Take in a frame of a neighbour."""
        channel, now = self.channels[hop], self._host.now
        receipt = channel.receive(frame, now)
        if receipt.closed:
            self._closed(hop)
        if receipt.opened:
            self._opened(hop)
        elif receipt.answer and now > channel.sent_at:
            self._sign(hop)
        if channel.gap:
            self._resend(hop)
        if channel.owes:
            self._owe(hop)
        return receipt

    def send(self, hop: str, content: Content, hops: int = 0) -> None:
        """Tell a neighbour something; nothing if it cannot be reached."""
        channel = self.channels[hop]
        if channel.open:
            frame, sent = channel.enclose(content, hops)
            sent.left_at = self._put(hop, frame)
            self._watch(hop)

    def _sign(self, hop: str) -> None:
        self._put(hop, self.channels[hop].sign())

    def _put(self, hop: str, frame: Frame) -> float:
        self.channels[hop].sent_at = self._host.now
        return self._host.transmit(self.broker.name, hop, frame)

    def _owe(self, hop: str) -> None:
        self._later("owe", hop, self._settings.acknowledge, lambda: self._acknowledge(hop))

    def _acknowledge(self, hop: str) -> None:
        channel = self.channels[hop]
        if channel.open and channel.owes:
            self._sign(hop)

    def _watch(self, hop: str) -> None:
        if self.channels[hop].waiting:
            self._later("watch", hop, self.channels[hop].patience, lambda: self._resend(hop))

    def _resend(self, hop: str) -> None:
        channel = self.channels[hop]
        for frame, sent in list(channel.overdue(self._host.now)):
            sent.left_at = self._put(hop, frame)
        self._watch(hop)

    def _opened(self, hop: str) -> None:
        self.send(hop, Known(frozenset(self._versions.values())))

    def _closed(self, hop: str) -> None:
        for tree, growth in list(self._growths.items()):
            if growth.lose(hop):
                self._report(tree, growth)

    # Contents

    def handle(self, content: Content, hop: str, hops: int, connection: Connection | None = None) -> None:
        """Do what a client of this broker says, or a neighbour said in a connection, if that still lasts."""
        if connection is not None:
            channel = self.channels[hop]
            if not channel.open or channel.connection != connection:
                return
            channel.handle()
            self._owe(hop)
        match content:
            case Published():
                self._publish(content, hop, hops)
            case Done():
                self._finished(content, hop)
            case Message():
                self._route(content, hop, hops)
            case Probe():
                self._probe(content, hop)
            case Echo():
                self._echo(content, hop)
            case Broken():
                self._broken(content)
            case Known():
                self._compare(content, hop)
            case Withdrawn():
                self._withdraw(content, hop)

    def _route(self, message: Message, hop: str, hops: int) -> None:
        if message.kind == "advertise" and not self._plant(message.tree, hop):
            return
        for to_hop, answer in self.broker.handle(message, hop):
            if answer.kind not in ("advertise", "unadvertise") or to_hop in self._growths[answer.tree].told:
                self.send(to_hop, answer, hops)

    # Trees

    def _plant(self, tree: int, hop: str) -> bool:
        """Whether an advertisement of a tree counts; the first one of a later version gives it its place."""
        latest = self._versions.get(publisher_of(tree))
        if latest is not None and latest > tree:
            return False
        if latest is None or latest < tree:
            self._supersede(tree)
            told = {name for name, channel in self.channels.items() if channel.open and name != hop}
            self._growths[tree] = Growth(hop, told)
        return tree in self._growths

    def _supersede(self, tree: int) -> None:
        """Forget a publisher's earlier tree."""
        earlier = self._versions.get(publisher_of(tree))
        if earlier is not None:
            self.broker.drop_tree(earlier)
            self._growths.pop(earlier, None)
            self._pending.pop(earlier, None)
        self._versions[publisher_of(tree)] = tree

    def _probe(self, probe: Probe, hop: str) -> None:
        growth = self._growths.get(probe.tree)
        if growth is not None:
            for neighbour in growth.probe_from(hop):
                self.send(neighbour, probe)
            self._grow(probe.tree, growth)

    def _echo(self, echo: Echo, hop: str) -> None:
        growth = self._growths.get(echo.tree)
        if growth is not None:
            growth.echo_from(hop, echo.members)
            self._grow(echo.tree, growth)

    def _grow(self, tree: int, growth: Growth) -> None:
        if growth.complete():
            members = growth.below() | BitMap([self.number])
            if growth.parent in self.channels:
                self.send(growth.parent, Echo(tree, members))
            else:
                self._host.grown(growth.parent, tree, members)

    def _broken(self, word: Broken) -> None:
        growth = self._growths.get(word.tree)
        if growth is not None:
            self._report(word.tree, growth)

    def _report(self, tree: int, growth: Growth) -> None:
        """Pass on, once, that a tree is broken."""
        if growth.reported:
            return
        growth.reported = True
        if growth.parent in self.channels:
            self.send(growth.parent, Broken(tree))
        else:
            self._host.broken(growth.parent, tree)

    def _compare(self, known: Known, hop: str) -> None:
        """See to it that a neighbour gets what this broker knows and it does not."""
        theirs = {publisher_of(tree): tree for tree in known.trees}
        for publisher, tree in self._versions.items():
            if theirs.get(publisher, -1) >= tree:
                continue
            growth = self._growths.get(tree)
            if growth is None:
                self.send(hop, Withdrawn(tree))
            elif hop not in growth.told:
                self._report(tree, growth)

    def _withdraw(self, word: Withdrawn, hop: str) -> None:
        if self._versions.get(publisher_of(word.tree), -1) >= word.tree:
            return
        self._supersede(word.tree)
        for neighbour in self.channels:
            if neighbour != hop:
                self.send(neighbour, word)

    # Publications

    def _publish(self, published: Published, hop: str, hops: int) -> None:
        tree = published.message.tree
        growth = self._growths.get(tree)
        if growth is None or growth.parent != hop:
            return
        remaining = set()
        for to_hop, message in self.broker.handle(published.message, hop):
            if to_hop not in self.channels:
                self._host.notify(to_hop, message, hops)
            elif not growth.covers(to_hop, published.covered):
                remaining.add(to_hop)
                self.send(to_hop, published, hops)
        if remaining:
            self._pending.setdefault(tree, {})[published.part] = _Pending(hop, remaining)
        else:
            self._note_done(tree, published.part, hop)

    def _finished(self, done: Done, hop: str) -> None:
        pending = self._pending.get(done.tree, {})
        for part in done.parts:
            publication = pending.get(part)
            if publication is not None:
                publication.remaining.discard(hop)
                if not publication.remaining:
                    del pending[part]
                    self._note_done(done.tree, part, publication.from_hop)

    def _note_done(self, tree: int, part: Part, hop: str) -> None:
        """Say that a publication is done, unless the tree is broken: a subscription may have gone with a connection."""
        growth = self._growths.get(tree)
        if growth is None or growth.reported:
            return
        if hop not in self.channels:
            self._host.done(hop, tree, part)
            return
        self._done.setdefault((hop, tree), []).append(part)
        delay = self._settings.acknowledge
        self._later("done", f"{hop}/{tree}", delay, lambda: self._send_done(hop, tree))

    def _send_done(self, hop: str, tree: int) -> None:
        parts = self._done.pop((hop, tree), ())
        if parts and tree in self._growths:
            self.send(hop, Done(tree, tuple(parts)))
