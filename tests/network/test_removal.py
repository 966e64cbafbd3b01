"""Any sequence of coming and going, on trees and on cycles, under every strategy.

After each step and rest: documents reach exactly those whom lxml names; no stale entry is left; and without merging,
the tables are those of a fresh overlay that is given only what is alive.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, rule
from pyroaring import BitMap

from broker_sim.engines import create_engine
from broker_sim.network import load_topology
from broker_sim.network.overlay import Overlay
from broker_sim.network.wire import LinkModel, ServiceModel
from broker_sim.routing import STRATEGIES, Broker, Knowledge, Message, Values, strategy_named
from broker_sim.routing.broker import SHARED_TREE
from broker_sim.routing.knowledge import tidy
from broker_sim.xpath import Path, parse_xpath
from dtd_ads import parse_advertisement

TOPOLOGIES = ("line:n=3", "star:n=5", "paper-8", "ring:n=4", "grid-5x5", "barabasi-albert:n=7,m=2,seed=1")
NAMES = (*STRATEGIES, *(f"with-adv-with-cov+{option}" for option in ("schema-cov", "adv-cov", "schema-cov+adv-cov")))
XPATHS = ("/a", "/a/b", "/a/b/c", "/a/*/c", "//c", "//b", "/a/d", "/a/d//e", "/x", "//y", "/*/*", "/a[b]", "/a[b][d]")
PATTERNS = ("/a[@n > 1]", "/a[@n > 2]", "/a[@n > 2]/b", "//d[e]", "/a[b/c]/d/e")
ADVERTISED = {
    "subset": ("/a/b", "/a/d/e"),
    "a": ("/a", "/a/b", "/a/b/c", "/a/d", "/a/d(/e)+"),
    "x": ("/x", "/x/y"),
    "anything": ("(/*)+",),
}
DOCUMENTS = {
    "subset": ("<a><b/></a>", "<a><b/><d><e/></d></a>"),
    "a": (
        '<a n="3"/>',
        '<a n="1"><b/></a>',
        "<a><b><c/></b></a>",
        "<a><d/></a>",
        '<a n="5"><b/><d><e><e/></e></d></a>',
        "<a><b><c/></b><d><e/></d></a>",
    ),
    "x": ("<x/>", "<x><y/></x>"),
    "anything": ("<z><c/></z>", "<a><y/></a>", "<x><b/></x>"),
}


@dataclass
class Publisher:
    """A publisher with what it advertises, in the tree that its messages follow."""

    name: str
    broker: str
    schema: str
    tree: int


@dataclass
class World:
    """An overlay, and the numbers its messages need."""

    topology: str
    strategy: str
    brokers: dict[str, Broker] = field(init=False)

    def __post_init__(self) -> None:
        topology = load_topology(self.topology)
        strategy = strategy_named(self.strategy)
        self.values = Values(owned=not strategy.cover)
        self.knowledge = Knowledge(self.values, create_engine("lazy-dfa"), cover=strategy.cover)
        self.cyclic = strategy.advertise and not topology.is_tree
        graph = topology.graph if self.cyclic else topology.spanning_tree
        self.brokers = {
            name: Broker(name, sorted(graph[name]), strategy, self.knowledge, cyclic=self.cyclic)
            for name in topology.brokers
        }
        self.overlay = Overlay(topology, self.brokers, LinkModel(), ServiceModel())
        self.advertising = strategy.advertise
        self._ids = count()

    def advertise(self, publisher: Publisher, kind: str = "advertise") -> None:
        self.overlay.attach(publisher.name, publisher.broker)
        for text in ADVERTISED[publisher.schema] if self.advertising else ():
            key = self.values.advertisement(parse_advertisement(text))
            tree = publisher.tree if self.cyclic else SHARED_TREE
            self.overlay.submit(publisher.name, Message(kind, publisher.name, next(self._ids), key, tree))
        self.overlay.run_to_rest()

    def subscribe(self, client: str, broker: str, path: Path, kind: str = "subscribe") -> None:
        self.overlay.attach(client, broker)
        key = self.values.subscription(path, client)
        self.overlay.submit(client, Message(kind, client, next(self._ids), key))
        self.overlay.run_to_rest()

    def publish(self, publisher: Publisher, document: bytes, doc_id: int) -> list[str]:
        key = self.values.publication(document)
        tree = publisher.tree if self.cyclic else SHARED_TREE
        before = len(self.overlay.deliveries)
        message = Message("publish", publisher.name, next(self._ids), key, tree, doc_id=doc_id)
        self.overlay.submit(publisher.name, message)
        self.overlay.run_to_rest()
        return sorted(delivery.client for delivery in self.overlay.deliveries[before:])

    def tables(self) -> object:
        """All tables and what each link carries, by text."""

        def texts(keys: BitMap) -> list[str]:
            return sorted(str(self.values.path(key)) for key in keys)

        def advertised(entries: set[tuple[str, int]]) -> list[tuple[str, str]]:
            return sorted((origin, str(self.values.advertised(key))) for origin, key in entries)

        return {
            name: (
                {client: texts(table) for client, table in broker.clients.tables.items()},
                {
                    number: (
                        tree.parent,
                        {hop: advertised(entries) for hop, entries in tree.srt.items()},
                        {hop: texts(table) for hop, table in tree.prt.items()},
                        {hop: texts(link.wire) for hop, link in tree.links.items()},
                    )
                    for number, tree in broker.trees.items()
                },
                broker.srt_size,
                broker.prt_size,
            )
            for name, broker in self.brokers.items()
        }


class Removal(RuleBasedStateMachine):
    """Clients come and go, and publish in between."""

    publishers = Bundle("publishers")
    subscriptions = Bundle("subscriptions")

    @initialize(topology=st.sampled_from(TOPOLOGIES), strategy=st.sampled_from(NAMES))
    def start(self, topology: str, strategy: str) -> None:
        self.world = World(topology, strategy)
        self.publishing: dict[str, Publisher] = {}
        self.alive: list[tuple[str, str, Path]] = []
        self.numbers = count(1)

    def broker(self, place: int) -> str:
        names = list(self.world.brokers)
        return names[place % len(names)]

    @rule(target=publishers, schema=st.sampled_from(list(ADVERTISED)), place=st.integers(0, 24))
    def advertise(self, schema: str, place: int) -> Publisher:
        number = next(self.numbers)
        publisher = Publisher(f"publisher-{number}", self.broker(place), schema, number)
        self.publishing[publisher.name] = publisher
        self.world.advertise(publisher)
        return publisher

    @rule(publisher=consumes(publishers))
    def unadvertise(self, publisher: Publisher) -> None:
        self.world.advertise(self.publishing.pop(publisher.name), "unadvertise")

    @rule(target=subscriptions, text=st.sampled_from(XPATHS + PATTERNS), client=st.integers(0, 3))
    def subscribe(self, text: str, client: int) -> tuple[str, str, Path]:
        entry = (f"client-{client}", self.broker(5 * client + 1), parse_xpath(text).disjuncts[0])
        self.alive.append(entry)
        self.world.subscribe(*entry)
        return entry

    @rule(entry=consumes(subscriptions))
    def unsubscribe(self, entry: tuple[str, str, Path]) -> None:
        self.unsubscribe_now(entry)

    @rule(target=publishers, publisher=consumes(publishers), place=st.integers(0, 24))
    def move(self, publisher: Publisher, place: int) -> Publisher:
        """A publisher goes, and comes back at another broker, in a new tree."""
        self.unadvertise_now(publisher)
        number = next(self.numbers)
        moved = Publisher(f"publisher-{number}", self.broker(place), publisher.schema, number)
        self.publishing[moved.name] = moved
        self.world.advertise(moved)
        return moved

    def unadvertise_now(self, publisher: Publisher) -> None:
        self.world.advertise(self.publishing.pop(publisher.name), "unadvertise")

    @rule(target=publishers, publisher=consumes(publishers), which=st.integers(0, 5))
    def publish(self, publisher: Publisher, which: int) -> Publisher:
        choice = DOCUMENTS[publisher.schema]
        document = choice[which % len(choice)].encode()
        referee = create_engine("lxml")
        for number, (_, _, path) in enumerate(self.alive):
            referee.add(number, path)
        due = {self.alive[number][0] for number in referee.match(document)}
        assert self.world.publish(publisher, document, next(self.numbers)) == sorted(due)
        return publisher

    @rule()
    def forget(self) -> None:
        tidy([self.world.knowledge], self.world.values)

    def unsubscribe_now(self, entry: tuple[str, str, Path]) -> None:
        self.alive.remove(entry)
        self.world.subscribe(*entry, "unsubscribe")

    @invariant()
    def tables_are_those_of_a_fresh_overlay(self) -> None:
        if not hasattr(self, "world") or "merge" in self.world.strategy:
            return
        fresh = World(self.world.topology, self.world.strategy)
        for publisher in self.publishing.values():
            fresh.advertise(publisher)
        for entry in self.alive:
            fresh.subscribe(*entry)
        assert self.world.tables() == fresh.tables()

    def teardown(self) -> None:
        """When everybody has gone, every table is empty."""
        if not hasattr(self, "world"):
            return
        for entry in list(self.alive):
            self.unsubscribe_now(entry)
        for publisher in list(self.publishing.values()):
            self.unadvertise_now(publisher)
        for broker in self.world.brokers.values():
            assert (broker.srt_size, broker.prt_size) == (0, 0)
            assert not broker.clients.tables
            assert not broker.clients.asking
            for tree in broker.trees.values():
                assert not tree.srt
                assert not tree.prt
                assert not any(link.needed or link.wire for link in tree.links.values())
        tidy([self.world.knowledge], self.world.values)
        assert not self.world.values.unused()
        assert self.world.values.subscriptions == 0


TestRemoval = Removal.TestCase
TestRemoval.settings = settings(max_examples=settings.default.max_examples // 2, stateful_step_count=30)
