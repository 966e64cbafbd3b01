"""The way of a subscription and of a document through the overlay of an experiment, with the reason for each hop."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from broker_sim.errors import ConfigurationError
from broker_sim.experiment.building import build_scenario
from broker_sim.experiment.simulation import Simulation
from broker_sim.experiment.spec import Experiment
from broker_sim.routing import strategy_named
from broker_sim.routing.explanation import HopCause, LinkReason, explain_publication, explain_subscription, sources
from broker_sim.xpath import Path, parse_xpath


@dataclass(frozen=True, slots=True)
class SubscriptionStory:
    """What a broker knows of one subscription, and what it did with it."""

    subscription: str
    owner: str | None
    known_from: tuple[str, ...]
    links: tuple[LinkReason, ...]


@dataclass(frozen=True, slots=True)
class DocumentStep:
    """A document went from a broker to a hop."""

    broker: str
    cause: HopCause


def subscribed(experiment: Experiment, strategy: str) -> Simulation:
    """The overlay at rest after everybody has subscribed."""
    scenario = build_scenario(experiment)
    simulation = Simulation(scenario, strategy_named(strategy, experiment.max_degree), experiment.network.service)
    simulation.advertise()
    simulation.subscribe()
    return simulation


def explain_at(simulation: Simulation, broker: str, expression: str) -> list[SubscriptionStory]:
    """What `broker` did with each path of an expression; one story for each owner where owners count."""
    station = simulation.overlay.stations.get(broker)
    if station is None:
        raise ConfigurationError(f"topology {simulation.scenario.topology.name} has no broker {broker!r}")
    return [
        SubscriptionStory(
            str(path),
            owner,
            sources(station.broker, key),
            tuple(explain_subscription(station.broker, key)),
        )
        for path in parse_xpath(expression).disjuncts
        for key, owner in _keys(simulation, path)
    ]


def _keys(simulation: Simulation, path: Path) -> list[tuple[int, str | None]]:
    found = simulation.values.keys_of(path)
    if not found:
        raise ConfigurationError(f"nobody subscribed to {path}, and no merger is spelled so")
    return found


def explain_document(simulation: Simulation, doc_id: int) -> Iterator[DocumentStep]:
    """The way of a document, from its publisher's broker on, breadth first."""
    documents = simulation.scenario.documents
    if not 0 <= doc_id < len(documents):
        raise ConfigurationError(f"expected a document from 0 to {len(documents) - 1}, not {doc_id}", source="document")
    publisher = documents[doc_id].publisher
    tree = simulation.current_tree(publisher.name)
    keys = [message.key for message in simulation.messages(doc_id, publisher.name)]
    queue = [(publisher.broker, publisher.name, keys)]
    for broker, from_hop, arriving in queue:
        entries: dict[str, set[str]] = {}
        onward: dict[str, list[int]] = {}
        for key in arriving:
            for cause in explain_publication(simulation.overlay.stations[broker].broker, key, tree, from_hop):
                entries.setdefault(cause.hop, set()).update(cause.entries)
                onward.setdefault(cause.hop, []).append(key)
        for hop, texts in entries.items():
            yield DocumentStep(broker, HopCause(hop, tuple(sorted(texts))))
            if hop in simulation.overlay.stations:
                queue.append((hop, broker, onward[hop]))
