"""Buckets against the rules applied to every pair."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from broker_sim.relations import covers
from broker_sim.relations.merge_buckets import MergeBuckets
from broker_sim.relations.merge_rules import mergers
from broker_sim.relations.residuals import path_of, written
from tests.relations.merging_referee import linear_paths, path, related_paths

paths = st.lists(st.one_of(linear_paths("ab", 5).map(lambda one: (one,)), related_paths("ab", 5)), max_size=5).map(
    lambda found: list({written(one): None for several in found for one in several})
)


def buckets_of(steps):
    buckets = MergeBuckets()
    for number, one in enumerate(steps):
        buckets.add(number, one)
    return buckets


@given(paths)
def test_every_merger_of_a_pair_has_a_bucket_as_tight(steps):
    found = buckets_of(steps).candidates(range(len(steps)))
    for first, second in combinations(range(len(steps)), 2):
        for _, merger in mergers(steps[first], steps[second]):
            assert any(
                {first, second} <= members and covers(path_of(merger), path_of(tighter))
                for tighter, (_, members) in found.items()
            )


@given(paths)
def test_every_candidate_covers_its_members(steps):
    for merger, (_, members) in buckets_of(steps).candidates(range(len(steps))).items():
        assert all(covers(path_of(merger), path_of(steps[member])) for member in members)


def test_only_grown_buckets_are_named_again_and_the_dead_are_forgotten():
    buckets = buckets_of([written(path("/a/b")), written(path("/a/c"))])
    assert buckets.candidates({0, 1}) == {("/a", "/*"): (1, {0, 1})}
    assert buckets.candidates({0, 1}) == {}
    buckets.add(2, written(path("/a/d")))
    assert buckets.candidates({0, 2}) == {("/a", "/*"): (1, {0, 2})}
