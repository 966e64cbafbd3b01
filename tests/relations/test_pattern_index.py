"""The index of linear paths and tree patterns, against pairwise covering."""

from hypothesis import given
from hypothesis import strategies as st
from pyroaring import BitMap

from broker_sim.relations import normal_form
from broker_sim.relations.covering import path_covers
from broker_sim.relations.pattern_index import PatternIndex, branches_of, signature
from broker_sim.xpath import Path, parse_xpath
from tests.strategies.patterns import documents as elements
from tests.strategies.patterns import linear_paths, matching_patterns

patterns = elements(depth=3).flatmap(matching_patterns)
mixed = st.lists(st.one_of(linear_paths, patterns), max_size=8)


def distinct(paths: list[Path]) -> list[Path]:
    return list(dict.fromkeys(normal_form(path) if path.is_linear else path for path in paths))


def filled(paths: list[Path]) -> PatternIndex:
    index = PatternIndex()
    for number, path in enumerate(paths):
        index.add(number, path)
    return index


@given(mixed)
def test_answers_are_sound_and_the_two_directions_agree(given_paths: list[Path]) -> None:
    paths = distinct(given_paths)
    index = filled(paths)
    everything = BitMap(range(len(paths)))
    for first, path in enumerate(paths):
        for second in index.covered(first, everything):
            assert path_covers(path, paths[second])
            assert first in index.coverers_of(second)
        for second in index.coverers_of(first):
            assert first in index.covered(second, everything)
            assert second == first or second not in index.covered(first, everything)


@given(mixed)
def test_what_two_linear_paths_or_a_linear_and_a_pattern_show_is_found(given_paths: list[Path]) -> None:
    paths = distinct(given_paths)
    index = filled(paths)
    for first, path in enumerate(paths):
        for second, other in enumerate(paths):
            if path.is_linear and any(path_covers(path, branch) for branch in branches_of(other)):
                equal = first != second and path_covers(other, path)
                assert equal or first in index.coverers_of(second)


@given(mixed, st.data())
def test_removal_leaves_what_a_fresh_index_has(given_paths: list[Path], data: st.DataObject) -> None:
    paths = distinct(given_paths)
    index = filled(paths)
    gone = data.draw(st.sets(st.sampled_from(range(len(paths))))) if paths else set()
    for number in gone:
        index.remove(number)
    fresh = PatternIndex()
    for number, path in enumerate(paths):
        if number not in gone:
            fresh.add(number, path)
    assert len(index) == len(fresh)
    for number in set(range(len(paths))) - gone:
        assert index.coverers_of(number) == fresh.coverers_of(number)


def test_equal_questions_in_different_spelling() -> None:
    index = PatternIndex()
    for number, text in enumerate(("/a/b", "/a[b]", "/a[@x > 5]", "/a[@x > 10]", "/a")):
        index.add(number, parse_xpath(text).disjuncts[0])
    assert set(index.coverers_of(3)) == {2, 3, 4}
    assert set(index.coverers_of(1)) - {4} == {0, 1}
    assert set(index.coverers_of(0)) - {4} == {0}
    assert index.covered(2, BitMap(range(5))) == BitMap([2, 3])
    assert str(signature(parse_xpath("/a[b//c]/d").disjuncts[0])) == "/a/b//c"
