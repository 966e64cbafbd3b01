"""The rows of XPaths, by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker_sim.engines.relational.numbers import ordered_integer, text_number
from broker_sim.engines.relational.subscribing import UNBOUNDED, levels_of
from broker_sim.engines.relational.tables import Row
from broker_sim.xpath import parse_xpath


def edges(text: str) -> list[list[Row]]:
    """The edges of each level: numbers, names, differences."""
    return [[row[:6] for row in level.edges] for level in levels_of(parse_xpath(text).disjuncts[0])]


def test_a_tree_with_branches_and_predicates() -> None:
    first, second, third, fourth = levels_of(parse_xpath("/a[b = 'x']//c[@n > 2]/d").disjuncts[0])
    assert first.edges == ((0, 0, "/", "a", 1, 1, 1, False, False),)
    assert second.edges == ((0, 0, "a", "b", 1, 1, 2, False, False), (0, 1, "a", "c", 1, UNBOUNDED, 2, False, False))
    assert third.edges == ((1, 0, "c", "@n", 1, 1, 2, False, False), (1, 1, "c", "d", 1, 1, 2, True, False))
    assert third.predicates == ((0, 2, "b", 6, "x", 1, False),)
    assert fourth.edges == ()
    assert fourth.predicates == ((0, 0, "@n", 1, "2", 1, True),)
    assert fourth.tests == (("@n", 1, "2", text_number("2")),)
    assert first.predicates == second.predicates == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/a/*/b", [[(0, 0, "/", "a", 1, 1)], [(0, 0, "a", "b", 2, 2)]]),
        ("/a/*//*/b", [[(0, 0, "/", "a", 1, 1)], [(0, 0, "a", "b", 3, UNBOUNDED)]]),
        ("*/b", [[(0, 0, "/", "b", 2, UNBOUNDED)]]),
        ("/*", [[(0, 0, "/", "*", 1, 1)]]),
        ("/a/*/@x", [[(0, 0, "/", "a", 1, 1)], [(0, 0, "a", "@x", 2, 2)]]),
        ("/*[b]/c", [[(0, 0, "/", "*", 1, 1)], [(0, 0, "*", "b", 1, 1), (0, 1, "*", "c", 1, 1)]]),
        (
            "/a/*/following-sibling::*/b",
            [[(0, 0, "/", "a", 1, 1)], [(0, 0, "a", "*", 1, 1)], [(0, 0, "*", "*", 0, 0)], [(0, 0, "*", "b", 1, 1)]],
        ),
    ],
)
def test_wildcards_that_only_pass_on_are_merged(text: str, expected: list[list[Row]]) -> None:
    assert edges(text) == expected


@pytest.mark.parametrize(
    ("text", "operation"),
    [("=5", 0), (">5", 1), (">=5", 2), ("<5", 3), ("<=5", 4), ("!=5", 5), ("='5'", 6), ("!='5'", 7), ("<'5'", 3)],
)
def test_operations(text: str, operation: int) -> None:
    *_, last = levels_of(parse_xpath(f"/a[@n{text}]").disjuncts[0])
    wanted = None if operation > 5 else text_number("5")
    assert last.tests == (("@n", operation, "5", wanted),)


def test_what_is_no_number_has_none() -> None:
    *_, last = levels_of(parse_xpath("/a[. > 'x']").disjuncts[0])
    assert last.tests == (("a", 1, "x", None),)
    assert ordered_integer(math.nan) is None
    assert text_number("five") is None


@given(st.floats(allow_nan=False), st.floats(allow_nan=False))
def test_integers_compare_as_their_numbers(first: float, second: float) -> None:
    one, two = ordered_integer(first), ordered_integer(second)
    assert one is not None
    assert two is not None
    assert (one < two, one == two) == (first < second, first == second)
    assert -(2**63) <= one < 2**63
