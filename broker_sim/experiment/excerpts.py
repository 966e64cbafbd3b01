"""Excerpts of the tables of an overlay at rest, small enough to be shown and each with the reason for what is in it.

Of each broker: how much it knows from where, what each of its links carries, and some of its subscriptions with what
became of them on each link. Of each document: the way it takes and the table entries that cause each hop. Reasons come
from `broker_sim.routing.explanation`, and so from the tables as they stand at the end of a run.

Every list is cut, and says how long it was. The subscriptions of all brokers together are at most `ENTRIES`, but at
least `FEWEST` for each broker; they are taken at even distances, from all hops in turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from pyroaring import BitMap

from broker_sim.experiment.explaining import explain_document
from broker_sim.experiment.simulation import Simulation
from broker_sim.network.trace import Journey
from broker_sim.routing import Broker, Message
from broker_sim.routing.explanation import Reason, explain_subscription, sources
from dtd_ads.advertisement import AutomatonAdvertisement

ENTRIES: Final = 2_500
FEWEST: Final = 3
MOST: Final = 40
TEXTS: Final = 3
ADVERTISEMENTS: Final = 12
DOCUMENTS: Final = 60


@dataclass(frozen=True, slots=True)
class Cut:
    """The first few texts, and how many there are."""

    texts: tuple[str, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Known:
    """What a broker knows from one hop: advertisements, or subscriptions."""

    tree: int
    hop: str
    entries: Cut


@dataclass(frozen=True, slots=True)
class Carried:
    """What one link carries: of all that is asked for, what must flow there, and what does."""

    tree: int
    hop: str
    asked: int
    needed: int
    forwarded: int


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of a subscription on one link, and why."""

    tree: int
    hop: str
    reason: Reason
    because: Cut


@dataclass(frozen=True, slots=True)
class Entry:
    """One subscription in a broker's table."""

    subscription: str
    known_from: tuple[str, ...]
    decisions: tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class BrokerExcerpt:
    """One broker's tables."""

    broker: str
    advertisements: tuple[Known, ...]
    subscriptions: tuple[Known, ...]
    links: tuple[Carried, ...]
    entries: tuple[Entry, ...]
    entries_total: int


@dataclass(frozen=True, slots=True)
class Step:
    """A document goes from a broker to a hop because of these subscriptions."""

    broker: str
    hop: str
    because: Cut


@dataclass(frozen=True, slots=True)
class DocumentExcerpt:
    """The way of one document."""

    doc_id: int
    name: str
    publisher: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Excerpts:
    """Of all brokers, and of the documents that were recorded (at most `DOCUMENTS`)."""

    brokers: tuple[BrokerExcerpt, ...]
    documents: tuple[DocumentExcerpt, ...]


def message_text(simulation: Simulation, message: Message) -> str:
    """What a message is about."""
    if message.kind == "publish":
        return simulation.scenario.documents[message.doc_id].name
    if message.kind in ("advertise", "unadvertise"):
        return _advertisement_text(simulation, message.key)
    return str(simulation.values.path(message.key))


def _advertisement_text(simulation: Simulation, key: int) -> str:
    advertisement = simulation.values.advertised(key)
    if isinstance(advertisement, AutomatonAdvertisement):
        return f"automaton of {len(advertisement.edges)} elements"
    return str(advertisement)


def excerpts(simulation: Simulation, journeys: Iterable[Journey]) -> Excerpts:
    """Read the tables of a simulation."""
    brokers = [station.broker for station in simulation.overlay.stations.values()]
    room = min(MOST, max(FEWEST, ENTRIES // len(brokers)))
    recorded = sorted({journey.doc_id for journey in journeys if journey.kind == "publish"})
    return Excerpts(
        tuple(_broker(simulation, broker, room) for broker in brokers),
        tuple(_document(simulation, doc_id) for doc_id in recorded[:DOCUMENTS]),
    )


def _broker(simulation: Simulation, broker: Broker, room: int) -> BrokerExcerpt:
    keys = BitMap().union(*(tree.asked() for tree in broker.trees.values()), BitMap(broker.clients.asking))
    return BrokerExcerpt(
        broker.name,
        tuple(_advertisements(simulation, broker)),
        tuple(_subscriptions(broker)),
        tuple(
            Carried(number, hop, len(tree.asked()), len(link.needed), len(link.wire))
            for number, tree in broker.trees.items()
            for hop, link in tree.links.items()
        ),
        tuple(_entry(broker, key) for key in _spread(broker, room)),
        len(keys),
    )


def _advertisements(simulation: Simulation, broker: Broker) -> Iterator[Known]:
    for number, tree in broker.trees.items():
        for hop, entries in tree.srt.items():
            shown = [_advertisement_text(simulation, key) for _, key in islice(sorted(entries), ADVERTISEMENTS)]
            yield Known(number, hop, Cut(tuple(shown), len(entries)))


def _tables(broker: Broker) -> Iterator[tuple[int, str, BitMap]]:
    """Subscriptions by tree and hop; those of clients hold for all trees and stand first, in none."""
    for client, table in broker.clients.tables.items():
        yield -1, client, table
    for number, tree in broker.trees.items():
        for hop, table in tree.prt.items():
            yield number, hop, table


def _subscriptions(broker: Broker) -> Iterator[Known]:
    values = broker.knowledge.values
    for number, hop, table in _tables(broker):
        yield Known(number, hop, Cut(tuple(str(values.path(key)) for key in table[:TEXTS]), len(table)))


def _spread(broker: Broker, room: int) -> list[int]:
    """Some keys of each table, at even distances; as many of each as there is room for."""
    tables = [table for _, _, table in _tables(broker)]
    share = max(1, room // max(1, len(tables)))
    chosen = dict.fromkeys(key for table in tables for key in table[:: max(1, -(-len(table) // share))])
    return list(chosen)[: max(room, len(tables))]


def _entry(broker: Broker, key: int) -> Entry:
    decisions = (
        Decision(link.tree, link.hop, link.reason, _cut(link.because)) for link in explain_subscription(broker, key)
    )
    return Entry(str(broker.knowledge.values.path(key)), sources(broker, key), tuple(decisions))


def _document(simulation: Simulation, doc_id: int) -> DocumentExcerpt:
    """Without steps where the publisher has left: the tree that the document followed went with it."""
    document = simulation.scenario.documents[doc_id]
    home = simulation.overlay.stations[document.publisher.broker].broker
    if simulation.current_tree(document.publisher.name) not in home.trees:
        return DocumentExcerpt(doc_id, document.name, document.publisher.name, ())
    steps = (
        Step(step.broker, step.cause.hop, _cut(step.cause.entries)) for step in explain_document(simulation, doc_id)
    )
    return DocumentExcerpt(doc_id, document.name, document.publisher.name, tuple(steps))


def _cut(texts: tuple[str, ...]) -> Cut:
    return Cut(texts[:TEXTS], len(texts))
