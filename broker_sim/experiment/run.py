"""One run: a scenario under one strategy, from the first advertisement to the verdict.

The overlay comes to rest between advertising, subscribing and publishing. Clients take turns, so that no broker's
table depends on one client being first with everything.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pyroaring import BitMap

from broker_sim.engines import create_engine
from broker_sim.experiment.ground_truth import Receivers, Verdict, compare, true_receivers
from broker_sim.experiment.lower_bound import DeliveryTrees, least_messages
from broker_sim.experiment.scenario import Scenario, build_scenario
from broker_sim.experiment.spec import Experiment
from broker_sim.network.overlay import Overlay
from broker_sim.routing import Broker, Message, Registry, Strategy, strategy_named
from broker_sim.routing.message import HEADER_BYTES

Report = Callable[[str], None]
"""Called with a short text whenever a run enters another phase."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one run left behind; `verdict` is None where nobody checked."""

    scenario: Scenario
    strategy: Strategy
    overlay: Overlay
    least_publish_messages: int
    verdict: Verdict | None
    wall_seconds: float


def run(experiment: Experiment, report: Report = lambda text: None) -> Iterator[Outcome]:
    """Run every strategy of the experiment on the same scenario, one after the other."""
    report("building the scenario")
    scenario = build_scenario(experiment)
    truth: Sequence[Receivers] | None = None
    if experiment.verify:
        report("asking lxml who should receive what")
        truth = true_receivers(scenario)
    for name in experiment.strategies:
        yield run_strategy(scenario, strategy_named(name, experiment.max_degree), truth, report)


def run_strategy(
    scenario: Scenario, strategy: Strategy, truth: Sequence[Receivers] | None, report: Report = lambda text: None
) -> Outcome:
    """Run one strategy; with `truth`, hold its deliveries against it."""
    started = time.perf_counter()
    simulation = _Simulation(scenario, strategy)
    report(f"{strategy.name}: advertising")
    simulation.advertise()
    report(f"{strategy.name}: subscribing")
    simulation.subscribe()
    report(f"{strategy.name}: publishing")
    simulation.publish()
    return Outcome(
        scenario,
        strategy,
        simulation.overlay,
        simulation.least_publish_messages(),
        None if truth is None else compare(truth, simulation.overlay.deliveries),
        time.perf_counter() - started,
    )


class _Simulation:
    """The overlay of one strategy, and the messages its clients send."""

    def __init__(self, scenario: Scenario, strategy: Strategy) -> None:
        self.scenario = scenario
        self.strategy = strategy
        self.registry = Registry(
            create_engine(scenario.experiment.engine), cover=strategy.cover, schema=scenario.schema
        )
        brokers = {
            name: Broker(name, scenario.topology.neighbours(name), strategy, self.registry)
            for name in scenario.topology.brokers
        }
        network = scenario.experiment.network
        self.overlay = Overlay(scenario.topology, brokers, network)
        for client in (*scenario.publishers, *scenario.subscribers):
            self.overlay.attach(client.name, client.broker)
        self._keys: dict[str, BitMap] = {}
        self._published: list[tuple[str, int]] = []

    def advertise(self) -> None:
        if self.strategy.advertise:
            for publisher in self.scenario.publishers:
                for number, advertisement in enumerate(self.scenario.advertisements):
                    key = self.registry.advertisement(advertisement)
                    size = HEADER_BYTES + len(str(advertisement))
                    self.overlay.submit(publisher.name, Message("advertise", publisher.name, number, key, size=size))
        self.overlay.run_to_rest()

    def subscribe(self) -> None:
        interval = self.scenario.experiment.network.subscribe_interval
        for client in self.scenario.subscribers:
            keys = [self.registry.subscription(path, client.name) for path in client.subscriptions]
            self._keys[client.name] = BitMap(keys)
            for number, key in enumerate(keys):
                size = self.registry.subscription_size(key)
                message = Message("subscribe", client.name, number, key, size=size)
                self.overlay.submit(client.name, message, number * interval)
        self.overlay.run_to_rest()

    def publish(self) -> None:
        interval = self.scenario.experiment.network.publish_interval
        turns = len(self.scenario.publishers)
        for doc_id in range(len(self.scenario.documents)):
            publisher = self.scenario.publisher_of(doc_id)
            for message in self._messages(doc_id, publisher.name):
                self._published.append((publisher.broker, message.key))
                self.overlay.submit(publisher.name, message, doc_id // turns * interval)
        self.overlay.run_to_rest()

    def _messages(self, doc_id: int, publisher: str) -> Iterator[Message]:
        document = self.scenario.documents[doc_id]
        if self.scenario.experiment.unit == "document":
            key = self.registry.publication(document)
            yield Message("publish", publisher, doc_id, key, size=HEADER_BYTES + len(document), doc_id=doc_id)
            return
        for path_id, path in enumerate(self.scenario.publications[doc_id]):
            key = self.registry.publication(path)
            size = HEADER_BYTES + sum(map(len, path)) + len(path)
            yield Message("publish", publisher, path_id, key, size=size, doc_id=doc_id, path_id=path_id)

    def least_publish_messages(self) -> int:
        home = {client.name: client.broker for client in self.scenario.subscribers}
        tables = [(home[name], keys) for name, keys in self._keys.items()]
        published = [(broker, self.registry.matches(key)) for broker, key in self._published]
        return least_messages(DeliveryTrees(self.scenario.topology), tables, published)
