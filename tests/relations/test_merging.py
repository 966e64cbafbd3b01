"""The paper's rules as a table; soundness, perfection and choice against publications written out."""

import pytest
from hypothesis import given

from broker_sim.relations import Merger, merge
from broker_sim.relations.merging import candidates
from broker_sim.relations.residuals import path_of
from tests.relations.merging_referee import (
    degree,
    linear_paths,
    matched,
    path,
    publications,
    related_paths,
    schema_of,
    schemas,
    words,
)

RULES = [
    ("/a/*/c/d", "/a/*/c/e", "/a/*/c/*", 1, False),
    ("a/*/c/d", "a/*/c/e", "a/*/c/*", 1, False),
    ("/a/b", "/c/b", "/*/b", 1, False),
    ("/a/c/*/*", "/a//c/*/c", "/a//c/*/*", 2, False),
    ("/a/b/c", "/a//d/c", "/a//*/c", 2, False),
    ("/a/b/c", "/a/b/d/c", "/a/b//c", 3, False),
    ("/a/b/x/y/c", "/a/b/z/c", "/a/b//c", 3, False),
    ("/a/b", "/a/*//b", "/a//b", 3, True),
    ("/a/b", "/a/*", "/a/*", 0, True),
    ("/a/b", "/a//b", "/a//b", 0, True),
    ("/a/*//b", "/a//*/b", "/a/*//b", 0, True),
]


@pytest.mark.parametrize(("first", "second", "expected", "rule", "perfect"), RULES)
def test_rules(first, second, expected, rule, perfect):
    merger = Merger(path(expected), rule, perfect, 0.0 if perfect else None)
    assert merge(path(first), path(second)) == merger
    assert merge(path(second), path(first)) == merger


@pytest.mark.parametrize(
    ("first", "second"),
    [("/a/b", "/c/d"), ("/a/b/c", "/a/d/e"), ("/a/b/c/d/e/z", "/a/z/c"), ("/a/b/c/d/z", "/a/e/f/g/z"), ("//a", "/b/c")],
)
def test_no_rule_applies(first, second):
    assert merge(path(first), path(second)) is None


def test_half_of_the_longer_path_is_enough_for_rule_3():
    found = merge(path("/a/b/c/z"), path("/a/e/f/z"))
    assert found is not None
    assert (str(found.expression), found.rule) == ("/a//z", 3)


def test_a_dtd_can_make_a_merger_perfect():
    only_b_and_c = schema_of({"a": "b c", "b": "", "c": ""})
    also_d = schema_of({"a": "b c d", "b": "", "c": "", "d": ""})
    assert merge(path("/a/b"), path("/a/c")) == Merger(path("/a/*"), 1, False, None)
    assert merge(path("/a/b"), path("/a/c"), only_b_and_c) == Merger(path("/a/*"), 1, True, 0.0)
    assert merge(path("/a/b"), path("/a/c"), also_d) == Merger(path("/a/*"), 1, False, 1 / 3)


def test_perfect_is_decided_beyond_the_depth_of_the_degree():
    schema = schema_of({"a": "b d", "b": "c", "c": "b d", "d": ""}, "a b c")
    shallow = merge(path("/a/d"), path("/a/b/c/d"), schema, max_depth=4)
    assert shallow == Merger(path("/a//d"), 3, False, 0.0)


def test_a_schema_never_makes_a_merger_that_covers_only_over_its_names():
    schema = schema_of({"a": "b", "b": ""})
    assert merge(path("/a/b"), path("//b"), schema) == Merger(path("//b"), 0, True, 0.0)
    assert merge(path("/a/b"), path("/*/*/c"), schema) is None


def test_the_schema_chooses_the_tightest():
    first, second = path("/a/a/b"), path("/a/a/a/b")
    schema = schema_of({"a": "a b c", "b": "", "c": "a"})
    found = merge(first, second, schema)
    assert found is not None
    among = list(publications(schema, 10))
    mergers = {path_of(steps) for _, steps in candidates(first, second)}
    assert len(mergers) > 1
    assert found.degree == min(float(degree(one, (first, second), among)) for one in mergers)


@given(related_paths())
def test_every_candidate_covers_both_over_any_names(pair):
    first, second = pair
    wanted = matched(pair, words("abcz", 6))
    for _, steps in candidates(first, second):
        assert matched([path_of(steps)], wanted) == wanted


@given(related_paths("ab", 3))
def test_perfect_without_schema_is_equality_of_publications(pair):
    found = merge(*pair)
    if found is not None:
        everything = list(words("abz", 8))
        assert found.perfect == (matched([found.expression], everything) == matched(pair, everything))
        assert found == merge(*reversed(pair))


@given(schemas(), related_paths("abc", 3))
def test_perfect_with_schema_is_equality_over_its_publications(schema, pair):
    found = merge(*pair, schema, max_depth=7)
    if found is not None:
        everything = list(publications(schema, 8))
        assert found.perfect == (matched([found.expression], everything) == matched(pair, everything))
        assert found.degree == float(degree(found.expression, pair, [one for one in everything if len(one) < 8]))


@given(linear_paths(), linear_paths(), schemas())
def test_unrelated_paths_too(first, second, schema):
    for found in (merge(first, second), merge(first, second, schema)):
        if found is not None:
            wanted = matched((first, second), words("abcz", 5))
            assert matched([found.expression], wanted) == wanted
