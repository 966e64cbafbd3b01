"""Generated FLWR queries: as many as asked for, distinct, within their bounds, and alive."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from broker_sim.delivery import Delivery, parse_query
from broker_sim.errors import ConfigurationError
from broker_sim.workload import DocumentParameters, FlwrParameters, generate_documents, generate_flwr
from broker_sim.xpath import DESCENDANT
from dtd_ads import load_schema


@settings(max_examples=30)
@given(
    st.sampled_from([("bib", 2), ("book", 3), ("nitf", 4)]),
    st.integers(0, 3),
    st.integers(0, 4),
    st.integers(1, 3),
    st.sampled_from([0.0, 0.2, 0.4]),
    st.integers(0, 5),
)
def test_parameters_are_kept(
    chosen: tuple[str, int], predicates: int, returns: int, deep: int, descendant: float, seed: int
) -> None:
    dtd, depth = chosen
    number = 10 if predicates and returns else 1
    parameters = FlwrParameters(
        number, depth=depth, predicates=predicates, returns=returns, relative_depth=deep, descendant=descendant
    )
    queries = list(generate_flwr(load_schema(dtd), parameters, seed))
    assert len(set(queries)) == len(queries) == number
    for query in queries:
        assert parse_query(str(query)) == query
        assert len(query.binding) <= depth
        assert len(query.conditions) <= predicates
        assert len(query.returns) <= returns
        paths = [query.binding, *(one.steps for one in query.conditions), *query.returns]
        assert all(0 < len(steps) <= deep for steps in paths[1:])
        assert descendant or not any(step.axis == DESCENDANT for steps in paths for step in steps)
        assert not any(step.predicates for step in query.binding)
        assert list(query.returns) == sorted(query.returns, key=str)


def test_the_same_seed_gives_the_same_queries() -> None:
    schema, parameters = load_schema("book"), FlwrParameters(20, depth=3)
    first, again, other = (list(generate_flwr(schema, parameters, seed)) for seed in (1, 1, 2))
    assert first == again != other


def test_every_query_has_results_somewhere() -> None:
    schema = load_schema("bib")
    made = Delivery(schema=schema)
    for id, query in enumerate(generate_flwr(schema, FlwrParameters(50, max_value=3), seed=3)):
        made.add(id, query)
    found: set[int] = set()
    for text in generate_documents(schema, DocumentParameters(30, max_repeats=5, max_value=3), seed=4):
        found.update(made.deliver(text))
    assert len(found) == 50


def test_binding_predicates() -> None:
    parameters = FlwrParameters(20, depth=3, binding_predicates=1.0)
    queries = list(generate_flwr(load_schema("book"), parameters, seed=1))
    assert any(step.predicates for query in queries for step in query.binding)
    assert all(parse_query(str(query)) == query for query in queries)


def test_too_many() -> None:
    with pytest.raises(ConfigurationError, match="number: bib has too few distinct queries"):
        list(generate_flwr(load_schema("bib"), FlwrParameters(1000, descendant=0, predicates=0, returns=1), seed=1))
    with pytest.raises(ConfigurationError, match="depth: expected a whole number from 1"):
        FlwrParameters(1, depth=0)
