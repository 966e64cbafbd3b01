"""The referee: who should have received what, by lxml's own XPath and nothing of ours.

Each distinct expression is evaluated on each document once, whoever subscribed to it. The comparison goes client by
client and document by document: a missed delivery, an unwanted one and a second notification are all failures, and so
is a customised message that is not what the client's query asks for (`message_truth`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pyroaring import BitMap

from broker_sim.engines import create_engine
from broker_sim.experiment.message_truth import Messages, true_messages
from broker_sim.experiment.scenario import Scenario, Subscriber
from broker_sim.network.overlay import Delivery
from broker_sim.xpath import Path

Receivers = frozenset[str]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What went wrong, as (document, client); nothing did if all are empty. `altered` is right but for the message."""

    missed: tuple[tuple[int, str], ...]
    unwanted: tuple[tuple[int, str], ...]
    altered: tuple[tuple[int, str], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.missed or self.unwanted or self.altered)


@dataclass(frozen=True, slots=True)
class Truth:
    """For each document, who must be notified, and the customised messages that are due."""

    receivers: tuple[Receivers, ...]
    messages: tuple[Messages, ...]


def truth_of(scenario: Scenario) -> Truth:
    """Ask the referees."""
    return Truth(true_receivers(scenario), true_messages(scenario))


def true_receivers(scenario: Scenario) -> tuple[Receivers, ...]:
    """For each document, the clients that must be notified."""
    number: dict[Path, int] = {}
    wanted = [(client.name, _numbers(client, number)) for client in scenario.subscribers]
    referee = create_engine("lxml")
    for path, each in number.items():
        referee.add(each, path)
    return tuple(
        frozenset(client for client, expressions in wanted if expressions.intersect(matched))
        for matched in (referee.match(document.content) for document in scenario.documents)
    )


def _numbers(client: Subscriber, number: dict[Path, int]) -> BitMap:
    return BitMap(number.setdefault(path, len(number)) for path in client.routed)


def compare(truth: Truth, deliveries: Sequence[Delivery]) -> Verdict:
    """Hold the deliveries of a run against the truth."""
    found = Counter((delivery.doc_id, delivery.client) for delivery in deliveries)
    due = {(doc_id, client) for doc_id, receivers in enumerate(truth.receivers) for client in receivers}
    doubled = [each for each, times in found.items() for _ in range(times - 1)]
    return Verdict(
        tuple(sorted(due - found.keys())),
        tuple(sorted([*(found.keys() - due), *doubled])),
        tuple(sorted(_altered(truth.messages, deliveries))),
    )


def _altered(messages: Sequence[Messages], deliveries: Sequence[Delivery]) -> Iterator[tuple[int, str]]:
    for delivery in deliveries:
        if delivery.handed.messages != messages[delivery.doc_id].get(delivery.client, ()):
            yield delivery.doc_id, delivery.client
