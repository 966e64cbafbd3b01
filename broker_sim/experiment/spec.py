"""What an experiment is: frozen values that a TOML file, or a caller, fills in.

An experiment brings a topology, a DTD, subscriptions and documents (own files or generated ones), and names the
strategies to compare on exactly the same workload. Everything random follows from `seed`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import Literal

from broker_sim.errors import ConfigurationError
from broker_sim.experiment.faults import FaultSpec
from broker_sim.network.reliable import Reliability
from broker_sim.network.stopping import StopConditions
from broker_sim.network.wire import LinkModel, ServiceModel
from broker_sim.routing import STRATEGIES, strategy_named
from broker_sim.workload import DocumentParameters, FlwrParameters, XPathParameters

Unit = Literal["paths", "document"]


@dataclass(frozen=True, slots=True)
class SchemaSpec:
    """The DTD (a file or a catalogue name), others that are published beside it, and the form of advertisements.

    `root` is that of `dtd`.
    """

    dtd: str = "psd"
    also: tuple[str, ...] = ()
    root: str | None = None
    form: Literal["auto", "paths", "automaton"] = "auto"
    max_depth: int | None = None

    def __post_init__(self) -> None:
        if self.max_depth is not None and self.max_depth < 1:
            raise ConfigurationError(f"expected at least 1, not {self.max_depth}", source="max_depth")


@dataclass(frozen=True, slots=True)
class PublisherSpec:
    """`number` publishers, by turns at each of these brokers; by default one at each, or one at the first broker.

    Without `brokers`, several publishers stand at brokers drawn at random. Documents are dealt out to them in turn.
    """

    number: int | None = None
    brokers: tuple[str, ...] = ()
    advertise_everything: bool = False

    def __post_init__(self) -> None:
        if self.number is not None and self.number < 1:
            raise ConfigurationError(f"expected at least one publisher, not {self.number}", source="number")


@dataclass(frozen=True, slots=True)
class SubscriptionSpec:
    """Who subscribes where, and to what: a file (a line each, dealt out in turn), or `generate` for each subscriber.

    `queries` is a file of FLWR queries, dealt out likewise, and `flwr` draws some for each subscriber. With either of
    them, `generate` is not used.
    """

    placement: Literal["leaves", "all", "zipf", "explicit"] = "leaves"
    brokers: tuple[str, ...] = ()
    subscribers: int = 0
    theta: float = 1.0
    file: str | None = None
    queries: str | None = None
    flwr: FlwrParameters | None = None
    generate: XPathParameters = field(default_factory=lambda: XPathParameters(number=100, wildcard=0.1, descendant=0.1))

    def __post_init__(self) -> None:
        for name in ("subscribers", "theta"):
            if getattr(self, name) < 0:
                raise ConfigurationError(f"must not be negative, not {getattr(self, name)}", source=name)
        if self.queries is not None and self.flwr is not None:
            raise ConfigurationError("expected a file of queries or drawn ones, not both", source="queries")

    @property
    def with_queries(self) -> bool:
        """Whether subscribers ask with FLWR queries."""
        return self.queries is not None or self.flwr is not None


@dataclass(frozen=True, slots=True)
class DocumentSpec:
    """What is published: the XML files of a directory, or generated documents.

    In the unit `paths`, each distinct root-to-leaf path of a document is a message; with `every_leaf`, each leaf is.
    """

    directory: str | None = None
    every_leaf: bool = False
    generate: DocumentParameters = field(default_factory=lambda: DocumentParameters(number=20))


@dataclass(frozen=True, slots=True)
class NetworkSpec:
    """Simulated time, in seconds.

    `subscribe_interval` and `publish_interval` lie between one client's subscriptions and between one publisher's
    documents. `links` is for links whose topology gives no latency or bandwidth. With `calibrate`, the service time of
    a publication is measured on this machine with the experiment's engine, and rows differ from run to run. `stop`
    bounds queues, simulated time and messages; without it, a run goes on until the overlay is at rest. `reliability`
    is for strategies with the option `reliable`.
    """

    subscribe_interval: float = 0.001
    publish_interval: float = 0.1
    links: LinkModel = field(default_factory=LinkModel)
    service: ServiceModel = field(default_factory=ServiceModel)
    calibrate: bool = False
    stop: StopConditions = field(default_factory=StopConditions)
    reliability: Reliability = field(default_factory=Reliability)

    def __post_init__(self) -> None:
        for name in ("subscribe_interval", "publish_interval"):
            if getattr(self, name) < 0:
                raise ConfigurationError(f"must not be negative, not {getattr(self, name)}", source=name)


@dataclass(frozen=True, slots=True)
class ChurnSpec:
    """Who comes and goes while documents flow (see `churn`): events a simulated second; the last three are seconds."""

    arrivals: float = 0.0
    departures: float = 0.0
    moves: float = 0.0
    publisher_arrivals: float = 0.0
    publisher_departures: float = 0.0
    away: float = 0.5
    keep: float = 60.0
    handover: float = 2.0

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if not 0 <= getattr(self, name) < inf:
                raise ConfigurationError(f"expected a number from 0, not {getattr(self, name)}", source=name)

    def __bool__(self) -> bool:
        """Whether anybody comes or goes."""
        return any((self.arrivals, self.departures, self.moves, self.publisher_arrivals, self.publisher_departures))


@dataclass(frozen=True, slots=True)
class Experiment:
    """One workload on one overlay, under one or more strategies.

    `paper` holds figures of a paper by strategy (messages received), shown beside ours and never mixed with them.
    """

    name: str
    kind: Literal["overlay"] = "overlay"
    description: str = ""
    seed: int = 1
    unit: Unit = "paths"
    engine: str = "lazy-dfa"
    strategies: tuple[str, ...] = tuple(STRATEGIES)
    max_degree: float = 0.1
    verify: bool = True
    topology: str = "paper-8"
    largest_component: bool = False
    schema: SchemaSpec = field(default_factory=SchemaSpec)
    publishers: PublisherSpec = field(default_factory=PublisherSpec)
    subscriptions: SubscriptionSpec = field(default_factory=SubscriptionSpec)
    documents: DocumentSpec = field(default_factory=DocumentSpec)
    network: NetworkSpec = field(default_factory=NetworkSpec)
    churn: ChurnSpec = field(default_factory=ChurnSpec)
    faults: FaultSpec = field(default_factory=FaultSpec)
    paper: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.strategies:
            raise ConfigurationError("name at least one strategy", source="strategies")
        if self.unit == "paths" and not self.subscriptions.generate.linear:
            raise ConfigurationError("tree patterns need the unit 'document', not 'paths'", source="unit")
        if self.unit == "paths" and self.subscriptions.with_queries:
            raise ConfigurationError("FLWR queries need the unit 'document', not 'paths'", source="unit")
        for name in self.strategies:
            try:
                strategy = strategy_named(name, self.max_degree)
            except ConfigurationError as error:
                raise ConfigurationError(error.message, source="strategies") from error
            if self.churn and (strategy.reliable or self.faults != FaultSpec()):
                raise ConfigurationError("clients cannot come and go in an overlay with faults", source="churn")
