"""What a run is made of: topology, clients, documents. Every strategy of an experiment runs on the same scenario."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf

from broker_sim.delivery import Query
from broker_sim.engines.documents import leaf_paths, parse
from broker_sim.experiment.spec import Experiment
from broker_sim.network.faults import FaultPlan
from broker_sim.network.graph import Topology
from broker_sim.xpath import Path
from dtd_ads import AdvertisementSet, Schema


@dataclass(frozen=True, slots=True)
class Publisher:
    """A client that publishes documents of one DTD, from `since` until `until`."""

    name: str
    broker: str
    schema: Schema
    advertisements: AdvertisementSet
    since: float = -inf
    until: float = inf


@dataclass(frozen=True, slots=True)
class Stay:
    """A subscriber's subscriptions stand at a broker; documents from `lost` on are thrown away there."""

    broker: str
    since: float = -inf
    until: float = inf
    lost: float = inf


@dataclass(frozen=True, slots=True)
class Absence:
    """A subscriber is disconnected; if `kept`, it finds its documents when it comes back."""

    since: float
    until: float
    kept: bool


@dataclass(frozen=True, slots=True)
class Subscriber:
    """A client with its subscriptions, and the queries that say what it wants of documents.

    `stays` says where and when its subscriptions stand, `absences` when it is away. Times count from the first document
    on; -inf is before all documents.
    """

    name: str
    subscriptions: tuple[Path, ...]
    stays: tuple[Stay, ...]
    queries: tuple[Query, ...] = ()
    absences: tuple[Absence, ...] = ()

    @property
    def broker(self) -> str:
        """Where it stands first."""
        return self.stays[0].broker

    @property
    def routed(self) -> tuple[Path, ...]:
        """What the overlay routes: its subscriptions, then the expression of each query."""
        return (*self.subscriptions, *(query.subscription for query in self.queries))


@dataclass(frozen=True, slots=True)
class Document:
    """A document, its name for people, who publishes it, and when."""

    name: str
    content: bytes
    publisher: Publisher
    time: float


@dataclass(frozen=True)
class Scenario:
    """All that a run needs; a document's id is its place in `documents`."""

    experiment: Experiment
    topology: Topology
    publishers: tuple[Publisher, ...]
    subscribers: tuple[Subscriber, ...]
    documents: tuple[Document, ...]
    faults: FaultPlan

    @cached_property
    def publications(self) -> tuple[tuple[tuple[str, ...], ...], ...]:
        """For each document its root-to-leaf paths: one for each leaf, or the distinct ones."""
        every_leaf = self.experiment.documents.every_leaf
        paths = (leaf_paths(parse(document.content, source=document.name)) for document in self.documents)
        return tuple(tuple(each if every_leaf else dict.fromkeys(each)) for each in paths)

    @cached_property
    def depth(self) -> int:
        """The most levels of any document."""
        return max((len(path) for document in self.publications for path in document), default=1)

    @property
    def schema(self) -> Schema | None:
        """The one DTD that all publications are known to follow, if there is one."""
        names = {publisher.schema.name for publisher in self.publishers}
        everything = self.experiment.publishers.advertise_everything
        return None if everything or len(names) != 1 else self.publishers[0].schema
