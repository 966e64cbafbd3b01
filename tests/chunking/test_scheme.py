"""Schemes: which chunk answers what, filter nodes, and what is asked."""

from __future__ import annotations

import pytest

from broker_sim.chunking.needs import filter_paths
from broker_sim.chunking.preparation import Preparation
from broker_sim.chunking.scheme import Scheme
from broker_sim.xpath import parse_xpath
from dtd_ads import Schema
from tests.chunking.test_transformation import FIGURE_4
from tests.workload.schemas import schema_of

figure_4 = schema_of(FIGURE_4, "a")


def scheme_of(queries: list[str], cuts: list[str], schema: Schema | None = figure_4) -> Scheme:
    preparation = Preparation(schema)
    for id, text in enumerate(queries):
        preparation.add(id, parse_xpath(text))
    return preparation.scheme([tuple(cut.split("/")) for cut in cuts])


def found(scheme: Scheme) -> dict[str, dict[int, str]]:
    sets = {chunk.name: chunk.queries for chunk in scheme.chunks} | {"potpourri": scheme.potpourri}
    return {name: {id: str(query.found) for id, query in queries.items()} for name, queries in sets.items()}


def test_a_path_goes_to_the_longest_prefix() -> None:
    scheme = scheme_of(["/a/b/l/c", "/a/b/k/d", "/a"], ["a/b", "a/b/l"])
    assert found(scheme) == {"/a/b": {1: "/a/b/k/d"}, "/a/b/l": {0: "/a/b/l/c"}, "potpourri": {2: "/a"}}


def test_chunks_without_queries_are_left_out() -> None:
    assert found(scheme_of(["/a/b/l/c"], ["a/b/k", "a/b/l"])) == {"/a/b/l": {0: "/a/b/l/c"}, "potpourri": {}}


def test_paths_are_joined_where_they_differ_below_the_cut() -> None:
    assert found(scheme_of(["//c"], ["a/b"])) == {"/a/b": {0: "/a/b//c"}, "potpourri": {}}
    apart = {"/a/b": {0: "/a/b/m//c"}, "/a/b/l": {0: "/a/b/l/c"}, "potpourri": {}}
    assert found(scheme_of(["//c"], ["a/b", "a/b/l"])) == apart
    assert found(scheme_of(["//c"], [])) == {"potpourri": {0: "//c"}}


def test_what_is_asked() -> None:
    (chunk,) = scheme_of(["//c", "/a/b/*/c", "//c[. != 5]"], ["a/b"]).chunks
    assert [str(query.asked) for query in chunk.queries.values()] == [
        "//c",
        "/a/b/l/c or /a/b/m/c",
        "/a/b//c[. != 5]",
    ]


@pytest.mark.parametrize(
    ("query", "prefix", "expected"),
    [
        ("/a/b[c]/d/e", "a/b/d", {"/a/b/c"}),
        ("/a/b[c]/d/e", "a/b", set()),
        ("/a/b[c/x[@y = 1]]/d", "a/b/d", {"/a/b/c/x"}),
        ("/a[@x]/b/d", "a/b/d", set()),
        ("/a[text() = 5]/b/d", "a/b/d", {"/a/text()"}),
        ("/a/b[c = 5]/d", "a/b/d", {"/a/b/c//node()"}),
        ("/a/b[.//c]/d", "a/b/d", {"/a/b//c"}),
        ("/a/b[*/c]/d[f]", "a/b/d", {"/a/b/*/c"}),
        ("/a/b[following-sibling::c[f]]/d", "a/b/d", {"/a/c/f"}),
        ("/a/b[following-sibling::c]/d", "a/b/d", {"/a/c"}),
        ("/a/b/following-sibling::c/d", "a/c", {"/a/b"}),
        ("/a/b[text()]/following-sibling::c/d", "a/c/d", {"/a/b/text()"}),
        ("/a/b[d/f]/d", "a/b/d", set()),
        ("/a/b[following-sibling::b]/d", "a/b/d", {"/a/b"}),
        ("/a/b/following-sibling::b/d", "a/b/d", {"/a/b"}),
        ("/a[b[@x = 1]]/b/d", "a/b/d", {"/a/b"}),
        ("/a[b[@x = 1]/c[text()]]/b/d", "a/b/d", {"/a/b/c/text()"}),
        ("/a/b[following-sibling::c/following-sibling::e]/d", "a/b/d", {"/a/c", "/a/e"}),
    ],
)
def test_filter_nodes(query: str, prefix: str, expected: set[str]) -> None:
    (path,) = parse_xpath(query).disjuncts
    assert {str(one) for one in filter_paths(path, tuple(prefix.split("/")))} == expected


def test_dead_queries_are_reported() -> None:
    preparation = Preparation(figure_4)
    for id, text in enumerate(("/a/d", "//c", "/a/b[x]")):
        preparation.add(id, parse_xpath(text))
    assert preparation.dead == (0, 2)
    preparation.remove(0)
    assert preparation.dead == (2,)
