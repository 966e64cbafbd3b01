"""Any sequence of operations and faults on small overlays: when all has healed, delivered is what lxml names.

Rules come in two speeds: after some the overlay comes to rest, after others only a moment passes, so that faults strike
while trees are built and documents are under way. What a document owes whom is settled by the operations alone. A
subscription counts from the rest after it on. Whoever asks or leaves later may get a document that is still under way.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, precondition, rule

from broker_sim.engines import create_engine
from broker_sim.network import load_topology
from broker_sim.network.edge import NOTICE
from broker_sim.network.faults import Crash, FaultPlan, Faults
from broker_sim.network.reliable.overlay import ReliableOverlay
from broker_sim.network.wire import LinkModel, ServiceModel
from broker_sim.routing import Broker, Knowledge, Message, Values, strategy_named
from broker_sim.xpath import Path, parse_xpath
from dtd_ads import parse_advertisement
from tests.network.test_removal import ADVERTISED, DOCUMENTS, PATTERNS, XPATHS

TOPOLOGIES = (
    "line:n=3",
    "star:n=4",
    "ring:n=4",
    "ring:n=5",
    "watts-strogatz:n=6,k=4,p=0.2,seed=1",
    "barabasi-albert:n=6,m=2,seed=1",
)
NAMES = (
    "with-adv-no-cov",
    "with-adv-with-cov",
    "with-adv-with-cov-merge-perfect",
    "with-adv-with-cov-merge-imperfect",
    "with-adv-with-cov+schema-cov+adv-cov",
)
MOMENTS = (0.0, 0.004, 0.015, 0.03, 0.07, 0.3, 1.0, 3.0)


@dataclass
class Owed:
    """Who must and who may get a document."""

    publisher: str
    document: bytes
    must: set[str]
    may: set[str]


@dataclass
class Publisher:
    name: str
    broker: str
    schema: str
    number: int


class World:
    """An overlay of nodes, with faults made by hand."""

    def __init__(self, topology: str, strategy: str, loss: float, duplication: float, seed: int) -> None:
        self.topology = load_topology(topology)
        self.strategy = strategy_named(strategy)
        self.values = Values(owned=not self.strategy.cover)
        self.knowledge = Knowledge(self.values, create_engine("lazy-dfa"), cover=self.strategy.cover)
        faults = Faults(FaultPlan(loss=loss, duplication=duplication), Random(seed))
        self.overlay = ReliableOverlay(
            self.topology, self.new_broker, LinkModel(), ServiceModel(), faults, lambda client, message: NOTICE
        )
        self._ids = count()

    def new_broker(self, name: str) -> Broker:
        return Broker(name, sorted(self.topology.graph[name]), self.strategy, self.knowledge, cyclic=True)

    def advertise(self, publisher: Publisher, kind: str = "advertise") -> None:
        self.overlay.attach(publisher.name, publisher.broker)
        for text in ADVERTISED[publisher.schema]:
            key = self.values.advertisement(parse_advertisement(text))
            self.overlay.submit(publisher.name, Message(kind, publisher.name, next(self._ids), key, publisher.number))

    def ask(self, kind: str, client: str, broker: str, path: Path) -> None:
        self.overlay.attach(client, broker)
        key = self.values.subscription(path, client)
        self.overlay.submit(client, Message(kind, client, next(self._ids), key))

    def publish(self, publisher: Publisher, document: bytes, doc_id: int) -> None:
        key = self.values.publication(document)
        message = Message("publish", publisher.name, next(self._ids), key, publisher.number, doc_id=doc_id)
        self.overlay.submit(publisher.name, message)

    def wait(self, seconds: float) -> None:
        """Let some time pass."""
        self.overlay.environment.run(until=self.overlay.now + seconds + 1e-6)


@dataclass(eq=False)
class Standing:
    """A subscription: since the last rest or before (`settled`), until it is taken back."""

    client: str
    broker: str
    path: Path
    settled: bool = False


def _matched(document: bytes, standing: list[Standing]) -> list[Standing]:
    referee = create_engine("lxml")
    for number, each in enumerate(standing):
        referee.add(number, each.path)
    return [standing[number] for number in referee.match(document)]


class Survival(RuleBasedStateMachine):
    """Clients come, go and publish while brokers crash and links break."""

    publishers = Bundle("publishers")
    subscriptions = Bundle("subscriptions")

    @initialize(
        topology=st.sampled_from(TOPOLOGIES),
        strategy=st.sampled_from(NAMES),
        noise=st.sampled_from(((0.0, 0.0), (0.05, 0.05), (0.3, 0.1))),
        seed=st.integers(0, 99),
    )
    def start(self, topology: str, strategy: str, noise: tuple[float, float], seed: int) -> None:
        self.world = World(topology, strategy, *noise, seed)
        self.brokers = list(self.world.topology.brokers)
        self.links = [(link.first, link.second) for link in self.world.topology.links]
        self.alive: list[Standing] = []
        self.leaving: list[Standing] = []
        self.owed: dict[int, Owed] = {}
        self.down: list[Crash] = []
        self.cut: list[tuple[str, str]] = []
        self.publishing: set[str] = set()
        self.numbers = count(1)

    def broker(self, place: int) -> str:
        return self.brokers[place % len(self.brokers)]

    # Operations

    @rule(target=publishers, schema=st.sampled_from(list(ADVERTISED)), place=st.integers(0, 9))
    def advertise(self, schema: str, place: int) -> Publisher:
        number = next(self.numbers)
        publisher = Publisher(f"publisher-{number}", self.broker(place), schema, number)
        self.world.advertise(publisher)
        self.publishing.add(publisher.name)
        return publisher

    @rule(publisher=consumes(publishers))
    def unadvertise(self, publisher: Publisher) -> None:
        """Whoever leaves gives up what was still under way."""
        self.world.advertise(publisher, "unadvertise")
        self.publishing.remove(publisher.name)
        for owed in self.owed.values():
            if owed.publisher == publisher.name:
                owed.may |= owed.must
                owed.must = set()

    @rule(target=subscriptions, text=st.sampled_from(XPATHS + PATTERNS), client=st.integers(0, 3))
    def subscribe(self, text: str, client: int) -> Standing:
        standing = Standing(f"client-{client}", self.broker(3 * client + 1), parse_xpath(text).disjuncts[0])
        self.alive.append(standing)
        self.world.ask("subscribe", standing.client, standing.broker, standing.path)
        for owed in self.owed.values():
            if standing in _matched(owed.document, [standing]):
                owed.may.add(standing.client)
        return standing

    @rule(standing=consumes(subscriptions))
    def unsubscribe(self, standing: Standing) -> None:
        """What was published before and is still under way may come or not."""
        self.alive.remove(standing)
        self.leaving.append(standing)
        self.world.ask("unsubscribe", standing.client, standing.broker, standing.path)
        for owed in self.owed.values():
            owed.may |= {standing.client} & owed.must
            owed.must -= {standing.client}

    @rule(publisher=publishers, which=st.integers(0, 5))
    def publish(self, publisher: Publisher, which: int) -> None:
        choice = DOCUMENTS[publisher.schema]
        document = choice[which % len(choice)].encode()
        matched = _matched(document, [*self.alive, *self.leaving])
        must = {each.client for each in matched if each.settled and each not in self.leaving}
        doc_id = next(self.numbers)
        self.owed[doc_id] = Owed(publisher.name, document, must, {each.client for each in matched} - must)
        self.world.publish(publisher, document, doc_id)

    # Time

    @rule(seconds=st.sampled_from(MOMENTS))
    def wait(self, seconds: float) -> None:
        self.world.wait(seconds)

    @rule()
    def rest(self) -> None:
        """Whoever has asked by now counts for what is published from now on."""
        self.world.overlay.run_to_rest()
        if self.down:
            return  # What clients of a broker that is down ask for waits.
        for standing in self.alive:
            standing.settled = True
        self.leaving.clear()

    # Faults

    @rule(place=st.integers(0, 9), state=st.sampled_from(("lost", "journal")))
    def crash(self, place: int, state: str) -> None:
        crash = Crash(self.broker(place), 0.0, state=state)
        self.down.append(crash)
        self.world.overlay.crash(crash)

    @precondition(lambda self: self.down)
    @rule(which=st.integers(0, 9))
    def restart(self, which: int) -> None:
        self.world.overlay.restart(self.down.pop(which % len(self.down)).broker)

    @rule(place=st.integers(0, 20))
    def cut_link(self, place: int) -> None:
        link = self.links[place % len(self.links)]
        self.cut.append(link)
        self.world.overlay.cut(link)

    @precondition(lambda self: self.cut)
    @rule(which=st.integers(0, 9))
    def mend(self, which: int) -> None:
        self.world.overlay.mend(self.cut.pop(which % len(self.cut)))

    @rule(place=st.integers(0, 9), factor=st.sampled_from((10.0, 300.0)))
    def slow(self, place: int, factor: float) -> None:
        if self.world.overlay.faults.slowness(self.broker(place)) == 1:
            self.world.overlay.faults.slow(self.broker(place), factor)

    @rule(place=st.integers(0, 20), upper=st.booleans())
    def give_up(self, place: int, upper: bool) -> None:
        """One end of a link takes the other for dead though it is not."""
        first, second = self.links[place % len(self.links)]
        here, there = (first, second) if upper else (second, first)
        if self.world.overlay.faults.is_up(here):
            self.world.overlay.nodes[here].give_up(there)

    def teardown(self) -> None:
        """Everything heals, and the overlay comes to rest: nobody lacks a document, nobody has one too many."""
        if not hasattr(self, "world"):
            return
        while self.down:
            self.restart(0)
        while self.cut:
            self.mend(0)
        overlay = self.world.overlay
        overlay.run_to_rest()
        got: dict[int, list[str]] = {doc_id: [] for doc_id in self.owed}
        for delivery in overlay.deliveries:
            got[delivery.doc_id].append(delivery.client)
        for doc_id, owed in self.owed.items():
            assert len(got[doc_id]) == len(set(got[doc_id])), "doubled"
            assert owed.must <= set(got[doc_id]), "missed"
            assert set(got[doc_id]) <= owed.must | owed.may, "unwanted"
        assert not any(source.kept for source in overlay.sources.values())
        here = {source.tree for name, source in overlay.sources.items() if name in self.publishing}
        for node in overlay.nodes.values():
            assert set(node.broker.trees) == here, "a tree is missing, or one is left of a publisher that has gone"


TestSurvival = Survival.TestCase
TestSurvival.settings = settings(max_examples=settings.default.max_examples * 3, stateful_step_count=50)
