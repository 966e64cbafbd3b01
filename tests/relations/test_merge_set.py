"""Merged sets: hand-made cases, then every promise against publications written out and pairs compared one by one."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker_sim.errors import ConfigurationError
from broker_sim.relations import MergedEntry, covers, merge_set
from broker_sim.relations.merging import candidates
from broker_sim.relations.perfect_merging import is_perfect
from broker_sim.relations.residuals import path_of, written
from broker_sim.xpath import Branch, Path, Step
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

FOUR = schema_of({"a": "b c d e", "b": "", "c": "", "d": "", "e": ""}, "a")


def entry(text, parts, degree=0.0):
    return MergedEntry(path(text), tuple(map(path, parts.split())), degree)


def merged(texts, schema, max_degree=0.0, max_depth=10):
    return merge_set(map(path, texts.split()), schema, max_degree, max_depth)


def test_three_merge_though_no_two_of_them_do():
    schema = schema_of({"a": "b c d", "b": "", "c": "", "d": ""}, "a")
    assert merged("/a/b /a/c /a/d", schema) == (entry("/a/*", "/a/b /a/c /a/d"),)
    assert merged("/a/b /a/c", schema) == (entry("/a/b", "/a/b"), entry("/a/c", "/a/c"))


@pytest.mark.parametrize(("max_degree", "size"), [(0.0, 3), (0.2, 3), (0.25, 1), (0.5, 1)])
def test_the_bound_is_inclusive(max_degree, size):
    assert len(merged("/a/b /a/c /a/d", FOUR, max_degree)) == size


def test_the_degree_is_against_the_originals_and_does_not_creep():
    # /a/b/* stands for two of three, /a/*/* would stand for two of six if it were counted against /a/b/* alone.
    schema = schema_of({"a": "b c", "b": "x y z", "c": "x y z", "x": "", "y": "", "z": ""}, "a b c")
    texts = "/a/b/x /a/b/y /a/c/x /a/c/y"
    (only,) = merged(texts, schema, 0.4)
    assert (str(only.expression), only.degree) == ("/a/*/*", float(Fraction(1, 3)))
    assert {str(one.expression) for one in merged(texts, schema, 0.3)} == {"/a/*/x", "/a/*/y"}


def test_covered_expressions_join_the_one_that_covers_them():
    assert merged("/a/b /a/b/c /a /x/y/z", FOUR) == (entry("/a", "/a /a/b /a/b/c"), entry("/x/y/z", "/x/y/z"))


def test_equal_expressions_become_the_one_of_smallest_text():
    assert merged("/a//*/b /a/*//b", FOUR) == (entry("/a/*//b", "/a/*//b /a//*/b"),)


def test_a_merger_takes_in_what_it_covers():
    schema = schema_of({"a": "b c", "b": "d", "c": "d", "d": ""}, "a b c")
    assert merged("/a/b /a/c /a/x//d", schema) == (entry("/a/*", "/a/b /a/c /a/x//d"),)


def test_without_a_schema_only_what_is_perfect_over_any_names():
    assert merged("/a/b /a/*//b /a/c", None) == (entry("/a//b", "/a/*//b /a/b"), entry("/a/c", "/a/c"))


def test_tree_patterns_stay_as_they_are():
    pattern = Path((Step("/", "a", (Branch((Step("/", "b"),)),)),))
    found = merge_set([pattern, path("/a/b"), path("/a/c"), path("/a/d"), path("/a/e")], FOUR)
    assert found == (entry("/a/*", "/a/b /a/c /a/d /a/e"), MergedEntry(pattern, (pattern,), 0.0))


def test_nothing_to_merge():
    assert merge_set([], FOUR) == ()
    assert merged("/a/b/c /a/c/d/e", FOUR) == (entry("/a/b/c", "/a/b/c"), entry("/a/c/d/e", "/a/c/d/e"))


@pytest.mark.parametrize("max_degree", [-0.1, 1.0, 2, float("nan")])
def test_a_bound_that_makes_no_sense_is_refused(max_degree):
    with pytest.raises(ConfigurationError, match="max_degree"):
        merge_set([], FOUR, max_degree)


paths = st.lists(
    st.one_of(linear_paths("abc", 4).map(lambda one: (one,)), related_paths("abc", 4)), min_size=1, max_size=6
).map(lambda found: [one for several in found for one in several])
bounds = st.sampled_from([0.0, 0.1, 0.3, 0.6])


@given(schemas(), paths, bounds)
def test_no_entry_passes_the_bound_and_its_degree_is_the_enumerated_one(schema, expressions, max_degree):
    among = list(publications(schema, 6))
    for found in merge_set(expressions, schema, max_degree, 6):
        assert found.degree == float(degree(found.expression, found.parts, among))
        assert degree(found.expression, found.parts, among) <= Fraction(max_degree)


@given(schemas(), paths, bounds)
def test_entries_divide_the_input_and_cover_their_parts_over_any_names(schema, expressions, max_degree):
    entries = merge_set(expressions, schema, max_degree, 6)
    parts = [part for found in entries for part in found.parts]
    assert sorted(map(str, parts)) == sorted(map(str, set(expressions)))
    for found in entries:
        wanted = matched(found.parts, words("abcz", 5))
        assert matched([found.expression], wanted) == wanted


@given(schemas(), paths, bounds)
def test_no_allowed_merger_of_two_entries_is_left(schema, expressions, max_degree):
    among = list(publications(schema, 6))
    for first, second in combinations(merge_set(expressions, schema, max_degree, 6), 2):
        assert not covers(first.expression, second.expression)
        assert not covers(second.expression, first.expression)
        for _, steps in candidates(first.expression, second.expression):
            assert degree(path_of(steps), first.parts + second.parts, among) > Fraction(max_degree)


@given(paths)
def test_without_a_schema_mergers_are_perfect_and_none_is_left(expressions):
    entries = merge_set(expressions, None)
    for found in entries:
        everything = list(words("abcz", 5))
        assert matched([found.expression], everything) == matched(found.parts, everything)
    for first, second in combinations(entries, 2):
        for _, steps in candidates(first.expression, second.expression):
            assert not is_perfect(steps, map(written, first.parts + second.parts))


@given(schemas(), paths, bounds, st.randoms(use_true_random=False))
def test_the_order_of_the_input_does_not_matter(schema, expressions, max_degree, random):
    shuffled = random.sample(expressions, len(expressions))
    assert merge_set(expressions, schema, max_degree, 6) == merge_set(shuffled, schema, max_degree, 6)
