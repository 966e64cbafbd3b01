"""The referee: who should have received what, by lxml's own XPath and nothing of ours.

Each distinct expression is evaluated on each document once, whoever subscribed to it. The comparison goes client by
client and document by document: a missed delivery, an unwanted one and a second notification are all failures, and so
is a customised message that is not what the client's query asks for (`message_truth`).

Where clients come and go while documents flow, a change takes time to reach all brokers. A subscription counts from
when it is installed on the way, so there is a *window* around each change in which a document may or may not arrive.
Its length follows from the run's own wires alone: a change is passed on at once, so it has reached every broker after
as many of the slowest steps between two brokers as there are brokers on the longest way. (Covering and merging do not
prolong this: whatever stands for a subscription on a link was sent there before, and additions are sent before
removals.) A publisher that comes is known after one window, and asked for after two. Outside the windows nothing may be
lost, and nowhere may anything be doubled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pyroaring import BitMap

from broker_sim.engines import create_engine
from broker_sim.experiment.message_truth import Messages, true_messages
from broker_sim.experiment.scenario import Scenario, Stay, Subscriber
from broker_sim.network.sessions import Delivery
from broker_sim.xpath import Path

Receivers = frozenset[str]
Pairs = set[tuple[int, str]]
Split = Callable[[Pairs], tuple[Pairs, Pairs]]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What went wrong, as (document, client); `altered` is right but for the message."""

    missed: tuple[tuple[int, str], ...]
    unwanted: tuple[tuple[int, str], ...]
    altered: tuple[tuple[int, str], ...] = ()
    uncertain: int = 0
    """How many more might have been delivered or not, having fallen into a window."""
    uncertain_delivered: int = 0

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


@dataclass(frozen=True, slots=True)
class Window:
    """How long it takes, in seconds, until a change is known to all brokers, and a document at all of them."""

    change: float
    publication: float


def compare(truth: Truth, deliveries: Sequence[Delivery], split: Split | None = None) -> Verdict:
    """Hold the deliveries of a run against the truth; `split` says which of them must and which may be there."""
    found = Counter((delivery.doc_id, delivery.client) for delivery in deliveries)
    wanted = {(doc_id, client) for doc_id, receivers in enumerate(truth.receivers) for client in receivers}
    due, possible = (wanted, wanted) if split is None else split(wanted)
    doubled = [each for each, times in found.items() for _ in range(times - 1)]
    uncertain = possible - due
    return Verdict(
        tuple(sorted(due - found.keys())),
        tuple(sorted([*(found.keys() - possible), *doubled])),
        tuple(sorted(_altered(truth.messages, deliveries))),
        len(uncertain),
        len(uncertain & found.keys()),
    )


def around_windows(scenario: Scenario, window: Window, wanted: Pairs) -> tuple[Pairs, Pairs]:
    """Of the pairs of document and client that match, those that must and those that may be delivered."""
    clients = {client.name: client for client in scenario.subscribers}
    due, possible = set(), set()
    for pair in wanted:
        document, client = scenario.documents[pair[0]], clients[pair[1]]
        known = document.publisher.since + 2 * window.change <= document.time
        if known and any(_must(stay, document.time, window) for stay in client.stays):
            due.add(pair)
        if any(_may(stay, document.time, window) for stay in client.stays):
            possible.add(pair)
    return due, possible


def despite_faults(scenario: Scenario, wanted: Pairs, *, reliable: bool) -> tuple[Pairs, Pairs]:
    """Of the pairs of document and client that match, those that must and those that may be delivered.

    An overlay that is not reliable promises nothing under faults. A reliable one delivers wherever a publisher's and a
    client's broker are connected when all faults that end have ended.
    """
    part = {name: place for place, names in enumerate(scenario.faults.left(scenario.topology)) for name in names}
    home = {client.name: client.broker for client in scenario.subscribers}
    due = set()
    for doc_id, client in wanted:
        source = part.get(scenario.documents[doc_id].publisher.broker)
        if reliable and source is not None and part.get(home[client]) == source:
            due.add((doc_id, client))
    return due, wanted


def _must(stay: Stay, time: float, window: Window) -> bool:
    return stay.since + window.change <= time and time + window.publication <= min(stay.until, stay.lost)


def _may(stay: Stay, time: float, window: Window) -> bool:
    return time < min(stay.until, stay.lost) and time + window.publication >= stay.since


def _altered(messages: Sequence[Messages], deliveries: Sequence[Delivery]) -> Iterator[tuple[int, str]]:
    for delivery in deliveries:
        if delivery.handed.messages != messages[delivery.doc_id].get(delivery.client, ()):
            yield delivery.doc_id, delivery.client
