"""How much of a routing table covering saves (router paper, section 6.1 and its figure).

One broker is given growing sets of distinct queries. Without covering, its table holds all of them; with covering,
those that no other covers; with schema-aware covering, those that no other covers on publications of the DTD. The paper
tells the share that is covered, by its own algorithms, some of which miss coverings; ours are exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from pyroaring import BitMap

from broker_sim.engines import create_engine
from broker_sim.errors import ConfigurationError
from broker_sim.experiment.query_sets import query_set
from broker_sim.experiment.rows import SCHEMA_VERSION, Row
from broker_sim.experiment.spec import SchemaSpec
from broker_sim.relations import CoveringIndex, covers
from broker_sim.relations.schema_covering import witness
from broker_sim.workload import XPathParameters
from broker_sim.xpath import Path
from dtd_ads import Schema, load_schema


@dataclass(frozen=True, slots=True)
class TableSizeExperiment:
    """Query sets by name, the sizes at which each is measured, and the paper's covered share of each."""

    name: str
    sets: dict[str, tuple[XPathParameters, ...]]
    sizes: tuple[int, ...]
    kind: Literal["table-size"] = "table-size"
    description: str = ""
    seed: int = 1
    schema: SchemaSpec = field(default_factory=SchemaSpec)
    paper: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.sets or not self.sizes:
            raise ConfigurationError("name at least one set and one size", source="sizes" if self.sets else "sets")
        if min(self.sizes) < 1:
            raise ConfigurationError(f"expected sizes of at least 1, not {min(self.sizes)}", source="sizes")


def measure_table_size(experiment: TableSizeExperiment) -> Iterator[Row]:
    """One row for each set and size."""
    schema = load_schema(experiment.schema.dtd, experiment.schema.root)
    for name, parts in experiment.sets.items():
        paths = query_set(schema, parts, max(experiment.sizes), f"{experiment.seed}/{name}")
        index = CoveringIndex()
        for size in sorted(experiment.sizes):
            for number in range(len(index), size):
                index.add(number, paths[number])
            maximal = index.maximal()
            aware = schema_maximal(paths, maximal, schema)
            yield {
                "schema_version": SCHEMA_VERSION,
                "experiment": experiment.name,
                "set": name,
                "seed": experiment.seed,
                "queries": size,
                "table_covering": len(maximal),
                "table_schema_covering": len(aware),
                "covered": 1 - len(maximal) / size,
                "schema_covered": 1 - len(aware) / size,
                "paper_covered": experiment.paper.get(name),
            }


def schema_maximal(paths: list[Path], maximal: BitMap, schema: Schema) -> BitMap:
    """The paths of a covering-maximal set that stay maximal over the publications of `schema`.

    Whoever covers a path on those publications matches any one of them that the path matches. So an engine that
    is given one such publication names the candidates, and each is tested exactly. A path that no publication of the
    schema matches is covered by all others. Of paths that cover each other the first by canonical text stays.
    """
    engine = create_engine("lazy-dfa")
    for number in maximal:
        engine.add(number, paths[number])
    rank = {number: (str(paths[number]), number) for number in maximal}
    kept = BitMap()
    for number in sorted(maximal, key=rank.__getitem__):
        sample = witness((), paths[number], schema)
        if sample is not None and not any(
            covers(paths[other], paths[number], schema=schema)
            and (rank[other] < rank[number] or not covers(paths[number], paths[other], schema=schema))
            for other in engine.match_path(sample)
            if other != number
        ):
            kept.add(number)
    return kept or maximal[:1]
