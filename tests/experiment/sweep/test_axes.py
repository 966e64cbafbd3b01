"""Lists, ranges, zipped groups, exclusions."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker_sim.errors import ConfigurationError
from broker_sim.experiment.sweep.axes import axis_values, combinations, zipped


@pytest.mark.parametrize(
    ("written", "values"),
    [
        ([3, 1], [3, 1]),
        ([0, 0.5], [0.0, 0.5]),
        (["a", "b"], ["a", "b"]),
        ({"from": 1, "to": 10, "step": 3}, [1, 4, 7, 10]),
        ({"from": 1, "to": 9, "step": 3}, [1, 4, 7]),
        ({"from": 0, "to": 0.3, "step": 0.1}, [0, 0.1, 0.2, 0.3]),
        ({"from": 0, "to": 1, "count": 3}, [0, 0.5, 1]),
        ({"from": 10, "to": 10_000, "factor": 10}, [10, 100, 1_000, 10_000]),
        ({"from": 5, "to": 5, "step": 1}, [5]),
    ],
)
def test_values(written: object, values: list[object]) -> None:
    assert axis_values(written, "x") == values
    assert len({type(value) for value in axis_values(written, "x")}) == 1


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ([], "expected a list or a range"),
        ("text", "expected a list or a range"),
        ([1, 1], "names 1 twice"),
        ([1, "a"], "values of one type"),
        ({"from": 1, "to": 2}, "expected from, to and one of"),
        ({"from": 1, "to": 2, "step": 1, "count": 2}, "expected from, to and one of"),
        ({"from": 1, "to": 2, "stop": 1, "step": 1}, "expected from, to and one of"),
        ({"from": 2, "to": 1, "step": 1}, "goes from 2 down to 1"),
        ({"from": 1, "to": 2, "step": 0}, "never leads"),
        ({"from": 1, "to": 2, "factor": 1}, "never leads"),
        ({"from": 0, "to": 2, "factor": 2}, "never leads"),
        ({"from": 0, "to": 2, "count": 1}, "at least 2"),
        ({"from": "a", "to": 2, "count": 2}, "finite number"),
        ({"from": 0, "to": 1e9, "step": 1}, "at most 100,000"),
    ],
)
def test_wrong_values(written: object, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        axis_values(written, "x")


def test_zipped_values_go_together() -> None:
    assert zipped({"a": [1, 2], "b": ["x", "y"]}, "zip") == [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]


@pytest.mark.parametrize(
    ("group", "message"),
    [
        ({}, "table of lists"),
        ({"a": [1], "b": []}, "expected a list"),
        ({"a": [1], "b": [1, 2]}, "one length"),
        ({"a": [1, 1], "b": [2, 2]}, "twice"),
    ],
)
def test_wrong_groups(group: object, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        zipped(group, "zip")


@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.data())
def test_combinations_are_the_product_without_what_is_excluded(sizes: list[int], data: st.DataObject) -> None:
    names = "abcd"[: len(sizes)]
    exclusion = data.draw(st.dictionaries(st.sampled_from(names), st.integers(0, 4), min_size=1))
    groups = [[{name: value} for value in range(size)] for name, size in zip(names, sizes, strict=True)]
    expected = [
        point
        for values in product(*map(range, sizes))
        for point in [dict(zip(names, values, strict=True))]
        if {**point, **exclusion} != point
    ]
    assert list(combinations(groups, [exclusion])) == expected


def test_too_many_cells_are_refused_before_they_are_made() -> None:
    with pytest.raises(ConfigurationError, match="make 10,000,000,000 cells"):
        next(combinations([[{name: value} for value in range(10)] for name in "abcdefghij"], []))
