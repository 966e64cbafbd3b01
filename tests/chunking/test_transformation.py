"""Rewriting by schema: the paper's examples, dead queries, and the bounds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given

from broker_sim.chunking.element_graph import ElementGraph
from broker_sim.chunking.transformation import Rewritten, Transformation
from broker_sim.xpath import Path, parse_xpath
from dtd_ads import Schema, load_schema
from dtd_ads.counting import useful_graph
from tests.strategies.expressions import linear_paths
from tests.strategies.schemas import schemas
from tests.workload.schemas import schema_of

FIGURE_4 = """
<!ELEMENT a (b+)>
<!ELEMENT b (l*, m*, k*)>
<!ELEMENT l (c*)>
<!ELEMENT m (c*, a*)>
<!ELEMENT k (d*)>
<!ELEMENT d EMPTY>
<!ELEMENT c EMPTY>
"""


def rewrite(text: str, schema: Schema | None = None, max_paths: int = 64) -> tuple[Rewritten, ...]:
    graph = ElementGraph(schema or schema_of(FIGURE_4, "a"))
    return Transformation(graph, max_paths).rewrite(parse_xpath(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("//c", {"/a/b/l/c", "/a/b/m/c", "/a/b/m//c"}),
        ("/a/b/*/c", {"/a/b/l/c", "/a/b/m/c"}),
        ("/a/b/*/d", {"/a/b/k/d"}),
        ("//d", {"/a/b/k/d", "/a/b/m//d"}),
        ("/a/d", set()),
        ("/b", set()),
        ("//k//c", set()),
        ("/a/b[l/d]/k", set()),
        ("/a/b/l/../k/d", {"/a/b[l]/k/d"}),
        ("/a/b/l/following-sibling::*/c", {"/a/b/l/following-sibling::l/c", "/a/b/l/following-sibling::m/c"}),
        ("/a/d or /a/*/k", {"/a/b/k"}),
        ("/a[.//d]/b/k", {"/a[.//d]/b/k"}),
        ("//a[following-sibling::a]/b", {f"/a/b/m{axis}a[following-sibling::a]/b" for axis in ("/", "//")}),
        ("//a/following-sibling::a", {f"/a/b/m{axis}a/following-sibling::a" for axis in ("/", "//")}),
    ],
)
def test_examples(text: str, expected: set[str]) -> None:
    assert {str(one.path) for one in rewrite(text)} == expected


def test_forms_lead_from_the_path_as_written_to_the_resolved_one() -> None:
    found = {str(one.path): one for one in rewrite("//c")}
    assert list(map(str, found["/a/b/l/c"].forms)) == ["//c", "/a//c", "/a/b//c", "/a/b/l//c", "/a/b/l/c"]
    assert found["/a/b/m//c"].spine == ("a", "b", "m")


def test_paths_that_may_find_the_same_element_are_cut_at_the_same_place() -> None:
    cuts = {str(one.path): "/".join(one.cut) for one in rewrite("//c")}
    assert cuts == {"/a/b/l/c": "a/b/l/c", "/a/b/m/c": "a/b/m", "/a/b/m//c": "a/b/m"}


def test_an_element_whose_string_value_is_tested_is_not_cut() -> None:
    assert [one.cut for one in rewrite("/a/b[. = 5]/k/d")] == [("a", "b")]
    assert [one.cut for one in rewrite("/a/b[text() = 5]/k/d")] == [("a", "b", "k", "d")]
    assert [one.cut for one in rewrite("/a/b/l[. = 5]/following-sibling::k/d")] == [("a", "b", "k", "d")]


def test_a_rich_schema_stays_within_the_bound() -> None:
    nitf = load_schema("nitf")
    for text in ("//p", "//*", "//body.content//em//a", "/nitf/*/*/*/*"):
        assert 1 <= len(rewrite(text, nitf, max_paths=32)) <= 32


def test_without_a_schema_only_written_names_count() -> None:
    transformation = Transformation(None)
    (found,) = transformation.rewrite(parse_xpath("/a/b/*/c"))
    assert (str(found.path), found.spine, found.is_open) == ("/a/b/*/c", ("a", "b"), True)
    (found,) = transformation.rewrite(parse_xpath("/a/b/following-sibling::c/d"))
    assert (found.spine, found.is_open) == (("a", "c", "d"), False)


def test_a_path_is_not_cut_at_an_element_that_it_only_passes_by() -> None:
    (found,) = Transformation(None).rewrite(parse_xpath("/a/b/following-sibling::*/c"))
    assert (found.spine, found.is_open) == (("a",), True)
    (found,) = rewrite("/a/b/l/following-sibling::*/c", max_paths=1)
    assert (str(found.path), found.spine) == ("/a/b/l/following-sibling::*/c", ("a", "b"))


def walks(schema: Schema, most: int) -> Iterator[tuple[str, ...]]:
    """Every path of names from the root that a document may hold, up to a length."""
    graph = useful_graph(schema)
    level = [(schema.root,)] if schema.root in graph else []
    while level and len(level[0]) <= most:
        yield from level
        level = [(*walk, child) for walk in level for child in graph.successors(walk[-1])]


def embeds(path: Path, walk: tuple[str, ...]) -> bool:
    """Whether the steps of a linear path can be laid along a walk, the last step on its end; by brute force."""
    ends = {-1}
    for step in path.steps:
        onward = {
            place
            for place, name in enumerate(walk)
            if step.name in ("*", name) and any(place == end + 1 or (step.axis == "//" and place > end) for end in ends)
        }
        ends = onward
    return len(walk) - 1 in ends


@given(schemas(), linear_paths(("a", "b", "c"), max_steps=3))
def test_a_linear_query_is_dead_exactly_if_no_walk_of_the_schema_has_it(schema: Schema, path: Path) -> None:
    transformation = Transformation(ElementGraph(schema))
    alive = any(embeds(path, walk) for walk in walks(schema, 7))
    rewritten = transformation.rewrite(path)
    assert bool(rewritten) >= alive
    if len(schema.elements) <= 2:
        assert bool(rewritten) == alive
