"""What covering saves when publications are matched (router paper, section 6.2 and its table).

Each publication is matched against the table of one broker: all queries of a set, or the covering-maximal ones. `scan`
compares them one after the other, as the paper does; other engines show what is left to save for them. Slow engines
are given a sample of the publications. Times are means over all publications given, after one pass to warm up.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Literal

from broker_sim.engines import ENGINES, create_engine
from broker_sim.engines.documents import leaf_paths, parse
from broker_sim.errors import ConfigurationError
from broker_sim.experiment.query_sets import query_set
from broker_sim.experiment.rows import SCHEMA_VERSION, Row
from broker_sim.experiment.spec import SchemaSpec
from broker_sim.relations import CoveringIndex
from broker_sim.workload import DocumentParameters, XPathParameters, generate_documents
from broker_sim.xpath import Path
from dtd_ads import load_schema


@dataclass(frozen=True, slots=True)
class RoutingTimeExperiment:
    """Query sets by name, documents, and the engines with the number of publications each is given (0: all).

    `paper` holds milliseconds a publication: `A` for set A, `A-covering` with covering.
    """

    name: str
    sets: dict[str, tuple[XPathParameters, ...]]
    queries: int
    engines: dict[str, int]
    kind: Literal["routing-time"] = "routing-time"
    description: str = ""
    seed: int = 1
    schema: SchemaSpec = field(default_factory=SchemaSpec)
    documents: DocumentParameters = field(default_factory=lambda: DocumentParameters(number=500))
    paper: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for engine in self.engines:
            if engine not in ENGINES:
                raise ConfigurationError(f"unknown engine {engine!r}; expected {', '.join(ENGINES)}", source="engines")
        if self.queries < 1:
            raise ConfigurationError(f"expected at least 1, not {self.queries}", source="queries")


def measure_routing_time(experiment: RoutingTimeExperiment) -> Iterator[Row]:
    """One row for each set, engine and table."""
    schema = load_schema(experiment.schema.dtd, experiment.schema.root)
    documents = generate_documents(schema, experiment.documents, Random(f"{experiment.seed}/documents"))
    publications = [path for document in documents for path in leaf_paths(parse(document))]
    for name, parts in experiment.sets.items():
        paths = query_set(schema, parts, experiment.queries, f"{experiment.seed}/{name}")
        for engine, limit in experiment.engines.items():
            sample = _sample(publications, limit, experiment.seed)
            before: float | None = None
            for covering, table in ((False, paths), (True, _maximal(paths))):
                milliseconds = _milliseconds(engine, table, sample)
                yield {
                    "schema_version": SCHEMA_VERSION,
                    "experiment": experiment.name,
                    "set": name,
                    "seed": experiment.seed,
                    "engine": engine,
                    "covering": covering,
                    "table": len(table),
                    "publications": len(sample),
                    "of_publications": len(publications),
                    "milliseconds": milliseconds,
                    "saved": None if before is None else 1 - milliseconds / before,
                    "paper_milliseconds": experiment.paper.get(f"{name}-covering" if covering else name),
                }
                before = milliseconds


def _sample(publications: Sequence[tuple[str, ...]], limit: int, seed: int) -> Sequence[tuple[str, ...]]:
    if not limit or limit >= len(publications):
        return publications
    return Random(f"{seed}/sample").sample(publications, limit)


def _maximal(paths: Sequence[Path]) -> list[Path]:
    index = CoveringIndex()
    for number, path in enumerate(paths):
        index.add(number, path)
    return [paths[number] for number in index.maximal()]


def _milliseconds(engine_name: str, table: Sequence[Path], publications: Sequence[tuple[str, ...]]) -> float:
    """The mean time to match one publication."""
    engine = create_engine(engine_name)
    for number, path in enumerate(table):
        engine.add(number, path)
    for publication in publications:
        engine.match_path(publication)
    started = time.perf_counter()
    for publication in publications:
        engine.match_path(publication)
    return (time.perf_counter() - started) * 1000 / max(1, len(publications))
