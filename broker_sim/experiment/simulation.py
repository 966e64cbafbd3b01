"""The overlay of one strategy, and what its clients do: advertise, subscribe, publish, with rest in between.

Clients take turns in simulated time, so that no broker's table depends on one client being first with everything. On
a topology with cycles, each publisher's advertisements span a tree of their own; strategies without
advertisements flood one fixed spanning tree.

While documents flow, clients may come, go and move (`broker_sim.experiment.churn`), or brokers and links fail
(`broker_sim.experiment.faults`).
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count
from math import inf
from random import Random
from typing import Literal

import networkx as nx
from pyroaring import BitMap

from broker_sim.delivery import Query
from broker_sim.engines import create_engine
from broker_sim.errors import DocumentError
from broker_sim.experiment.ground_truth import Window
from broker_sim.experiment.lower_bound import DeliveryTrees, Root, least_messages
from broker_sim.experiment.scenario import Publisher, Scenario, Subscriber
from broker_sim.network.edge import Edge, Handover
from broker_sim.network.faults import Faults
from broker_sim.network.faulty import FaultyOverlay
from broker_sim.network.graph import natural_key
from broker_sim.network.overlay import Overlay, Progress
from broker_sim.network.reliable.overlay import ReliableOverlay
from broker_sim.network.wire import ServiceModel
from broker_sim.routing import KINDS, Broker, Knowledge, Message, Strategy, Values
from broker_sim.routing.broker import SHARED_TREE
from broker_sim.routing.values import HEADER_BYTES, Publication


class Simulation:
    """One scenario under one strategy. With `shared` off, each broker works everything out for itself."""

    def __init__(self, scenario: Scenario, strategy: Strategy, service: ServiceModel, *, shared: bool = True) -> None:
        self.scenario = scenario
        self.strategy = strategy
        self.values = Values(owned=not strategy.cover)
        self.knowledge = self._knowledge()
        self.cyclic = strategy.advertise and (strategy.reliable or not scenario.topology.is_tree)
        self._graph = scenario.topology.graph if self.cyclic else scenario.topology.spanning_tree
        self._shared = shared
        self._edges = _edges(scenario.subscribers, shared=shared)
        self.overlay = self._overlay(service)
        homes = [(each.name, each.broker) for each in scenario.publishers]
        homes += [(each.name, each.broker) for each in scenario.subscribers]
        for client, broker in homes:
            self.overlay.attach(client, broker)
        self._keys: dict[str, array[int]] = {}
        self._numbers: defaultdict[str, Iterator[int]] = defaultdict(count)
        self._plain: dict[str, BitMap] = {}
        self._published: Counter[tuple[Root, int]] = Counter()
        self.tree_of = {
            each.name: number if self.cyclic else SHARED_TREE for number, each in enumerate(scenario.publishers, 1)
        }

    def _overlay(self, service: ServiceModel) -> Overlay:
        topology, network, plan = self.scenario.topology, self.scenario.experiment.network, self.scenario.faults
        if not self.strategy.reliable and not plan:
            brokers = {name: self._broker(name) for name in topology.brokers}
            return Overlay(topology, brokers, network.links, service, self._hand_over, network.stop)
        faults = Faults(plan, Random(f"{self.scenario.experiment.seed}/faults on links"))
        parts = (topology, self._broker, network.links, service, faults, self._hand_over, network.stop)
        if not self.strategy.reliable:
            return FaultyOverlay(*parts)
        overlay = ReliableOverlay(*parts, network.reliability)
        overlay.check_links(max((len(document.content) for document in self.scenario.documents), default=0))
        return overlay

    def _broker(self, name: str) -> Broker:
        """A broker that knows nothing yet."""
        neighbours = sorted(self._graph[name], key=natural_key)
        knowledge = self.knowledge if self._shared else self._knowledge()
        return Broker(name, neighbours, self.strategy, knowledge, cyclic=self.cyclic)

    def _knowledge(self) -> Knowledge:
        experiment = self.scenario.experiment
        return Knowledge(
            self.values,
            create_engine(experiment.engine),
            cover=self.strategy.cover,
            schema=self.scenario.schema,
            merge_depth=self.scenario.depth,
        )

    def advertise(self, progress: Progress | None = None) -> None:
        """Let every publisher that is there from the start advertise."""
        for publisher in self.scenario.publishers:
            if publisher.since < 0:
                self._announce("advertise", publisher)
        self.overlay.run_to_rest(progress)

    def _announce(self, kind: Literal["advertise", "unadvertise"], publisher: Publisher) -> None:
        """Advertise, or take it back; not in strategies without advertisements."""
        if not self.strategy.advertise:
            return
        for advertisement in publisher.advertisements:
            key = self.values.advertisement(advertisement)
            size = self.values.advertisement_size(key)
            number, tree = next(self._numbers[publisher.name]), self.tree_of[publisher.name]
            self.overlay.submit(publisher.name, Message(kind, publisher.name, number, key, tree, size))

    def subscribe(self, progress: Progress | None = None) -> None:
        """Let every subscriber that is there from the start subscribe."""
        interval = self.scenario.experiment.network.subscribe_interval
        for client in self.scenario.subscribers:
            keys = [self.values.subscription(path, client.name) for path in client.routed]
            self._keys[client.name] = array("I", keys)
            self._plain[client.name] = BitMap(keys[: len(client.subscriptions)])
            for key in keys:
                self.knowledge.learn(key)
            if client.stays[0].since < 0:
                self._ask("subscribe", client, client.broker, interval)
        self.overlay.run_to_rest(progress)

    def _ask(
        self, kind: Literal["subscribe", "unsubscribe"], client: Subscriber, broker: str, interval: float = 0.0
    ) -> None:
        """Subscribe to everything at a broker, or take it back."""
        for place, key in enumerate(self._keys[client.name]):
            number = next(self._numbers[client.name])
            message = Message(kind, client.name, number, key, size=self.values.subscription_size(key))
            self.overlay.submit(client.name, message, place * interval, broker)

    def publish(self, progress: Progress | None = None) -> None:
        """Let every publisher publish its documents, while clients come and go."""
        self.overlay.slowest = dict.fromkeys(KINDS, 0.0)
        for doc_id, document in enumerate(self.scenario.documents):
            publisher = document.publisher
            root = (publisher.broker, self.tree_of[publisher.name])
            for message in self.messages(doc_id, publisher.name):
                self._published[root, message.key] += 1
                self.overlay.submit(publisher.name, message, document.time)
        for publisher in self.scenario.publishers:
            self._at(publisher.since, partial(self._announce, "advertise", publisher))
            self._at(publisher.until, partial(self._announce, "unadvertise", publisher))
        for client in self.scenario.subscribers:
            self._follow(client)
        if isinstance(self.overlay, FaultyOverlay):
            self.overlay.begin_faults()
        with self._named_documents():
            self.overlay.run_to_rest(progress)

    @contextmanager
    def _named_documents(self) -> Iterator[None]:
        """Give a refused document, which brokers know by its number, its name."""
        try:
            yield
        except DocumentError as error:
            names = {f"document {doc_id}": document.name for doc_id, document in enumerate(self.scenario.documents)}
            raise DocumentError(error.message, source=names.get(error.source or "", error.source)) from error

    def _at(self, time: float, action: Callable[[], None]) -> None:
        if 0 <= time < inf:
            self.overlay.call(time, action)

    def _follow(self, client: Subscriber) -> None:
        """Let a subscriber come, go and move."""
        for absence in client.absences:
            self._at(absence.since, partial(self.overlay.leave, client.name))
            self._at(absence.until, partial(self.overlay.come_back, client.name, kept=absence.kept))
        for stay in client.stays:
            self._at(stay.since, partial(self._settle_at, client, stay.broker))
            self._at(stay.until, partial(self._ask, "unsubscribe", client, stay.broker))

    def _settle_at(self, client: Subscriber, broker: str) -> None:
        self.overlay.attach(client.name, broker)
        self._ask("subscribe", client, broker)

    def window(self) -> Window | None:
        """How long a change takes to reach every broker, and a document; None where nothing changes."""
        if not self.scenario.experiment.churn:
            return None
        slowest = self.overlay.slowest
        depth = self.overlay.depth if self.strategy.advertise else self._spanning_depth()
        changes = max(seconds for kind, seconds in slowest.items() if kind != "publish")
        return Window(depth * changes, depth * slowest["publish"])

    def _spanning_depth(self) -> int:
        return int(nx.diameter(self.scenario.topology.spanning_tree)) + 1

    def messages(self, doc_id: int, publisher: str) -> Iterator[Message]:
        """What a publisher sends for one document."""
        whole = self.scenario.experiment.unit == "document"
        contents: tuple[Publication, ...] = (
            (self.scenario.documents[doc_id].content,) if whole else self.scenario.publications[doc_id]
        )
        for path_id, content in enumerate(contents, -1 if whole else 0):
            key = self.values.publication(content)
            size = self.values.publication_size(key)
            yield Message("publish", publisher, path_id, key, self.tree_of[publisher], size, doc_id, path_id)

    def _hand_over(self, client: str, message: Message) -> Handover:
        """What a client's broker hands it: messages for its queries, and the document for its other subscriptions."""
        document = self.scenario.documents[message.doc_id].content
        edge = self._edges.get(client)
        if edge is None:
            return Handover(HEADER_BYTES + len(document))
        whole = self._plain[client].intersect(self.knowledge.matches(message.key))
        return edge.hand_over(client, message.doc_id, document, whole=whole)

    def current_tree(self, publisher: str) -> int:
        """The tree that a publisher's messages follow now."""
        sources = self.overlay.sources if isinstance(self.overlay, ReliableOverlay) else {}
        return sources[publisher].tree if publisher in sources else self.tree_of[publisher]

    def least_publish_messages(self) -> int | None:
        """What publication traffic cannot go below; None while clients come and go, or trees are built anew."""
        if self.scenario.experiment.churn or self.scenario.faults:
            return None
        if any(self.current_tree(name) != number for name, number in self.tree_of.items()):
            return None
        tables = [(client.broker, BitMap(self._keys[client.name])) for client in self.scenario.subscribers]
        return least_messages(DeliveryTrees(self._parents), tables, self._published, self.knowledge.matches)

    def _parents(self, root: Root) -> Mapping[str, str]:
        """The next broker towards the root of a tree, from each other broker."""
        source, number = root
        if not self.cyclic:
            return dict(nx.bfs_predecessors(self.scenario.topology.spanning_tree, source))
        brokers = [station.broker for station in self.overlay.stations.values()]
        return {broker.name: broker.trees[number].parent or source for broker in brokers}


def _edges(subscribers: Sequence[Subscriber], *, shared: bool) -> dict[str, Edge]:
    """For each client with queries its edge: one for all brokers, which work on the same values, or one a broker."""
    asking: dict[str, dict[str, Sequence[Query]]] = {}
    for client in subscribers:
        if client.queries:
            asking.setdefault("" if shared else client.broker, {})[client.name] = client.queries
    return {name: edge for clients in asking.values() for edge in (Edge(clients),) for name in clients}
