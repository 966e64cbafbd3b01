"""The search with wildcards finds the earliest place, as a plain comparison at every place does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker_sim.relations import shift_and
from dtd_ads import PathAdvertisement
from dtd_ads.automaton import automaton_of

labels = st.sampled_from("ab*")
segments = st.lists(labels, min_size=1, max_size=5).map(tuple)
texts = st.lists(labels, min_size=1, max_size=12).map(tuple)


def find_slowly(segment: tuple[str, ...], text: tuple[str, ...], begin: int) -> int:
    for place in range(begin, len(text) - len(segment) + 1):
        pairs = zip(segment, text[place:], strict=False)
        if all(one == other or "*" in (one, other) for one, other in pairs):
            return place
    return -1


@given(segments, texts, st.integers(0, 13))
def test_the_earliest_place_is_found(segment: tuple[str, ...], text: tuple[str, ...], begin: int) -> None:
    chain = automaton_of(PathAdvertisement(text))
    assert shift_and.find(segment, chain, begin) == find_slowly(segment, text, begin)


@pytest.mark.parametrize(("segment", "text", "place"), [("aba", "a*ba", 1), ("a*b", "*bcb", -1), ("z", "ab*", 2)])
def test_what_a_next_table_gets_wrong(segment: str, text: str, place: int) -> None:
    assert shift_and.find(tuple(segment), automaton_of(PathAdvertisement(tuple(text))), 0) == place
