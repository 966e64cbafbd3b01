"""The estimate: sizes counted by path, and which cuts are worth it."""

from __future__ import annotations

from io import BytesIO

import pytest

from broker_sim.chunking.cost import best_cuts, cost, measure
from broker_sim.chunking.query_tree import QueryTree
from broker_sim.engines import create_engine
from broker_sim.engines.chunked import Chunked
from broker_sim.errors import DocumentError
from broker_sim.xpath import parse_xpath
from tests.chunking.test_query_tree import tree_of

DOCUMENT = b"<a>" + b"<b><c/><c/></b>" * 300 + b"<d><e/></d>" * 100 + b"</a>"


def test_sizes_are_counted_by_path() -> None:
    sizes = measure(BytesIO(DOCUMENT))
    assert sizes.elements == {
        (): 1101,
        ("a",): 1101,
        ("a", "b"): 900,
        ("a", "b", "c"): 600,
        ("a", "d"): 200,
        ("a", "d", "e"): 100,
    }
    assert (sizes.total, sizes.at(("x",))) == (1101, 0)
    with pytest.raises(DocumentError, match="document:1:"):
        measure(BytesIO(b"<a>"))
    with pytest.raises(DocumentError, match="nest deeper than 256"):
        measure(BytesIO(b"<a>" * 1_000))


def test_few_queries_are_not_worth_a_cut() -> None:
    sizes = measure(BytesIO(DOCUMENT))
    assert best_cuts(tree_of({"/a/b/c": 3, "/a/d/e": 3}), sizes, "lxml") == ()
    assert best_cuts(tree_of({"/a/b/c": 300, "/a/d/e": 300}), sizes, "lxml") == (("a", "b", "c"), ("a", "d", "e"))


def test_an_engine_that_reads_once_is_not_worth_a_cut() -> None:
    assert best_cuts(tree_of({"/a/b/c": 300, "/a/d/e": 300}), measure(BytesIO(DOCUMENT)), "lazy-dfa") == ()


def test_more_workers_cost_no_more() -> None:
    tree, sizes = tree_of({"/a/b/c": 50, "/a/d/e": 70, "/a": 5}), measure(BytesIO(DOCUMENT))
    costs = [cost(tree.weights, tree.total, (("a", "b"), ("a", "d")), sizes, 1.0, workers) for workers in (1, 2, 3, 4)]
    assert costs == sorted(costs, reverse=True)
    assert costs[2] == costs[3]


def test_the_engine_learns_from_its_first_document() -> None:
    engine = create_engine("chunked", chunks="auto")
    assert isinstance(engine, Chunked)
    for id in range(400):
        engine.add(id, parse_xpath("/a/b/c" if id % 2 else "/a/d/e"))
    assert engine.scheme.chunks == ()
    assert len(engine.match(DOCUMENT)) == 400
    assert [chunk.name for chunk in engine.scheme.chunks] == ["/a/b/c", "/a/d/e"]
    assert len(engine.match(DOCUMENT)) == 400


def test_no_queries() -> None:
    assert best_cuts(QueryTree(), measure(BytesIO(b"<a/>")), "lxml") == ()
