"""The index, against pairwise comparison by the referee after any sequence of changes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyroaring import BitMap

from broker_sim.relations import CoveringIndex
from broker_sim.xpath import Branch, Path, Step
from tests.relations.covering_referee import linear, linear_paths, referee_covers


def filled(*texts: str) -> CoveringIndex:
    index = CoveringIndex()
    for number, text in enumerate(texts):
        index.add(number, linear(text))
    return index


def pairwise_maximal(held: dict[int, Path]) -> set[int]:
    def beats(one: int, other: int) -> bool:
        if not referee_covers(held[one], held[other]):
            return False
        return not referee_covers(held[other], held[one]) or (str(held[one]), one) < (str(held[other]), other)

    return {number for number in held if not any(beats(other, number) for other in held if other != number)}


def test_answers_both_ways() -> None:
    index = filled("/a", "/a/b", "//b", "/c/*/d", "/a//b/c")
    assert set(index.coverers(linear("/a/b/c"))) == {0, 1, 2, 4}
    assert set(index.covered(linear("//b"))) == {1, 2, 4}
    assert set(index.covered(linear("//b"), BitMap([0, 4]))) == {4}
    assert set(index.maximal()) == {0, 2, 3}
    assert set(index.maximal(BitMap([1, 3, 4]))) == {1, 3, 4}
    assert index.is_covered(linear("/a/b"))
    assert not index.is_covered(linear("/a"))


def test_of_equal_paths_the_smallest_spelling_stands_for_all() -> None:
    index = filled("/a/*//b", "/a//*/b", "/a//*//b", "/a//*/b")
    assert set(index.equal(linear("/a/*//b"))) == {0, 1, 2, 3}
    assert not index.is_covered(linear("/a/*//b"))
    assert set(index.maximal()) == {0}
    index.remove(0)
    assert set(index.maximal()) == {2}
    index.remove(2)
    assert set(index.maximal()) == {1}
    assert set(index.maximal(BitMap([3]))) == {3}


def test_a_removal_exposes_what_was_covered() -> None:
    index = filled("/*", "/a", "/a/b", "/c")
    index.remove(0)
    assert set(index.maximal()) == {1, 3}
    index.remove(1)
    assert set(index.maximal()) == {2, 3}


def test_numbers_outside_the_index_are_left_out() -> None:
    index = filled("/a", "/a/b")
    assert set(index.covered(linear("/a"), BitMap([1, 7]))) == {1}
    assert set(index.maximal(BitMap([1, 7]))) == {1}


def test_wrong_use_is_refused() -> None:
    index = filled("/a")
    with pytest.raises(ValueError, match="number 0 is already taken by /a"):
        index.add(0, linear("/b"))
    with pytest.raises(ValueError, match=r"/a\[b\]"):
        index.add(1, Path((Step("/", "a", (Branch((Step("/", "b"),)),)),)))
    with pytest.raises(KeyError):
        index.remove(1)
    assert list(index) == [0]


@settings(max_examples=200)
@given(
    st.lists(st.tuples(st.integers(0, 9), linear_paths("ab*", longest=4)), max_size=25),
    linear_paths("ab*", longest=4),
    st.sets(st.integers(0, 9)),
)
def test_equals_pairwise_after_any_changes(changes: list[tuple[int, Path]], asked: Path, some: set[int]) -> None:
    """A change adds the path under its number, or removes the number if it is taken."""
    index = CoveringIndex()
    held: dict[int, Path] = {}
    for number, path in changes:
        if number in held:
            index.remove(number)
            del held[number]
        else:
            index.add(number, path)
            held[number] = path
        assert set(index.maximal()) == pairwise_maximal(held)
    assert len(index) == len(held)
    for path in (asked, *held.values()):
        coverers = {number for number in held if referee_covers(held[number], path)}
        covered = {number for number in held if referee_covers(path, held[number])}
        assert set(index.coverers(path)) == coverers
        assert set(index.covered(path)) == covered
        assert set(index.covered(path, BitMap(some))) == covered & some
        assert set(index.equal(path)) == coverers & covered
        assert index.is_covered(path) == bool(coverers - covered)
    assert all(set(index.coverers_of(number)) == set(index.coverers(held[number])) for number in held)
    assert set(index.maximal(BitMap(some))) == pairwise_maximal({n: held[n] for n in some if n in held})


@given(st.lists(linear_paths("ab*"), min_size=1, max_size=8))
def test_an_emptied_index_keeps_nothing(paths: list[Path]) -> None:
    index = CoveringIndex()
    for number, path in enumerate(paths):
        index.add(number, path)
    for number in range(len(paths)):
        index.remove(number)
    assert index.count_nodes() == 0
    assert not index.maximal()
    assert not index.coverers(linear("/a/b"))
