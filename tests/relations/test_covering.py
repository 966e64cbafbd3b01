"""Covering of linear paths and disjunctions, against the referee."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from broker_sim.relations import covers
from broker_sim.xpath import Expression, Path, disjunction
from tests.relations.covering_referee import all_publications, linear, linear_paths, matches, referee_covers

CASES = [
    # absolute, rule by rule
    ("/a", "/a", True),
    ("/a", "/a/b", True),
    ("/a/b", "/a", False),
    ("/a/b", "/a/c", False),
    ("/a/*/c", "/a/b/c", True),
    ("/a/b/c", "/a/*/c", False),
    ("/a/*/c", "/a/*/c/d", True),
    # relative
    ("a", "/b/a", True),
    ("/b/a", "a", False),
    ("b/c", "/a/b/c/d", True),
    ("b/c", "/a/b//c", False),
    ("b//c", "/a/b/c", True),
    ("a/b", "b/a/b", True),
    # an absolute expression may cover a relative one
    ("/*", "b", True),
    ("/*/*", "b/c", True),
    ("/*/*", "b", False),
    ("/*//b", "a//b", True),
    ("/*//b", "b", False),
    # runs of wildcards around //
    ("/a/*//b", "/a//*/b", True),
    ("/a//*/b", "/a/*//b", True),
    ("/a/*//*/d", "/a//b/c/d", True),
    ("/a/*", "/a//b", True),
    ("/a/*/*", "/a//b//c", True),
    ("/a/*/*//b", "/a//c//d//b", True),
    ("/a/*/b", "/a//*/b", False),
    # the router paper's examples; it denies the second
    ("/*/a//*/c", "/a/a/*//c/e/c/d", True),
    ("/*/a//*/c", "/a/a/*//c/b/d", True),
    # greedy search must go on behind a first failure, and must not step over an edge
    ("//a/b//c", "/a/a/b/c", True),
    ("//a/b//c", "/a//b/a/b/c", True),
    ("//a/*/b", "/a/a/c/b", True),
    ("//a/*/b", "/a/c//b", False),
    ("//a//a", "/a", False),
    ("//b/a", "//b/b/a", True),
]


@pytest.mark.parametrize(("first", "second", "expected"), CASES)
def test_cases(first: str, second: str, expected: bool) -> None:
    assert covers(linear(first), linear(second)) is expected
    assert referee_covers(linear(first), linear(second)) is expected


@settings(max_examples=500)
@given(linear_paths("ab*"), linear_paths("ab*", longest=4))
@example(linear("/a/*/*//b"), linear("/a//b//a//b"))
def test_agrees_with_the_referee(first: Path, second: Path) -> None:
    assert covers(first, second) == referee_covers(first, second)


@given(linear_paths(longest=3), linear_paths(longest=3))
def test_the_referee_agrees_with_all_short_publications(first: Path, second: Path) -> None:
    subset = all(matches(first, tried) for tried in all_publications("abcz", 5) if matches(second, tried))
    assert not referee_covers(first, second) or subset


def test_a_path_covers_what_continues_it() -> None:
    assert covers(linear("//a/*"), linear("//a/*//b/c"))


def test_very_long_paths_need_no_recursion() -> None:
    long = "/a/b" * 5_000
    assert covers(linear("//a//b" * 1_000), linear(long))
    assert not covers(linear("//a/c"), linear(long))


def either(*texts: str) -> Expression:
    return disjunction({linear(text) for text in texts})


def test_a_disjunction_is_covered_path_by_path() -> None:
    assert covers(either("/a", "b//c"), linear("/a/b"))
    assert covers(either("/a", "b//c"), either("/a/x", "/b/c"))
    assert not covers(either("/a", "b//c"), either("/a/x", "/b"))
    assert not covers(linear("/a"), either("/a/x", "/b"))
    assert covers(linear("/*"), either("/a/x", "/b"))


@given(
    st.sets(linear_paths(longest=3), min_size=1, max_size=3), st.sets(linear_paths(longest=3), min_size=1, max_size=3)
)
def test_disjunctions_are_never_covered_in_error(first: set[Path], second: set[Path]) -> None:
    if covers(disjunction(first), disjunction(second)):
        for tried in all_publications("abz", 5):
            assert not any(matches(path, tried) for path in second) or any(matches(path, tried) for path in first)
