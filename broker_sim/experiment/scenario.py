"""From a specification to the things themselves: topology, advertisements, clients, documents.

Every strategy of an experiment runs on the same scenario. Each part draws from a generator of its own, seeded by the
experiment's seed and the part's name, so that changing one part leaves the others as they were.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import cycle
from pathlib import Path as File
from random import Random

from broker_sim.engines.documents import leaf_paths, parse
from broker_sim.errors import ConfigurationError
from broker_sim.experiment.spec import Experiment
from broker_sim.network.topology import Topology, load_topology
from broker_sim.workload import generate_documents, generate_xpaths, place
from broker_sim.xpath import Path
from broker_sim.xpath.subscription_file import read_subscriptions
from dtd_ads import EVERYTHING, AdvertisementSet, Schema, compile_advertisements, load_schema


@dataclass(frozen=True, slots=True)
class Publisher:
    """A client that publishes."""

    name: str
    broker: str


@dataclass(frozen=True, slots=True)
class Subscriber:
    """A client with its subscriptions."""

    name: str
    broker: str
    subscriptions: tuple[Path, ...]


@dataclass(frozen=True)
class Scenario:
    """All that a run needs. Document number i is published by publisher i modulo their number."""

    experiment: Experiment
    topology: Topology
    schema: Schema | None
    advertisements: AdvertisementSet
    publishers: tuple[Publisher, ...]
    subscribers: tuple[Subscriber, ...]
    documents: tuple[bytes, ...]
    document_names: tuple[str, ...]

    def publisher_of(self, doc_id: int) -> Publisher:
        """Who publishes a document."""
        return self.publishers[doc_id % len(self.publishers)]

    @cached_property
    def publications(self) -> tuple[tuple[tuple[str, ...], ...], ...]:
        """For each document its root-to-leaf paths: one for each leaf, or the distinct ones."""
        named = zip(self.documents, self.document_names, strict=True)
        paths = (leaf_paths(parse(document, source=name)) for document, name in named)
        every_leaf = self.experiment.documents.every_leaf
        return tuple(tuple(each if every_leaf else dict.fromkeys(each)) for each in paths)

    @cached_property
    def depth(self) -> int:
        """The most levels of any document."""
        return max((len(path) for document in self.publications for path in document), default=1)


def build_scenario(experiment: Experiment) -> Scenario:
    """Load and generate what `experiment` asks for."""
    spec = experiment.schema
    topology = load_topology(experiment.topology, largest_component=experiment.largest_component)
    schema = load_schema(spec.dtd, spec.root)
    everything = experiment.publishers.advertise_everything
    advertisements = (
        AdvertisementSet((EVERYTHING,), "paths", exact=False)
        if everything
        else compile_advertisements(schema, spec.form, spec.max_depth)
    )
    documents = _documents(experiment, schema)
    return Scenario(
        experiment=experiment,
        topology=topology,
        schema=schema,
        advertisements=advertisements,
        publishers=_publishers(experiment, topology),
        subscribers=_subscribers(experiment, topology, schema),
        documents=tuple(documents.values()),
        document_names=tuple(documents),
    )


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


def _publishers(experiment: Experiment, topology: Topology) -> tuple[Publisher, ...]:
    spec = experiment.publishers
    if spec.brokers:
        with _within("publishers"):
            brokers = place(topology, "explicit", number=spec.number, brokers=spec.brokers)
    elif spec.number is None:
        brokers = topology.brokers[:1]
    else:
        brokers = place(topology, "zipf", number=spec.number, theta=0, seed=_generator(experiment, "publishers"))
    return tuple(Publisher(f"publisher-{number}", broker) for number, broker in enumerate(brokers, 1))


def _subscribers(experiment: Experiment, topology: Topology, schema: Schema) -> tuple[Subscriber, ...]:
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
    if spec.file is not None:
        hands: list[list[Path]] = [[] for _ in names]
        for hand, path in zip(cycle(hands), _read(spec.file), strict=False):
            hand.append(path)
    else:
        with _within("subscriptions.generate"):
            hands = [
                list(generate_xpaths(schema, spec.generate, _generator(experiment, f"subscriptions/{name}")))
                for name in names
            ]
    return tuple(map(Subscriber, names, brokers, map(tuple, hands)))


def _read(file: str) -> Iterator[Path]:
    """The paths of a subscription file; `or` counts as several subscriptions."""
    for number, expression in read_subscriptions(file):
        for path in expression.disjuncts:
            yield _linear(path, file, number)


def _linear(path: Path, file: str, line: int) -> Path:
    if not path.is_linear:
        raise ConfigurationError(
            f"subscription {path} has predicates; expected steps over /, // and * only", source=file, line=line
        )
    return path


def _documents(experiment: Experiment, schema: Schema) -> dict[str, bytes]:
    """The documents by their names, each of them well-formed."""
    spec = experiment.documents
    if spec.directory is None:
        with _within("documents.generate"):
            drawn = generate_documents(schema, spec.generate, _generator(experiment, "documents"))
            return {f"document {number}": document for number, document in enumerate(drawn)}
    folder = File(spec.directory)
    files = sorted(folder.glob("*.xml")) if folder.is_dir() else []
    if not files:
        raise ConfigurationError(f"{folder} is no folder with XML files", source="documents.directory")
    for file in files:
        parse(file)
    return {str(file): file.read_bytes() for file in files}
