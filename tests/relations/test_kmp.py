"""The search for names finds the earliest place, as a plain comparison at every place does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker_sim.relations import kmp

few_names = st.lists(st.sampled_from("ab"), max_size=14).map(tuple)
segments = st.lists(st.sampled_from("ab"), min_size=1, max_size=6).map(tuple)


@pytest.mark.parametrize(
    ("segment", "table"),
    [("a", (-1,)), ("ab", (-1, 0)), ("aab", (-1, 0, 1)), ("abab", (-1, 0, 0, 1)), ("aaaa", (-1, 0, 1, 2))],
)
def test_next_table(segment: str, table: tuple[int, ...]) -> None:
    assert kmp.next_table(tuple(segment)) == table


@given(segments, few_names, st.integers(0, 15))
def test_the_earliest_place_is_found(segment: tuple[str, ...], names: tuple[str, ...], begin: int) -> None:
    assert kmp.find(segment, names, begin) == "".join(names).find("".join(segment), begin)
