"""The index: chains, max-suffix pointers, and rows and nodes that are used again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker_sim.engines.xtrie import run
from broker_sim.engines.xtrie.decomposition import NONE
from broker_sim.engines.xtrie.engine import EagerXTrie, XTrie
from broker_sim.engines.xtrie.index import XTrieIndex
from broker_sim.engines.xtrie.trie import ROOT, Trie
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


def label(index: XTrieIndex, names: str) -> int:
    node = ROOT
    for name in names:
        node = index.step(node, name)
    return node


def test_max_suffix_pointers_lead_to_the_longest_suffix() -> None:
    index = index_of(*FIGURE_3)

    def beta(names: str) -> int:
        return index.trie.beta[label(index, names)]

    assert beta("aabc") == label(index, "abc")
    assert beta("abc") == label(index, "bc")
    assert beta("abce") == ROOT
    assert beta("bcd") == label(index, "cd")
    assert beta("cd") == label(index, "d")


def test_suffixes_are_found_without_recursion() -> None:
    """The node of a^n b meets those of all its suffixes for the first time at the end."""
    engine = XTrie()
    for id in range(600):
        engine.add(id, parse_xpath("//" + "a/" * id + "b"))
    assert len(engine.match_path(["a"] * 599 + ["b"])) == 600


def test_a_suffix_that_is_no_inner_node_of_the_trie_is_found_too() -> None:
    engine = XTrie()
    engine.add(1, parse_xpath("//a/b/c"))
    engine.add(2, parse_xpath("//b"))
    assert list(engine.match(b"<a><b/></a>")) == [2]


def test_a_name_that_no_edge_has_leads_on_from_the_longest_suffix() -> None:
    index = index_of(*FIGURE_3)
    assert label(index, "aabca") == label(index, "a")
    assert label(index, "aabcz") == ROOT
    assert label(index, "aabcd") == label(index, "bcd")


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
    fresh = XTrieIndex()
    for id, expression in enumerate(expressions):
        fresh.add(id, expression)
    assert (len(index.table.tests), index.table.tall) == (len(fresh.table.tests), fresh.table.tall)


words = st.lists(st.integers(0, 3), min_size=1, max_size=5)


@given(st.lists(st.tuples(st.booleans(), words), max_size=60))
def test_edges_lead_where_a_dictionary_leads(changes: list[tuple[bool, list[int]]]) -> None:
    """The hash table of the trie, which grows and has gaps, against a set of all prefixes."""
    trie = Trie()
    held: dict[tuple[int, ...], int] = {}
    for enters, word in changes:
        if enters:
            node = held[tuple(word)] = trie.insert(word)
            trie.alpha[node] = 0
        elif tuple(word) in held:
            node = held.pop(tuple(word))
            trie.alpha[node] = NONE
            trie.prune(node)
    prefixes = {word[:length] for word in held for length in range(len(word) + 1)} | {()}
    assert len(trie) == len(prefixes)
    for prefix in prefixes:
        node = trie.insert(prefix)
        assert {s for s in range(4) if trie.child(node, s) != NONE} == {s for s in range(4) if (*prefix, s) in prefixes}


@pytest.mark.parametrize("kind", [XTrie, EagerXTrie])
def test_what_documents_leave_behind_is_bounded_by_the_index(kind: type[XTrie]) -> None:
    engine = kind()
    for id, text in enumerate((*FIGURE_3, "/a/a/b/c", "/a//e", "/a/*", "/a[b = 1]")):
        engine.add(id, parse_xpath(text))
    deep = b"<a><a><b><c><e/><a><b><c><d/></c></b></a></c></b></a><a><b><c><e/></c></b></a></a>"
    assert list(engine.match(deep)) == [0, 1, 2, 4, 5, 6]
    chains = engine._index.chains
    held = len(chains.data)
    assert list(engine.match(deep)) == [0, 1, 2, 4, 5, 6]
    assert len(chains.data) == held <= 3 * len(engine._index.trie) + 4 * len(engine._index.table)


@pytest.mark.parametrize("kind", [XTrie, EagerXTrie])
@pytest.mark.parametrize("bound", [0, 3])
def test_what_a_document_remembers_is_bounded(kind: type[XTrie], bound: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "MAX_VISITS", bound)
    engine = kind()
    for id, text in enumerate((*FIGURE_3, "/a/a/b/c", "/a//e", "/a/*/*", "/a[b = 1]", "//b[c]/following-sibling::b")):
        engine.add(id, parse_xpath(text))
    deep = b"<a><a><b><c><e/><a><b><c><d/></c></b></a></c></b></a><a><b><c><e/></c></b><b/></a><b> 1 </b></a>"
    assert list(engine.match(deep)) == [0, 1, 2, 4, 5, 6, 7, 8]


def test_long_publications() -> None:
    for engine in (XTrie(), EagerXTrie()):
        engine.add(1, parse_xpath("//b//c/*//d"))
        assert list(engine.match_path(["a"] * 600 + ["b"] + ["c"] * 600 + ["d"])) == [1]
        assert list(engine.match_path(["a"] * 600 + ["c"] * 600 + ["d"])) == []
