"""Every engine against the referee, on random documents and expressions, with subscriptions that come and go."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyroaring import BitMap

from broker_sim.engines import Engine, create_engine
from broker_sim.engines.documents import parse, publications
from broker_sim.errors import XPathError
from broker_sim.xpath import Expression, disjunction, parse_xpath
from tests.engines.conftest import ENGINES, PATTERN_ENGINES
from tests.strategies.documents import documents
from tests.strategies.expressions import Spelling, linear_paths, raw_texts, tree_patterns

NAMES = ("a", "b", "c", "p:a")
RIVALS = [name for name in PATTERN_ENGINES if name != "lxml"]

disjunctions = st.sets(linear_paths(NAMES) | tree_patterns(NAMES), min_size=2, max_size=3).map(disjunction)
patterns = st.one_of(tree_patterns(NAMES), tree_patterns(NAMES), linear_paths(NAMES), disjunctions)
some_documents = st.lists(documents(max_depth=5), min_size=4, max_size=4)


def engine_with(name: str, expressions: dict[int, Expression], **options: object) -> Engine:
    engine = create_engine(name, **options)
    for id, expression in expressions.items():
        engine.add(id, expression)
    return engine


def numbered(expressions: list[Expression]) -> dict[int, Expression]:
    return dict(enumerate(expressions))


def assert_all_agree(texts: list[bytes], expressions: dict[int, Expression]) -> None:
    referee = engine_with("lxml", expressions)
    answers = [referee.match(text) for text in texts]
    for name in RIVALS:
        engine = engine_with(name, expressions)
        assert [engine.match(text) for text in texts] == answers, name


@pytest.mark.parametrize("name", [name for name in ENGINES if name != "lxml"])
@given(some_documents, st.lists(linear_paths(NAMES), min_size=25, max_size=25))
def test_linear_paths(name: str, texts: list[bytes], paths: list[Expression]) -> None:
    engine, referee = (engine_with(each, numbered(paths)) for each in (name, "lxml"))
    for text in texts:
        assert engine.match(text) == referee.match(text)


@given(some_documents, st.lists(patterns, min_size=25, max_size=25))
def test_tree_patterns(texts: list[bytes], expressions: list[Expression]) -> None:
    assert_all_agree(texts, numbered(expressions))


@given(some_documents, st.lists(raw_texts(), min_size=8, max_size=8))
def test_the_whole_language(texts: list[bytes], spellings: list[Spelling]) -> None:
    assert_all_agree(texts, numbered(list(_readable(spellings))))


@pytest.mark.parametrize("name", ENGINES)
@given(documents(max_depth=5), st.lists(linear_paths(NAMES), min_size=1, max_size=20))
def test_a_document_matches_where_a_publication_does(name: str, text: bytes, paths: list[Expression]) -> None:
    engine = engine_with(name, numbered(paths))
    found = [engine.match_path(names) for names in publications(parse(text))]
    assert BitMap.union(*found) == engine.match(text)


@pytest.mark.parametrize("name", RIVALS)
@given(st.lists(st.sampled_from(NAMES), min_size=1, max_size=6), st.lists(patterns, min_size=1, max_size=20))
def test_publications_of_patterns(name: str, names: list[str], expressions: list[Expression]) -> None:
    engine, referee = (engine_with(each, numbered(expressions)) for each in (name, "lxml"))
    assert engine.match_path(names) == referee.match_path(names)


CHOICES: list[tuple[str, dict[str, object]]] = [
    ("yfilter", {}),
    ("chunked", {}),
    ("chunked", {"chunks": 1, "inner": "lazy-dfa"}),
    ("lazy-dfa", {}),
    ("lazy-dfa", {"max_states": 1}),
    ("lazy-dfa", {"max_states": 6}),
    ("lazy-dfa", {"max_bytes": 1}),
    ("lazy-dfa", {"max_bytes": 6_000}),
]


@given(st.sampled_from(CHOICES), st.data())
def test_changes_in_any_order_equal_a_fresh_engine(choice: tuple[str, dict[str, object]], data: st.DataObject) -> None:
    name, chosen = choice
    engine = create_engine(name, **chosen)
    held: dict[int, Expression] = {}
    texts = data.draw(some_documents)
    for _ in range(data.draw(st.integers(1, 15))):
        if held and data.draw(st.booleans()):
            gone = data.draw(st.sampled_from(sorted(held)))
            engine.remove(gone)
            del held[gone]
        else:
            id = data.draw(st.integers(0, 30).filter(lambda number: number not in held))
            held[id] = data.draw(patterns)
            engine.add(id, held[id])
        text = data.draw(st.sampled_from(texts))
        assert engine.match(text) == engine_with("lxml", held).match(text)
    fresh = engine_with("lxml", held)
    assert [engine.match(text) for text in texts] == [fresh.match(text) for text in texts]
    assert (len(engine), [id in engine for id in range(31)]) == (len(held), [id in held for id in range(31)])


@given(some_documents, st.lists(patterns, min_size=1, max_size=25), st.integers(1, 5))
def test_bounds_change_no_answer(texts: list[bytes], expressions: list[Expression], bound: int) -> None:
    free = engine_with("lazy-dfa", numbered(expressions))
    for chosen in ({"max_states": bound}, {"max_bytes": bound * 1_000}):
        bounded = engine_with("lazy-dfa", numbered(expressions), **chosen)
        for text in texts + texts:
            assert bounded.match(text) == free.match(text)


def _readable(spellings: list[Spelling]) -> Iterator[Expression]:
    for spelling in spellings:
        try:
            yield parse_xpath(spelling.text)
        except XPathError:
            continue
