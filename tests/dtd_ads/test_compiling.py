"""Advertisements match every path of the DTD, and nothing else where they say that they are exact."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtd_ads import (
    AdvertisementSet,
    AutomatonAdvertisement,
    Loop,
    PathAdvertisement,
    Schema,
    compile_advertisements,
    load_schema,
)
from dtd_ads.advertisement import Part
from dtd_ads.automaton import automaton_of
from dtd_ads.compiling import Form
from dtd_ads.errors import AdvertisementError
from tests.relations.referee import publications
from tests.strategies.schemas import schemas

LONGEST = 6
Names = tuple[str, ...]
forms = st.sampled_from(("auto", "paths", "automaton"))
depths = st.none() | st.integers(1, LONGEST)


def walks(schema: Schema, longest: int) -> set[Names]:
    """The paths of the DTD, listed one element at a time."""
    level: list[Names] = [(schema.root,)]
    found = set()
    for _ in range(longest):
        found |= {walk for walk in level if schema.may_end(walk[-1])}
        level = [(*walk, child) for walk in level for child in schema.children(walk[-1])]
    return found


def regex_of(part: Part) -> str:
    if isinstance(part, Loop):
        return f"(?:{''.join(map(regex_of, part.parts))})+"
    return "/[^/]+" if part == "*" else "/" + re.escape(part)


def matches(advertisement: PathAdvertisement | AutomatonAdvertisement, names: Names) -> bool:
    if isinstance(advertisement, PathAdvertisement):
        return bool(re.fullmatch("".join(map(regex_of, advertisement.parts)), "".join(f"/{name}" for name in names)))
    edges = dict(advertisement.edges)
    steps = pairwise(names)
    deep = advertisement.max_depth is not None and len(names) > advertisement.max_depth
    ends = names[0] == advertisement.root and names[-1] in advertisement.ends
    return ends and not deep and all(down in edges[up] for up, down in steps)


def compiled(schema: Schema, form: Form, depth: int | None, paths: set[Names]) -> AdvertisementSet | None:
    """None where the list is too long, or, as must be, where there is no path."""
    try:
        return compile_advertisements(schema, form, depth, limit=2_000)
    except AdvertisementError as error:
        if "limit" in str(error) or not paths:
            return None
        raise


@given(schemas(), forms, depths, st.data())
def test_every_path_is_advertised(schema: Schema, form: Form, depth: int | None, data: st.DataObject) -> None:
    paths = walks(schema, depth or LONGEST)
    found = compiled(schema, form, depth, paths)
    if found is None or not paths:
        return
    automaton = automaton_of(found)
    assert all(map(automaton.accepts, paths))
    for names in data.draw(st.lists(st.sampled_from(sorted(paths)), max_size=10)):
        assert any(matches(advertisement, names) for advertisement in found)


@given(schemas(), forms, depths)
def test_where_exact_nothing_else_is_advertised(schema: Schema, form: Form, depth: int | None) -> None:
    paths = walks(schema, depth or LONGEST)
    found = compiled(schema, form, depth, paths)
    if found is not None and found.exact:
        longest = LONGEST if depth is None else min(depth, LONGEST)
        listed = {names for each in found for names in publications(each, (), LONGEST)}
        assert {names for names in listed if len(names) <= longest} == paths
        assert depth is None or listed == paths


@given(schemas(), forms, depths, st.lists(st.sampled_from("abcde"), min_size=1, max_size=LONGEST).map(tuple))
def test_membership_agrees_with_the_automaton(schema: Schema, form: Form, depth: int | None, names: Names) -> None:
    found = compiled(schema, form, depth, walks(schema, LONGEST if depth is None else depth))
    if found is not None:
        assert automaton_of(found).accepts(names) == any(matches(each, names) for each in found)


def test_a_list_beyond_the_limit_is_refused_and_auto_takes_the_automaton() -> None:
    schema = load_schema("bib")
    with pytest.raises(AdvertisementError, match="9 path advertisements are more than the limit of 8"):
        compile_advertisements(schema, "paths", limit=8)
    assert compile_advertisements(schema, "auto", limit=8).form == "automaton"
    assert compile_advertisements(schema, "auto", limit=9).form == "paths"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"form": "trees"}, "unknown form 'trees'"),
        ({"limit": 0}, "limit 0 is not positive"),
        ({"max_depth": 0}, "maximum depth 0"),
        ({"max_depth": 1001}, "maximum depth 1001"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, object], message: str) -> None:
    with pytest.raises(AdvertisementError, match=message):
        compile_advertisements(load_schema("bib"), **options)


def test_a_depth_within_which_no_path_ends() -> None:
    with pytest.raises(AdvertisementError, match="no path from 'db' can end within 2 elements"):
        compile_advertisements(load_schema("university"), max_depth=2)
