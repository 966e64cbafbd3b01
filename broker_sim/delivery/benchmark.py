"""Measuring deliveries: the studies of the message broker paper, counts first, then times.

Section 6 of "Query Processing for High-Volume XML Message Brokering" (VLDB 2003): the measure is the multi-query
processing time, from a parsed document to the last group (MQPT), averaged over documents after some to warm up; what
operators cost comes from a second run under the profiler. Times are the processor time of the process, so that others
on the machine do not count. A cell whose documents take long stops after `budget` seconds, and says how many it
measured.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product

from broker_sim.delivery.delivery import Delivery, Optimisation
from broker_sim.delivery.plans import Approach
from broker_sim.delivery.profile import Profile
from broker_sim.delivery.query import Query
from broker_sim.delivery.studies import Study
from broker_sim.engines.outline import Outline
from broker_sim.workload import FlwrParameters, generate_flwr
from dtd_ads import Schema, load_schema

FEWEST = 10
"""How many documents are measured at least, whatever they take."""


@dataclass(frozen=True, slots=True)
class Row:
    """One cell of a study; milliseconds are averages per document."""

    approach: Approach
    optimise: Optimisation
    sharing: bool
    queries: int
    predicates: int
    returns: int
    plans: int
    paths: int
    operators: Mapping[str, int]
    documents: int
    elements: float
    matches: float
    milliseconds: float
    add_seconds: float
    costs: Mapping[str, float] = field(default_factory=dict)


def run_study(study: Study, *, seed: int, warm_up: int, measured: int, budget: float) -> Iterator[Row]:
    """The rows of a study, one after the other."""
    documents = study.workload.documents(warm_up + measured, study.max_value, seed)
    schema = load_schema(study.workload.dtd)
    for number, predicates, returns in product(study.queries, study.predicates, study.returns):
        parameters = FlwrParameters(
            number,
            depth=study.workload.depth,
            predicates=predicates,
            returns=returns,
            max_value=study.max_value,
        )
        queries = list(generate_flwr(schema, parameters, seed))
        for approach, optimise, sharing in product(study.approach, study.optimise, study.sharing):
            cell = Row(approach, optimise, sharing, number, predicates, returns, 0, 0, {}, 0, 0, 0, 0, 0)
            yield _measured(cell, schema, queries, documents, warm_up, budget, study.profile)


def _measured(
    cell: Row,
    schema: Schema,
    queries: list[Query],
    documents: list[Outline],
    warm_up: int,
    budget: float,
    profiled: bool,
) -> Row:
    started = time.process_time()
    delivery = _loaded(cell, schema, queries, None)
    added = time.process_time() - started
    with _settled():
        _run(delivery, documents[:warm_up], budget / 5)
        done, matches, seconds = _run(delivery, documents[warm_up:], budget)
    row = replace(
        cell,
        plans=delivery.plans,
        paths=delivery.paths,
        operators=dict(delivery.operators()),
        documents=done,
        elements=sum(map(len, documents)) / len(documents),
        matches=matches / done,
        milliseconds=seconds / done * 1e3,
        add_seconds=added,
    )
    del delivery
    return replace(row, costs=_costs(cell, schema, queries, documents, budget)) if profiled else row


def _costs(
    cell: Row, schema: Schema, queries: list[Query], documents: list[Outline], budget: float
) -> dict[str, float]:
    """Milliseconds a document for each kind of operator."""
    profile = Profile()
    delivery = _loaded(cell, schema, queries, profile)
    with _settled():
        _run(delivery, documents[:FEWEST], 0)
        profile.clear()
        done, _, _ = _run(delivery, documents[FEWEST:], budget / 2)
    return {kind: seconds / done * 1e3 for kind, seconds in profile.seconds.items()}


def _loaded(cell: Row, schema: Schema, queries: Iterable[Query], profile: Profile | None) -> Delivery:
    delivery = Delivery(cell.approach, cell.optimise, schema=schema, sharing=cell.sharing, profile=profile)
    for id, query in enumerate(queries):
        delivery.add(id, query)
    return delivery


class _settled:
    """Within it the collector leaves queries and plans alone, which stay anyway."""

    def __enter__(self) -> None:
        gc.collect()
        gc.freeze()

    def __exit__(self, *_: object) -> None:
        gc.unfreeze()


def _run(delivery: Delivery, documents: list[Outline], budget: float) -> tuple[int, int, float]:
    """How many documents were answered, with how many results, in how many seconds."""
    started = time.process_time()
    done = matches = 0
    for outline in documents:
        matches += len(delivery.groups(outline))
        done += 1
        if done >= FEWEST and time.process_time() - started > budget:
            break
    return done, matches, time.process_time() - started
