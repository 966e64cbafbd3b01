"""The overlay of one strategy, and what its clients do: advertise, subscribe, publish, with rest in between.

Clients take turns in simulated time, so that no broker's table depends on one client being first with everything. On
a topology with cycles, each publisher's advertisements span a tree of their own; strategies without
advertisements flood one fixed spanning tree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import networkx as nx
from pyroaring import BitMap

from broker_sim.engines import create_engine
from broker_sim.errors import DocumentError
from broker_sim.experiment.lower_bound import DeliveryTrees, Root, least_messages
from broker_sim.experiment.scenario import Publisher, Scenario
from broker_sim.network.graph import natural_key
from broker_sim.network.overlay import Overlay, Progress
from broker_sim.network.wire import ServiceModel
from broker_sim.routing import Broker, Knowledge, Message, Strategy, Values
from broker_sim.routing.broker import SHARED_TREE
from broker_sim.routing.values import Publication


class Simulation:
    """One scenario under one strategy. With `shared` off, each broker works everything out for itself."""

    def __init__(self, scenario: Scenario, strategy: Strategy, service: ServiceModel, *, shared: bool = True) -> None:
        self.scenario = scenario
        self.strategy = strategy
        self.values = Values(owned=not strategy.cover)
        self.knowledge = self._knowledge()
        self.cyclic = strategy.advertise and not scenario.topology.is_tree
        graph = scenario.topology.graph if self.cyclic else scenario.topology.spanning_tree
        brokers = {}
        for name in scenario.topology.brokers:
            neighbours = sorted(graph[name], key=natural_key)
            knowledge = self.knowledge if shared else self._knowledge()
            brokers[name] = Broker(name, neighbours, strategy, knowledge, cyclic=self.cyclic)
        network = scenario.experiment.network
        self.overlay = Overlay(scenario.topology, brokers, network.links, service, network.stop)
        homes = [(each.name, each.broker) for each in scenario.publishers]
        homes += [(each.name, each.broker) for each in scenario.subscribers]
        for client, broker in homes:
            self.overlay.attach(client, broker)
        self._keys: dict[str, BitMap] = {}
        self._published: Counter[tuple[Root, int]] = Counter()
        self.tree_of = {
            each.name: number if self.cyclic else SHARED_TREE for number, each in enumerate(scenario.publishers, 1)
        }

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
        """Let every publisher advertise; not in strategies without advertisements."""
        if self.strategy.advertise:
            for publisher in self.scenario.publishers:
                for message in self._advertisements(publisher):
                    self.overlay.submit(publisher.name, message)
        self.overlay.run_to_rest(progress)

    def _advertisements(self, publisher: Publisher) -> Iterator[Message]:
        for number, advertisement in enumerate(publisher.advertisements):
            key = self.values.advertisement(advertisement)
            size = self.values.advertisement_size(key)
            yield Message("advertise", publisher.name, number, key, self.tree_of[publisher.name], size)

    def subscribe(self, progress: Progress | None = None) -> None:
        """Let every subscriber subscribe."""
        interval = self.scenario.experiment.network.subscribe_interval
        for client in self.scenario.subscribers:
            keys = [self.values.subscription(path, client.name) for path in client.subscriptions]
            self._keys[client.name] = BitMap(keys)
            for number, key in enumerate(keys):
                self.knowledge.learn(key)
                size = self.values.subscription_size(key)
                message = Message("subscribe", client.name, number, key, size=size)
                self.overlay.submit(client.name, message, number * interval)
        self.overlay.run_to_rest(progress)

    def publish(self, progress: Progress | None = None) -> None:
        """Let every publisher publish its documents."""
        interval = self.scenario.experiment.network.publish_interval
        turns = len(self.scenario.publishers)
        for doc_id, document in enumerate(self.scenario.documents):
            publisher = document.publisher
            root = (publisher.broker, self.tree_of[publisher.name])
            for message in self.messages(doc_id, publisher.name):
                self._published[root, message.key] += 1
                self.overlay.submit(publisher.name, message, doc_id // turns * interval)
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

    def least_publish_messages(self) -> int:
        """What publication traffic cannot go below."""
        tables = [(client.broker, self._keys[client.name]) for client in self.scenario.subscribers]
        return least_messages(DeliveryTrees(self._parents), tables, self._published, self.knowledge.matches)

    def _parents(self, root: Root) -> Mapping[str, str]:
        """The next broker towards the root of a tree, from each other broker."""
        source, number = root
        if not self.cyclic:
            return dict(nx.bfs_predecessors(self.scenario.topology.spanning_tree, source))
        brokers = [station.broker for station in self.overlay.stations.values()]
        return {broker.name: broker.trees[number].parent or source for broker in brokers}
