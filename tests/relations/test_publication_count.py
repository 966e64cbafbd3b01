"""Exact counts against publications written out one by one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker_sim.errors import ConfigurationError
from broker_sim.relations.publication_count import MAX_COUNTERS, PublicationCounter, counter_of
from broker_sim.relations.residuals import written
from tests.relations.merging_referee import linear_paths, matched, path, publications, schema_of, schemas


@given(schemas(), st.lists(linear_paths(), min_size=1, max_size=4), st.integers(1, 6))
def test_count_is_the_enumerated_union(schema, paths, depth):
    counter = PublicationCounter(schema, depth)
    expected = len(matched(paths, publications(schema, depth)))
    assert counter.count(map(written, paths)) == expected


@given(schemas("ab"), st.lists(linear_paths("ab", 6), min_size=2, max_size=6))
def test_what_was_counted_before_changes_nothing(schema, paths):
    shared = PublicationCounter(schema, 7)
    for one in paths:
        assert shared.count([written(one)]) == PublicationCounter(schema, 7).count([written(one)])


def test_deep_bounds_pass_machine_words():
    schema = schema_of({"a": "a b", "b": "a b"})
    assert PublicationCounter(schema, 100).count([written(path("/a"))]) == 2**100 - 1


def test_forgetting_states_keeps_the_counts(monkeypatch):
    monkeypatch.setattr("broker_sim.relations.publication_count.MAX_STATES", 3)
    counter = PublicationCounter(schema_of({"a": "a b", "b": "c", "c": ""}), 5)
    expressions = [path("//b"), path("/a/a//c"), path("//a/b")]
    first = [counter.count([written(one)]) for one in expressions]
    assert first == [counter.count([written(one)]) for one in expressions]
    assert first == [len(matched([one], publications(counter.schema, 5))) for one in expressions]


@pytest.mark.parametrize("depth", [0, -1, 401])
def test_a_depth_out_of_range_is_refused(depth):
    with pytest.raises(ConfigurationError, match=f"got {depth}"):
        PublicationCounter(schema_of({"a": ""}), depth)


def test_counters_are_shared_and_few():
    schema = schema_of({"a": ""})
    assert counter_of(schema, 3) is counter_of(schema, 3)
    assert counter_of(schema, 3) is not counter_of(schema_of({"a": ""}), 3)
    kept = counter_of(schema, 3)
    for _ in range(MAX_COUNTERS):
        counter_of(schema_of({"a": "a"}), 3)
    assert counter_of(schema, 3) is not kept
