"""From a specification to the things themselves.

Each part draws from a generator of its own, seeded by the experiment's seed and the part's name, so that changing one
part leaves the others as they were. With several DTDs, publishers and subscribers take them in turn. Documents go round
the publishers; a document of a file goes round those whose DTD has its root element, if there are any.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count, cycle, islice
from pathlib import Path as File
from random import Random
from typing import TypeVar

from broker_sim.delivery import Query
from broker_sim.delivery.query_file import read_queries
from broker_sim.engines.documents import parse, written_name
from broker_sim.errors import ConfigurationError
from broker_sim.experiment.churn import Churn
from broker_sim.experiment.scenario import Document, Publisher, Scenario, Stay, Subscriber
from broker_sim.experiment.spec import Experiment, Unit
from broker_sim.network.graph import Topology
from broker_sim.network.topology import load_topology
from broker_sim.workload import FlwrParameters, generate_documents, generate_flwr, generate_xpaths, place
from broker_sim.xpath import Path
from broker_sim.xpath.subscription_file import read_subscriptions
from dtd_ads import EVERYTHING, AdvertisementSet, Schema, compile_advertisements, load_schema

Item = TypeVar("Item")


def build_scenario(experiment: Experiment) -> Scenario:
    """Load and generate what `experiment` asks for."""
    spec = experiment.schema
    topology = load_topology(experiment.topology, largest_component=experiment.largest_component)
    schemas = [load_schema(spec.dtd, spec.root), *map(load_schema, spec.also)]
    publishers, subscribers = _clients(experiment, topology, schemas)
    span = _rounds(experiment, publishers) * experiment.network.publish_interval
    return Scenario(
        experiment=experiment,
        topology=topology,
        publishers=publishers,
        subscribers=subscribers,
        documents=tuple(_documents(experiment, publishers)),
        faults=experiment.faults.plan(topology, span, _generator(experiment, "faults")),
    )


def _clients(
    experiment: Experiment, topology: Topology, schemas: list[Schema]
) -> tuple[tuple[Publisher, ...], tuple[Subscriber, ...]]:
    """All clients that are ever there."""
    publishers = _publishers(experiment, topology, schemas)
    subscribers = _subscribers(experiment, topology, schemas)
    if not experiment.churn:
        return publishers, subscribers
    random = _generator(experiment, "churn")
    brokers = topology.brokers

    def new_subscriber(number: int) -> Subscriber:
        name, stays = f"subscriber-{number}", (Stay(random.choice(brokers)),)
        if experiment.subscriptions.file is not None or experiment.subscriptions.with_queries:
            return replace(random.choice(subscribers), name=name, stays=stays)
        return Subscriber(name, _drawn(experiment, name, random.choice(schemas)), stays)

    def new_publisher(number: int) -> Publisher:
        return replace(random.choice(publishers), name=f"publisher-{number}", broker=random.choice(brokers))

    churn = Churn(experiment.churn, random, lambda: random.choice(brokers), new_subscriber, new_publisher)
    span = _rounds(experiment, publishers) * experiment.network.publish_interval
    subscribers, publishers = churn.play(subscribers, publishers, span)
    return publishers, subscribers


def _rounds(experiment: Experiment, publishers: tuple[Publisher, ...]) -> int:
    """How often every publisher publishes."""
    return -(-_number_of_documents(experiment) // len(publishers))


@contextmanager
def _within(table: str) -> Iterator[None]:
    """Give errors about a key the name of its table."""
    try:
        yield
    except ConfigurationError as error:
        if error.line is None and error.source is not None and not error.source.startswith(table):
            raise ConfigurationError(error.message, source=f"{table}.{error.source}") from error
        raise


def _generator(experiment: Experiment, part: str) -> Random:
    return Random(f"{experiment.seed}/{part}")


def _publishers(experiment: Experiment, topology: Topology, schemas: list[Schema]) -> tuple[Publisher, ...]:
    sets = {schema.name: _advertisements(experiment, schema) for schema in schemas}
    return tuple(
        Publisher(f"publisher-{number}", broker, schema, sets[schema.name])
        for number, (broker, schema) in enumerate(
            zip(_publishing_brokers(experiment, topology), cycle(schemas), strict=False), 1
        )
    )


def _advertisements(experiment: Experiment, schema: Schema) -> AdvertisementSet:
    if experiment.publishers.advertise_everything:
        return AdvertisementSet((EVERYTHING,), "paths", exact=False)
    return compile_advertisements(schema, experiment.schema.form, experiment.schema.max_depth)


def _publishing_brokers(experiment: Experiment, topology: Topology) -> tuple[str, ...]:
    spec = experiment.publishers
    number = spec.number or (len(experiment.schema.also) + 1 if experiment.schema.also else None)
    with _within("publishers"):
        if spec.brokers:
            return place(topology, "explicit", number=number, brokers=spec.brokers)
        if number is None:
            return topology.brokers[:1]
        return place(topology, "zipf", number=number, theta=0, seed=_generator(experiment, "publishers"))


def _subscribers(experiment: Experiment, topology: Topology, schemas: list[Schema]) -> tuple[Subscriber, ...]:
    spec = experiment.subscriptions
    with _within("subscriptions"):
        brokers = place(
            topology,
            spec.placement,
            number=spec.subscribers or None,
            brokers=spec.brokers,
            theta=spec.theta,
            seed=_generator(experiment, "placement"),
        )
    names = [f"subscriber-{number}" for number in range(1, len(brokers) + 1)]
    turns = list(zip(names, cycle(schemas), strict=False))
    hands: list[tuple[Path, ...]] = [() for _ in names]
    if spec.file is not None:
        dealt = _dealt(_read(spec.file, experiment.unit), len(names))
        hands = [tuple(path for paths in hand for path in paths) for hand in dealt]
    elif not spec.with_queries:
        hands = [_drawn(experiment, name, schema) for name, schema in turns]
    queries: list[tuple[Query, ...]] = [() for _ in names]
    if spec.queries is not None:
        queries = _dealt((query for _, query in read_queries(File(spec.queries))), len(names))
    elif spec.flwr is not None:
        queries = [_drawn_queries(experiment, name, schema, spec.flwr) for name, schema in turns]
    stays = [(Stay(broker),) for broker in brokers]
    return tuple(map(Subscriber, names, hands, stays, queries))


def _dealt(items: Iterable[Item], hands: int) -> list[tuple[Item, ...]]:
    """The items in turn to so many hands."""
    every = tuple(items) if hands else ()
    return [every[first::hands] for first in range(hands)]


def _drawn_queries(
    experiment: Experiment, subscriber: str, schema: Schema, parameters: FlwrParameters
) -> tuple[Query, ...]:
    with _within("subscriptions.flwr"):
        return tuple(generate_flwr(schema, parameters, _generator(experiment, f"queries/{subscriber}")))


def _drawn(experiment: Experiment, subscriber: str, schema: Schema) -> tuple[Path, ...]:
    generator = _generator(experiment, f"subscriptions/{subscriber}")
    with _within("subscriptions.generate"):
        return tuple(generate_xpaths(schema, experiment.subscriptions.generate, generator))


def _read(file: str, unit: Unit) -> Iterator[tuple[Path, ...]]:
    """The subscriptions of a file; `or` makes one subscription of several paths."""
    for number, expression in read_subscriptions(file):
        if unit == "paths" and not expression.is_linear:
            raise ConfigurationError(
                f"subscription {expression} has predicates; the unit 'paths' takes steps over /, // and * only, "
                "the unit 'document' takes all",
                source=file,
                line=number,
            )
        yield expression.disjuncts


def _number_of_documents(experiment: Experiment) -> int:
    spec = experiment.documents
    return spec.generate.number if spec.directory is None else len(_files(spec.directory))


def _documents(experiment: Experiment, publishers: tuple[Publisher, ...]) -> Iterator[Document]:
    spec, interval = experiment.documents, experiment.network.publish_interval
    if spec.directory is not None:
        yield from _own_documents(_files(spec.directory), publishers, interval)
        return
    with _within("documents.generate"):
        streams = {
            name: generate_documents(
                next(each.schema for each in publishers if each.schema.name == name),
                spec.generate,
                _generator(experiment, "documents" if place == 0 else f"documents/{name}"),
            )
            for place, name in enumerate(dict.fromkeys(publisher.schema.name for publisher in publishers))
        }
        for number, (time, publisher) in enumerate(islice(_turns(publishers, interval), spec.generate.number)):
            yield Document(f"document {number}", next(streams[publisher.schema.name]), publisher, time)


def _turns(publishers: tuple[Publisher, ...], interval: float) -> Iterator[tuple[float, Publisher]]:
    """Who publishes next and when: in each round, all who are there."""
    for number in count():
        time = number * interval
        yield from ((time, each) for each in publishers if each.since <= time < each.until)


def _own_documents(files: list[File], publishers: tuple[Publisher, ...], interval: float) -> Iterator[Document]:
    first = sum(each.since < 0 for each in publishers)
    turns: Counter[str] = Counter()
    for number, file in enumerate(files):
        time = number // first * interval
        root = written_name(parse(file))
        there = [each for each in publishers if each.since <= time < each.until]
        fitting = [each for each in there if each.schema.root == root] or there
        yield Document(str(file), file.read_bytes(), fitting[turns[root] % len(fitting)], time)
        turns[root] += 1


def _files(directory: str) -> list[File]:
    folder = File(directory)
    files = sorted(folder.glob("*.xml")) if folder.is_dir() else []
    if not files:
        raise ConfigurationError(f"{folder} is no folder with XML files", source="documents.directory")
    return files
