"""Claims 1 to 5 and the rewriting of `//`, on random element graphs and documents that keep to them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from broker_sim.delivery.claims import Claims
from broker_sim.delivery.element_graph import ElementGraph
from broker_sim.delivery.path_streams import PathStreams, Stream
from broker_sim.engines.documents import parse
from broker_sim.engines.outline import Outline
from broker_sim.xpath import Path, Step, parse_xpath
from dtd_ads import Schema, load_schema
from tests.strategies.flwr import graph_documents, graphs, walks
from tests.workload.schemas import schema_of


def steps(text: str) -> tuple[Step, ...]:
    return parse_xpath(text).disjuncts[0].steps


def paths(schema: Schema, most: int) -> st.SearchStrategy[str]:
    return walks(schema, None, most).map(lambda walk: walk[0])


def stream_of(path: tuple[Step, ...], outline: Outline) -> Stream:
    engine = PathStreams()
    number = engine.add(path)
    return engine.streams(outline).get(number, ())


@given(graphs(), st.data())
def test_what_is_claimed_is_so(schema: Schema, data: st.DataObject) -> None:
    outline = Outline(parse(data.draw(graph_documents(schema, max_depth=8))))
    by_query, by_dtd = Claims(), Claims(ElementGraph(schema))
    for text in data.draw(st.lists(paths(schema, 5), min_size=1, max_size=8)):
        path = steps(text)
        field = data.draw(st.integers(0, len(path) - 1))
        stream = stream_of(path, outline)
        for claims in (by_query, by_dtd):
            if claims.distinct(path):
                assert len({places[-1] for places in stream}) == len(stream)
            if claims.distinct_pairs(path, field):
                assert len({(places[field], places[-1]) for places in stream}) == len(stream)
            if claims.ordered(path, field):
                assert [places[field] for places in stream] == sorted(places[field] for places in stream)


@given(graphs(), st.data())
def test_the_dtd_only_adds_to_what_the_query_says(schema: Schema, data: st.DataObject) -> None:
    path = steps(data.draw(paths(schema, 5)))
    field = data.draw(st.integers(0, len(path) - 1))
    by_query, by_dtd = Claims(), Claims(ElementGraph(schema))
    assert by_dtd.distinct(path) >= by_query.distinct(path)
    assert by_dtd.distinct_pairs(path, field) >= by_query.distinct_pairs(path, field)
    assert by_dtd.ordered(path, field) >= by_query.ordered(path, field)


def test_the_papers_second_query() -> None:
    """Figure is on no loop, section is: duplicates can arise, but all streams are ordered by the figure."""
    claims = Claims(ElementGraph(load_schema("book")))
    assert not claims.distinct(steps("//section//figure"))
    assert not claims.distinct_pairs(steps("//section//figure/image"), 1)
    assert claims.ordered(steps("//section//figure/title"), 1)
    assert not Claims().ordered(steps("//section//figure/title"), 1)


def test_the_papers_third_query() -> None:
    """All duplicate elimination can go but that of `//section//title` below a section."""
    claims = Claims(ElementGraph(load_schema("book")))
    assert claims.distinct(steps("//section"))
    assert claims.distinct_pairs(steps("//section/figure"), 0)
    assert not claims.distinct_pairs(steps("//section//section//title"), 0)
    assert not claims.ordered(steps("//section/figure/title"), 0)


def test_without_recursion_the_dtd_leaves_nothing_to_do() -> None:
    claims = Claims(ElementGraph(load_schema("bib")))
    for path in ("//bib//book//author//last", "//book//editor//last", "//bib/*/title"):
        assert claims.distinct_pairs(steps(path), 1)
        assert claims.ordered(steps(path), 1)


def test_loops_are_more_than_simple_cycles() -> None:
    """a and c lie on no common simple cycle, and still `//a/b/c/d` is not ordered by c."""
    schema = schema_of("<!ELEMENT a (b*)><!ELEMENT b (a|c)*><!ELEMENT c (b|d)*><!ELEMENT d EMPTY>", "a")
    outline = Outline(parse(b"<a><b><c><b><a><b><c><d/></c></b></a></b><d/></c></b></a>"))
    path = steps("//a/b/c/d")
    assert [places[2] for places in stream_of(path, outline)] == [6, 2]
    assert not Claims(ElementGraph(schema)).ordered(path, 2)


@given(graphs(), st.data())
def test_rewriting_changes_no_selection(schema: Schema, data: st.DataObject) -> None:
    graph = ElementGraph(schema)
    tree = etree.fromstring(data.draw(graph_documents(schema, max_depth=8))).getroottree()
    for text in data.draw(st.lists(paths(schema, 4), min_size=1, max_size=8)):
        rewritten = str(Path(graph.canonical(steps(text))))
        assert tree.xpath(rewritten) == tree.xpath(text)
        assert rewritten.count("//") <= text.count("//")


@pytest.mark.parametrize(
    ("dtd", "written", "rewritten"),
    [
        ("book", "//figure//image", "//figure/image"),
        ("book", "//author", "/book/author"),
        ("book", "//title", "//title"),
        ("book", "//section//title", "//section//title"),
        ("bib", "//book//last", "/bib/book//last"),
        ("bib", "//editor//affiliation", "/bib/book/editor/affiliation"),
        ("bib", "//affiliation", "/bib/book/editor/affiliation"),
        ("bib", "//*//last", "//*//last"),
        ("bib", "/bib[@x]//book[@year = 5]//price", "/bib[@x]/book[@year = 5]/price"),
        ("bib", "//nothing//book", "//nothing//book"),
    ],
)
def test_superfluous_descendant_steps(dtd: str, written: str, rewritten: str) -> None:
    assert str(Path(ElementGraph(load_schema(dtd)).canonical(steps(written)))) == rewritten


def test_rewriting_below_an_element() -> None:
    graph = ElementGraph(load_schema("book"))
    relative = steps("//image")
    assert str(Path(graph.canonical(relative, "figure"))) == "/image"
    assert str(Path(graph.canonical(relative, "section"))) == "//image"
    assert str(Path(graph.canonical(relative, "*"))) == "//image"
