"""Every approach with every optimisation, shared or not: twelve ways to the same answer."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from broker_sim.delivery import Delivery, Query, parse_query
from dtd_ads import Schema
from tests.strategies.flwr import Flwr

CHOICES: list[tuple[str, str, bool]] = [
    (approach, optimise, sharing)
    for approach in ("F", "FW", "FWR")
    for optimise in ("none", "query", "dtd")
    for sharing in ((False, True) if approach == "FWR" else (False,))
]
WITHOUT_DTD = [choice for choice in CHOICES if choice[1] != "dtd"]


def delivery(choice: tuple[Any, Any, bool], schema: Schema | None, held: dict[int, Flwr]) -> Delivery:
    approach, optimise, sharing = choice
    made = Delivery(approach, optimise, schema=schema if optimise == "dtd" else None, sharing=sharing)
    for id, query in held.items():
        made.add(id, parsed(query))
    return made


@lru_cache(maxsize=100)
def parsed(query: Flwr) -> Query:
    return parse_query(str(query))
