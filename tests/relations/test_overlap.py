"""Overlap: hand-made cases, the brute-force referee for linear paths, and matching documents for tree patterns."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from lxml import etree

from broker_sim.relations import overlaps
from broker_sim.relations.overlap import branches
from broker_sim.xpath import (
    CHILD,
    DESCENDANT,
    FOLLOWING_SIBLING,
    Branch,
    Disjunction,
    Path,
    Step,
    ValueTest,
    parse_xpath,
)
from dtd_ads import (
    EVERYTHING,
    Advertisement,
    AdvertisementSet,
    AutomatonAdvertisement,
    PathAdvertisement,
    parse_advertisement,
)
from dtd_ads.automaton import automaton_of
from tests.relations import referee
from tests.strategies.advertisements import advertisements, advertising
from tests.strategies.patterns import documents, linear_paths, matching_patterns, paths_of

LONGEST = 9


@pytest.mark.parametrize(
    ("advertisement", "subscription", "expected"),
    [
        # The examples of the router paper.
        ("/b/*/*/c/c/d", "/*/c/*/b/c", False),
        ("/a/*/e/*/d/*/c/b", "*/a//d/*/c//b", True),
        ("/a/*/c(/e/d)+/*/c/e", "/*/a/c/*/d/e/d/*", True),
        # What its search with wildcards gets wrong.
        ("/a/*/b/a", "a/b/a", True),
        ("/*/b/c/b", "a/*/b", False),
        # An advertisement has an exact length, a subscription leaves the rest free.
        ("/a/b", "/a", True),
        ("/a/b", "/a/b/c", False),
        ("/a/b", "/a/*", True),
        ("/a/b", "/*/*/*", False),
        ("/a/b", "//b", True),
        ("/a/b", "//b//*", False),
        # The earliest place must leave room, and segments must not share a step.
        ("/a/b/a/b/c", "//a/b//c", True),
        ("/a/b/a", "//a/b//b/a", False),
        ("/a/b/c", "/a//a", False),
        ("/a/*/c", "/a//a", True),
        # Loops occur once or more; nested and following ones.
        ("/a(/b)+/c", "/a/c", False),
        ("/a(/b)+/c", "/a/b/b/b/c", True),
        ("/a(/b/c)+", "/a/b/b", False),
        ("/a(/b(/c)+)+/d", "/a/b/c/c/b/c/d", True),
        ("/a(/b(/c)+)+/d", "/a/b/b", False),
        ("/a(/b)+(/c)+", "//c//b", False),
        ("(/a)+(/*/b)+", "//b/a/b", True),
    ],
)
def test_paths(advertisement: str, subscription: str, expected: bool) -> None:
    assert overlaps(parse_advertisement(advertisement), parse_xpath(subscription)) is expected


@pytest.mark.parametrize("subscription", ["/a", "//b", "a/b//c", "/*/*", "//*//x"])
def test_everything_overlaps_every_linear_path(subscription: str) -> None:
    assert overlaps(EVERYTHING, parse_xpath(subscription))


def longest_needed(advertisement: Advertisement, path: Path) -> int:
    """No shortest witness is longer: each `//` and the way to an end visit no position twice."""
    positions = len(automaton_of(advertisement))
    hops = sum(step.axis == DESCENDANT for step in path.steps) + 1
    return len(path.steps) + hops * max(positions - 1, 0)


@given(advertisements, linear_paths)
def test_linear_overlap_is_that_of_the_referee(advertisement: Advertisement, path: Path) -> None:
    longest = longest_needed(advertisement, path)
    assume(longest <= LONGEST)
    assert overlaps(advertisement, path) == referee.overlap(advertisement, path, longest)


@given(advertisements, linear_paths)
def test_a_publication_that_is_advertised_and_matches_is_overlap(advertisement: Advertisement, path: Path) -> None:
    if referee.overlap(advertisement, path, 6):
        assert overlaps(advertisement, path)


@given(st.lists(advertisements, max_size=4), linear_paths)
def test_a_set_overlaps_if_one_of_it_does(several: list[Advertisement], path: Path) -> None:
    together = AdvertisementSet(tuple(several), "paths", exact=True)
    assert overlaps(together, path) == any(overlaps(advertisement, path) for advertisement in several)


def test_a_disjunction_overlaps_if_one_of_its_paths_does() -> None:
    neither, one = Path((Step(CHILD, "x"),)), Path((Step(CHILD, "a"),))
    advertisement = parse_advertisement("/a/b")
    assert overlaps(advertisement, Disjunction((neither, one)))
    assert not overlaps(advertisement, Disjunction((neither, neither)))


# /a[b/c]/d, and its parts.
PATTERN = Path(
    (Step(CHILD, "a", (Branch((Step(CHILD, "b"), Step(CHILD, "c"))), ValueTest("@x", "=", 5.0))), Step(CHILD, "d"))
)


def advertisement_set(*texts: str) -> AdvertisementSet:
    return AdvertisementSet(tuple(map(parse_advertisement, texts)), "paths", exact=True)


def test_one_path_overlaps_a_pattern_by_any_of_its_branches() -> None:
    assert overlaps(parse_advertisement("/a/d"), PATTERN)
    assert overlaps(parse_advertisement("/a/b/c"), PATTERN)
    assert not overlaps(parse_advertisement("/a/b"), PATTERN)


def test_a_set_must_overlap_every_branch_of_a_pattern() -> None:
    assert overlaps(advertisement_set("/a/d", "/a/b/c"), PATTERN)
    assert overlaps(advertisement_set("/a/d", "/*/b/*"), PATTERN)
    assert not overlaps(advertisement_set("/a/d", "/a/b"), PATTERN)
    assert not overlaps(advertisement_set("/a/*", "/a/b"), PATTERN)


def test_on_a_graph_one_position_must_have_all_branches() -> None:
    # //*[x]/y: there are elements with an x and elements with a y, but is there one with both?
    pattern = Path((Step(DESCENDANT, "*", (Branch((Step(CHILD, "x"),)),)), Step(CHILD, "y")))
    apart = (("a", ("b", "d")), ("b", ("x",)), ("d", ("y",)))
    together = (("a", ("b", "d")), ("b", ("x", "y")), ("d", ("y",)))
    ends = frozenset("xy")
    assert not overlaps(AutomatonAdvertisement("a", apart, ends), pattern)
    assert overlaps(AutomatonAdvertisement("a", together, ends), pattern)
    assert not overlaps(advertisement_set("/a/b/x", "/a/d/y"), pattern)
    assert overlaps(advertisement_set("/a/b/x", "/a/b/y"), pattern)


def test_siblings_share_a_parent() -> None:
    pattern = Path((Step(DESCENDANT, "x"), Step(FOLLOWING_SIBLING, "y")))
    assert [Path(branch) for branch in branches((), pattern.steps)] == [parse_xpath("//x"), parse_xpath("//y")]
    assert overlaps(advertisement_set("/a/b/x", "/a/b/y"), pattern)
    assert not overlaps(advertisement_set("/a/b/x", "/a/d/y"), pattern)
    assert not overlaps(advertisement_set("/x", "/a/y"), pattern)


def test_branches_of_nested_patterns() -> None:
    nested = Branch((Step(DESCENDANT, "c", (Branch((Step(FOLLOWING_SIBLING, "d"), Step(CHILD, "e"))),)),))
    pattern = Path((Step(CHILD, "a"), Step(CHILD, "b", (nested,)), Step(CHILD, "f")))
    written = {str(Path(branch)) for branch in branches((), pattern.steps)}
    assert written == {"/a/b//c", "/a/b//d/e", "/a/b/f"}


def pattern_of(document: etree._Element, data: st.DataObject) -> Path:
    pattern = data.draw(matching_patterns(document))
    assert document.getroottree().xpath(str(pattern))
    return pattern


@given(documents(), st.data())
def test_no_set_of_paths_hides_a_matching_document(document: etree._Element, data: st.DataObject) -> None:
    pattern = pattern_of(document, data)
    several = tuple(data.draw(advertising(path)) for path in sorted(set(paths_of(document))))
    assert overlaps(AdvertisementSet(several, "paths", exact=True), pattern)
    assert any(overlaps(advertisement, pattern) for advertisement in several)


@given(documents(), st.data())
def test_no_exact_paths_hide_a_matching_document(document: etree._Element, data: st.DataObject) -> None:
    several = tuple(PathAdvertisement(path) for path in sorted(set(paths_of(document))))
    assert overlaps(AdvertisementSet(several, "paths", exact=True), pattern_of(document, data))


@given(documents(), st.data(), st.booleans())
def test_no_element_graph_hides_a_matching_document(
    document: etree._Element, data: st.DataObject, bounded: bool
) -> None:
    children: dict[str, dict[str, None]] = {}
    for element in document.iter():
        children.setdefault(element.tag, {}).update(dict.fromkeys(child.tag for child in element))
    edges = tuple((name, tuple(below)) for name, below in children.items())
    ends = frozenset(path[-1] for path in paths_of(document))
    depth = max(map(len, paths_of(document))) if bounded else None
    assert overlaps(AutomatonAdvertisement(document.tag, edges, ends, depth), pattern_of(document, data))
