"""Counts equal what listing every path gives."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtd_ads import Schema, count_paths, load_schema
from dtd_ads.errors import AdvertisementError
from tests.dtd_ads.test_compiling import walks
from tests.strategies.schemas import schemas


@given(schemas(), st.integers(1, 6))
def test_counts_are_those_of_the_list(schema: Schema, depth: int) -> None:
    paths = walks(schema, depth)
    counts = count_paths(schema, depth)
    assert counts.may_end == len(paths)
    assert dict(counts.by_depth) == Counter(map(len, paths))
    assert counts.leaf_only == sum(not schema.children(path[-1]) for path in paths)
    assert counts.max_depth == depth


def test_a_recursive_dtd_is_counted_up_to_ten() -> None:
    assert count_paths(load_schema("book")).max_depth == 10
    assert count_paths(load_schema("bib")).max_depth is None


def test_a_count_never_has_more_digits_than_python_prints(tmp_path: Path) -> None:
    """A list without recursion can be as long as its DTD; paths of at most 1,000 elements are counted."""
    layers = 1_100
    text = ["<!ELEMENT r (e0-0?)>"]
    for layer in range(layers):
        inside = "(" + "|".join(f"e{layer + 1}-{number}" for number in range(10)) + ")?"
        text += [f"<!ELEMENT e{layer}-{number} {inside if layer < layers - 1 else 'EMPTY'}>" for number in range(10)]
    file = tmp_path / "deep.dtd"
    file.write_text("\n".join(text))
    counts = count_paths(load_schema(file, "r"))
    assert counts.max_depth == 1_000
    assert str(counts.may_end) == "1" * 998 + "2"


@pytest.mark.parametrize("depth", [-1, 0, 1001])
def test_a_depth_that_makes_no_sense(depth: int) -> None:
    with pytest.raises(AdvertisementError, match=r"not within 1\.\.1000"):
        count_paths(load_schema("bib"), depth)
