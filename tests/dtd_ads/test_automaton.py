"""Membership agrees with regular expressions and walks; every position lies on a way from a start to an end."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtd_ads import EVERYTHING, AdvertisementSet, AutomatonAdvertisement, Loop, PathAdvertisement, parse_advertisement
from dtd_ads import positions as positions_module
from dtd_ads.advertisement import Part
from dtd_ads.automaton import Moves, PositionAutomaton, automaton_of, union_automaton
from dtd_ads.errors import AdvertisementError
from dtd_ads.positions import mask_of, positions_in
from tests.relations.referee import publications
from tests.strategies.advertisements import advertisements, element_graphs, path_advertisements

publication_names = st.lists(st.sampled_from(("a", "b", "c", "z")), max_size=7).map(tuple)


def regex_of(part: Part) -> str:
    if isinstance(part, Loop):
        return f"(?:{''.join(map(regex_of, part.parts))})+"
    return "/[^/]+" if part == "*" else "/" + re.escape(part)


@given(path_advertisements(most=6), publication_names)
def test_membership_is_that_of_the_regular_expression(advertisement: PathAdvertisement, names: tuple[str, ...]) -> None:
    pattern = "".join(map(regex_of, advertisement.parts))
    text = "".join(f"/{name}" for name in names)
    assert automaton_of(advertisement).accepts(names) == bool(re.fullmatch(pattern, text))


@given(element_graphs(), publication_names)
def test_membership_is_that_of_the_walks(graph: AutomatonAdvertisement, names: tuple[str, ...]) -> None:
    assert automaton_of(graph).accepts(names) == (names in set(publications(graph, (), len(names))))


@given(st.lists(advertisements, max_size=4), publication_names)
def test_a_union_accepts_what_any_of_its_advertisements_does(
    several: list[PathAdvertisement | AutomatonAdvertisement], names: tuple[str, ...]
) -> None:
    expected = any(automaton_of(advertisement).accepts(names) for advertisement in several)
    assert union_automaton(several).accepts(names) == expected
    assert automaton_of(AdvertisementSet(tuple(several), "paths", exact=True)).accepts(names) == expected


@given(st.lists(advertisements, max_size=3))
def test_every_position_lies_between_a_start_and_an_end(
    several: list[PathAdvertisement | AutomatonAdvertisement],
) -> None:
    automaton = union_automaton(several)
    below = automaton.start | automaton.forward.closure(automaton.start)
    above = automaton.accept | automaton.backward.closure(automaton.accept)
    assert below == above == automaton.everywhere


@given(path_advertisements(most=6))
def test_a_chain_is_a_path_without_loops(advertisement: PathAdvertisement) -> None:
    assert automaton_of(advertisement).is_chain == (advertisement.kind == "non-recursive")


@given(st.lists(advertisements, max_size=3), publication_names)
def test_a_deterministic_automaton_is_never_at_two_positions(
    several: list[PathAdvertisement | AutomatonAdvertisement], names: tuple[str, ...]
) -> None:
    automaton = union_automaton(several)
    reached = automaton.start
    for name in names:
        mask = reached & automaton.by_name.get(name, automaton.wildcards)
        assert mask.bit_count() <= 1 or not automaton.is_deterministic
        reached = automaton.forward.step(mask)


@pytest.mark.parametrize(
    ("texts", "deterministic"),
    [
        (["/a/b", "/a/c"], True),
        (["/a/b", "/a/*"], False),
        (["/a/b", "/*/c"], False),
        (["(/*)+"], True),
        (["(/a/b)+/a"], False),
        (["(/a/b)+/c"], True),
    ],
)
def test_determinism(texts: list[str], deterministic: bool) -> None:
    assert union_automaton(map(parse_advertisement, texts)).is_deterministic is deterministic


def test_an_element_graph_is_deterministic() -> None:
    graph = AutomatonAdvertisement("a", (("a", ("a", "b")), ("b", ("a",))), frozenset("b"), max_depth=4)
    assert automaton_of(graph).is_deterministic


def test_equal_beginnings_share_positions() -> None:
    automaton = union_automaton(map(parse_advertisement, ["/a(/b)+/c", "/a(/b)+/d", "/a"]))
    assert automaton.labels == ("a", "b", "c", "d")


def test_a_depth_bound_makes_layers_only_as_deep_as_walks_go() -> None:
    edges = (("a", ("b",)), ("b", ("c",)), ("c", ()))
    assert len(automaton_of(AutomatonAdvertisement("a", edges, frozenset("c"), max_depth=10**9))) == 3
    assert len(automaton_of(AutomatonAdvertisement("a", edges, frozenset("c"), max_depth=2))) == 0


def test_nothing_advertised_accepts_nothing() -> None:
    empty = union_automaton([])
    assert not empty.accepts(())
    assert not empty.accepts(("a",))
    assert not empty.is_chain


def test_everything_accepts_every_publication_but_the_empty_one() -> None:
    everything = automaton_of(EVERYTHING)
    assert everything.accepts(("a", "b"))
    assert everything.accepts(("x:y",))
    assert not everything.accepts(())


def test_too_many_positions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions_module, "MAX_POSITIONS", 5)
    loop = AutomatonAdvertisement("a", (("a", ("a",)),), frozenset("a"), max_depth=6)
    with pytest.raises(AdvertisementError, match="more than 5 positions"):
        union_automaton([loop])
    with pytest.raises(AdvertisementError, match="more than 5 positions"):
        union_automaton([parse_advertisement("/a/b/c/d/e/f")])


def test_equal_advertisements_have_one_automaton() -> None:
    first, second = parse_advertisement("/q(/r)+"), parse_advertisement("/q(/r)+")
    assert first is not second
    assert automaton_of(first) is automaton_of(second)


def test_a_full_memo_forgets_and_still_answers() -> None:
    automaton = automaton_of(parse_advertisement("(/a/b/c/d/e)+"))
    assert isinstance(automaton, PositionAutomaton)
    moves = Moves(automaton.successors, limit=2)
    for mask in range(1 << 5):
        for _ in range(2):
            assert moves.step(mask) == mask_of((position + 1) % 5 for position in positions_in(mask))
            assert moves.closure(mask) == (0b11111 if mask else 0)
    assert moves.remembered <= 4
