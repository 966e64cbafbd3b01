"""The index: chains, max-suffix pointers, and rows and nodes that are used again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker_sim.engines.xtrie import visits
from broker_sim.engines.xtrie.decomposition import NONE
from broker_sim.engines.xtrie.engine import EagerXTrie, XTrie
from broker_sim.engines.xtrie.index import XTrieIndex
from broker_sim.xpath import Expression, parse_xpath
from tests.strategies.expressions import linear_paths, tree_patterns

# Patterns whose simple decompositions are those of the paper's figure 3.
FIGURE_3 = ("//a/a/b/c//a/b", "//a/b[c/e]//b/c/d", "//a/b[c//d]//b/c", "//c/b//c/d//d")


def index_of(*texts: str) -> XTrieIndex:
    index = XTrieIndex()
    for id, text in enumerate(texts):
        index.add(id, parse_xpath(text))
    index.refresh()
    return index


def label(index: XTrieIndex, names: str) -> visits.Visit:
    visit = index.visits.root
    for name in names:
        visit = index.visits.step(visit, name)
    return visit


def test_max_suffix_pointers_lead_to_the_longest_suffix() -> None:
    index = index_of(*FIGURE_3)
    beta = label(index, "aabc").beta
    assert beta is label(index, "abc")
    assert beta is not None
    assert beta.beta is label(index, "bc")
    assert label(index, "abce").beta is index.visits.root
    assert label(index, "bcd").beta is label(index, "cd")
    assert label(index, "cd").beta is label(index, "d")


def test_a_suffix_that_is_no_inner_node_of_the_trie_is_found_too() -> None:
    engine = XTrie()
    engine.add(1, parse_xpath("//a/b/c"))
    engine.add(2, parse_xpath("//b"))
    assert list(engine.match(b"<a><b/></a>")) == [2]


def test_a_name_that_no_edge_has_leads_on_from_the_longest_suffix() -> None:
    index = index_of(*FIGURE_3)
    assert label(index, "aabca") is label(index, "a")
    assert label(index, "aabcz") is index.visits.root
    assert label(index, "aabcd") is label(index, "bcd")


def test_of_two_rows_of_a_pattern_the_later_comes_first_in_a_chain() -> None:
    index = index_of("//a//a//a", "//a//b")
    node = index.table.node[0]
    chain, row = [], index.trie.alpha[node]
    while row != NONE:
        chain.append(row)
        row = index.table.next_row[row]
    assert chain == [3, 2, 1, 0]


patterns = st.one_of(linear_paths(), tree_patterns())


@given(st.lists(patterns, min_size=1, max_size=6), st.data())
def test_what_leaves_makes_room(expressions: list[Expression], data: st.DataObject) -> None:
    index = XTrieIndex()
    for id, expression in enumerate(expressions):
        index.add(id, expression)
    size, nodes = len(index.table), len(index.trie)
    for id in data.draw(st.permutations(range(len(expressions)))):
        index.remove(id)
    assert (len(index), len(index.trie)) == (0, 1)
    for id, expression in enumerate(expressions):
        index.add(id, expression)
    assert (len(index.table), len(index.trie)) == (size, nodes)
    assert (len(index.table.tests), len(index.table.height)) == (
        _with(expressions, "tests"),
        _with(expressions, "height"),
    )


def _with(expressions: list[Expression], part: str) -> int:
    fresh = XTrieIndex()
    for id, expression in enumerate(expressions):
        fresh.add(id, expression)
    return len(getattr(fresh.table, part))


@pytest.mark.parametrize("kind", [XTrie, EagerXTrie])
def test_visits_are_bounded(kind: type[XTrie], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visits, "MAX_VISITS", 3)
    engine = kind()
    for id, text in enumerate((*FIGURE_3, "/a/a/b/c", "/a//e")):
        engine.add(id, parse_xpath(text))
    deep = b"<a><a><b><c><e/><a><b><c><d/></c></b></a></c></b></a><a><b><c><e/></c></b></a></a>"
    assert list(engine.match(deep)) == list(engine.match(deep)) == [0, 1, 2, 4, 5]


def test_long_publications() -> None:
    for engine in (XTrie(), EagerXTrie()):
        engine.add(1, parse_xpath("//b//c/*//d"))
        assert list(engine.match_path(["a"] * 600 + ["b"] + ["c"] * 600 + ["d"])) == [1]
        assert list(engine.match_path(["a"] * 600 + ["c"] * 600 + ["d"])) == []
