"""The imperfect degree against its definition, on publications written out."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from broker_sim.relations import imperfect_degree
from broker_sim.relations.imperfect_degree import exact_degree
from tests.relations.merging_referee import degree, linear_paths, path, publications, schema_of, schemas

PAPER = schema_of({"r": "x", "x": "c", "c": "a b c2 d e", "a": "", "b": "", "c2": "", "d": "", "e": ""}, "r x c")


def test_the_papers_example():
    merger, parts = path("/r/*/c/*"), [path("/r/*/c/d"), path("/r/*/c/e")]
    assert exact_degree(merger, parts, PAPER) == Fraction(3, 5)
    assert imperfect_degree(merger, parts, PAPER) == 0.6


def test_no_publication_no_degree():
    assert imperfect_degree(path("/z/*"), [path("/z/a"), path("/z/b")], PAPER) == 0.0


def test_the_depth_bound_counts():
    schema = schema_of({"a": "a b", "b": ""})
    merger, parts = path("/a//b"), [path("/a/b")]
    assert [exact_degree(merger, parts, schema, depth) for depth in (1, 2, 3, 4)] == [
        0,
        0,
        Fraction(1, 2),
        Fraction(2, 3),
    ]


@given(schemas(), linear_paths(), st.lists(linear_paths(), max_size=3), st.integers(1, 6))
def test_degree_is_the_enumerated_one_even_where_the_merger_covers_nothing(schema, merger, parts, depth):
    assert exact_degree(merger, parts, schema, depth) == degree(merger, parts, list(publications(schema, depth)))
