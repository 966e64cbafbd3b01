"""How long engines take to filter a document, and what they hold in memory (XTrie paper, section 6, figure 7).

A figure varies one parameter of a base case: how many expressions there are, how deep and with how many `//`, or how
many tag pairs a document has. For each value every engine filters the same documents with the same expressions. Times
are CPU milliseconds a document, parsing included, as in the paper: `first` is the first pass over the documents,
`again` the second, when engines that remember have seen all shapes. A pass ends early after `budget` seconds, but not
before `FEWEST` documents; the row says how many it saw. On every document that two engines saw they must find the same
subscriptions: `same_matches` says whether an engine finds what the one that saw the most does.

Memory is what Python allocates (tracemalloc): for the expressions, what is held after ten documents, and the peak while
they are matched. It is weighed apart from time, since tracing slows everything down.
"""

from __future__ import annotations

import gc
import time
import tracemalloc
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from lxml import etree
from pyroaring import BitMap

from broker_sim.engines.benchmark import ENGINES, filled, new_engine
from broker_sim.engines.engine import Engine
from broker_sim.errors import ConfigurationError
from broker_sim.experiment.rows import SCHEMA_VERSION, Row
from broker_sim.experiment.spec import SchemaSpec
from broker_sim.workload import DocumentParameters, XPathParameters, generate_documents, generate_xpaths
from broker_sim.xpath import Path
from dtd_ads import Schema, load_schema

FEWEST: Final = 5
WEIGHED: Final = 10
MEMORY: Final = "memory"
"""The `figure` of rows that tell memory."""


@dataclass(frozen=True, slots=True)
class Case:
    """Expressions and documents: the paper's P, tag pairs, L, p_w and p_d."""

    queries: int = 10_000
    tags: int = 100
    length: int = 20
    wildcard: float = 0.1
    descendant: float = 0.1

    def __post_init__(self) -> None:
        for name in ("queries", "tags", "length"):
            if getattr(self, name) < 1:
                raise ConfigurationError(f"expected at least 1, not {getattr(self, name)}", source=name)
        for name in ("wildcard", "descendant"):
            if not 0 <= getattr(self, name) <= 1:
                raise ConfigurationError(f"expected 0 to 1, not {getattr(self, name):g}", source=name)


@dataclass(frozen=True, slots=True)
class Figure:
    """Which parameter varies over which values, and the engines if not all are measured."""

    vary: Literal["queries", "tags", "length", "descendant", "wildcard"]
    values: tuple[float, ...]
    engines: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.values:
            raise ConfigurationError("expected at least one value", source="values")
        _check_engines(self.engines)
        for value in self.values:
            self.case(Case(), value, 1.0)

    def case(self, base: Case, value: float, scale: float) -> Case:
        """The case of one value, with numbers of queries multiplied by `scale`."""
        changed: dict[str, Any] = {self.vary: value}
        if self.vary in ("queries", "tags", "length"):
            if value != int(value):
                raise ConfigurationError(f"expected whole numbers for {self.vary}, not {value:g}", source="values")
            changed = {self.vary: int(value)}
        try:
            case = replace(base, **changed)
        except ConfigurationError as error:
            raise ConfigurationError(f"{self.vary}: {error.message}", source="values") from error
        return replace(case, queries=max(1, round(case.queries * scale)))


@dataclass(frozen=True, slots=True)
class Profile:
    """How much to run."""

    documents: int
    memory: int = 0
    scale: float = 1.0

    def __post_init__(self) -> None:
        if self.documents < 1:
            raise ConfigurationError(f"expected at least 1, not {self.documents}", source="documents")
        if self.memory < 0:
            raise ConfigurationError(f"expected 0 or more, not {self.memory}", source="memory")
        if self.scale <= 0:
            raise ConfigurationError(f"expected more than 0, not {self.scale:g}", source="scale")


@dataclass(frozen=True, slots=True)
class FilteringTimeExperiment:
    """Figures by name, engines, and profiles of which one is run; `paper` holds megabytes by engine."""

    name: str
    figures: dict[str, Figure]
    engines: tuple[str, ...]
    profiles: dict[str, Profile]
    kind: Literal["filtering-time"] = "filtering-time"
    description: str = ""
    seed: int = 1
    schema: SchemaSpec = field(default_factory=SchemaSpec)
    base: Case = field(default_factory=Case)
    profile: str = "full"
    budget: float = 4.0
    paper: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.engines:
            raise ConfigurationError("expected at least one engine", source="engines")
        _check_engines(self.engines)
        if self.profile not in self.profiles:
            known = ", ".join(self.profiles) or "one in the table profiles"
            raise ConfigurationError(f"expected {known}, not {self.profile!r}", source="profile")
        if self.budget <= 0:
            raise ConfigurationError(f"expected more than 0 seconds, not {self.budget:g}", source="budget")
        if MEMORY in self.figures:
            raise ConfigurationError(f"a figure is called {MEMORY!r}, which is kept for memory", source="figures")

    @property
    def chosen(self) -> Profile:
        """How much this run is to do."""
        return self.profiles[self.profile]


def measure_filtering_time(experiment: FilteringTimeExperiment) -> Iterator[Row]:
    """One row for each figure, value and engine, then one for the memory of each engine."""
    schema = load_schema(experiment.schema.dtd, experiment.schema.root)
    chosen = experiment.chosen
    for name, figure in experiment.figures.items():
        for value in figure.values:
            case = figure.case(experiment.base, value, chosen.scale)
            x = case.queries if figure.vary == "queries" else value
            origin = _origin(experiment, name, figure.vary, x)
            yield from _rows_of(experiment, schema, case, figure.engines or experiment.engines, origin)
    if chosen.memory:
        case = replace(experiment.base, queries=chosen.memory)
        paths = _paths(schema, case, experiment.seed)
        documents = _documents(schema, case, min(WEIGHED, chosen.documents), experiment.seed)
        for engine in experiment.engines:
            origin = _origin(experiment, MEMORY, "queries", len(paths))
            weighed = weigh(engine, paths, documents)
            yield {**origin, "engine": engine, **weighed, "paper_megabytes": experiment.paper.get(engine)}


def _rows_of(
    experiment: FilteringTimeExperiment, schema: Schema, case: Case, engines: Sequence[str], origin: Row
) -> Iterator[Row]:
    paths = _paths(schema, case, experiment.seed)
    documents = _documents(schema, case, experiment.chosen.documents, experiment.seed)
    found: dict[str, list[BitMap]] = {}
    rows: list[Row] = []
    for engine in engines:
        row, found[engine] = measure(engine, paths, documents, experiment.budget)
        rows.append({**origin, "engine": engine, **row})
    agree = agreement(found)
    yield from ({**row, "same_matches": agree[str(row["engine"])]} for row in rows)


def measure(name: str, paths: Sequence[Path], documents: Sequence[bytes], budget: float) -> tuple[Row, list[BitMap]]:
    """What an engine takes, and what it finds in the documents that it has time for."""
    gc.collect()
    started = time.process_time()
    engine = filled(name, paths)
    added = time.process_time() - started
    first, found = timed(engine, documents, budget)
    seen = documents[: len(found)]
    again, _ = timed(engine, seen, budget)
    started = time.process_time()
    roots = [etree.fromstring(document) for document in seen]
    parsing = (time.process_time() - started) / len(seen) * 1e3
    row: Row = {
        "expressions": len(paths),
        "documents": len(seen),
        "tags": sum(len(list(root.iter("*"))) for root in roots) / len(roots),
        "matches": sum(map(len, found)) / len(found),
        "add_microseconds": added / max(1, len(paths)) * 1e6,
        "first": first,
        "again": again,
        "parsing": parsing,
    }
    return row, found


def timed(engine: Engine, documents: Sequence[bytes], budget: float) -> tuple[float, list[BitMap]]:
    """CPU milliseconds a document, and which subscriptions each matched."""
    found: list[BitMap] = []
    started = time.process_time()
    for document in documents:
        found.append(engine.match(document))
        if len(found) >= FEWEST and time.process_time() - started > budget:
            break
    return (time.process_time() - started) / len(found) * 1e3, found


def agreement(found: Mapping[str, Sequence[BitMap]]) -> dict[str, bool]:
    """Whether each engine found, in all documents that it saw, what the one that saw the most found there."""
    most = max(found.values(), key=len)
    return {name: all(map(BitMap.__eq__, answers, most)) for name, answers in found.items()}


def weigh(name: str, paths: Sequence[Path], documents: Sequence[bytes]) -> Row:
    """Megabytes that an engine holds for the expressions, after documents, and at the peak while it matches them."""
    new_engine(name)  # So that what is imported for it does not count.
    gc.collect()
    tracemalloc.start()
    try:
        engine = filled(name, paths)
        gc.collect()
        built = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        for document in documents:
            engine.match(document)
        gc.collect()
        held, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    megabytes = {"built_megabytes": built / 1e6, "held_megabytes": held / 1e6, "peak_megabytes": peak / 1e6}
    return {"expressions": len(paths), "documents": len(documents), **megabytes}


def _origin(experiment: FilteringTimeExperiment, figure: str, vary: str, x: float) -> Row:
    """The columns of a row, in their order, with what is known before anything is measured."""
    blank: Row = dict.fromkeys(_COLUMNS)
    blank |= {"schema_version": SCHEMA_VERSION, "experiment": experiment.name, "figure": figure, "vary": vary}
    return {**blank, "x": float(x), "seed": experiment.seed}


_COLUMNS: Final = (
    *("schema_version", "experiment", "figure", "vary", "x", "engine", "seed", "expressions", "documents", "tags"),
    *("matches", "same_matches", "add_microseconds", "first", "again", "parsing"),
    *("built_megabytes", "held_megabytes", "peak_megabytes", "paper_megabytes"),
)


def _paths(schema: Schema, case: Case, seed: int) -> list[Path]:
    parameters = XPathParameters(
        case.queries, max_length=case.length, wildcard=case.wildcard, descendant=case.descendant
    )
    return list(generate_xpaths(schema, parameters, seed))


def _documents(schema: Schema, case: Case, number: int, seed: int) -> list[bytes]:
    return list(generate_documents(schema, DocumentParameters(number, elements=case.tags), seed))


def _check_engines(engines: Sequence[str]) -> None:
    for engine in engines:
        if engine not in ENGINES:
            raise ConfigurationError(f"unknown engine {engine!r}; expected {', '.join(ENGINES)}", source="engines")
