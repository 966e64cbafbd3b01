"""Every engine agrees with lxml: random documents, random expressions, subscriptions that come and go.

Each example asks all its expressions of all its documents, so that the default profile sees over 10,000 pairs
of document and expression for each engine and property.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyroaring import BitMap

from broker_sim.engines import Engine, create_engine
from broker_sim.engines.documents import parse, publications
from broker_sim.engines.engine import loading, match_all
from broker_sim.xpath import Expression, disjunction
from tests.engines.conftest import ENGINES, PATTERN_ENGINES
from tests.strategies.documents import documents, schema_documents
from tests.strategies.expressions import linear_paths, tree_patterns

NAMES = ("a", "b", "c", "p:a")

linear = st.sets(linear_paths(NAMES), min_size=1, max_size=2).map(disjunction)
patterns = st.sets(tree_patterns(NAMES), min_size=1, max_size=2).map(disjunction)

linear_lists = st.lists(linear, min_size=20, max_size=40)
pattern_lists = st.lists(patterns, min_size=20, max_size=30)
document_lists = st.lists(st.one_of(documents(), schema_documents()), min_size=5, max_size=8)


def engine_with(name: str, expressions: Sequence[Expression], **options: object) -> Engine:
    engine = create_engine(name, **options)
    with loading(engine):
        for id, expression in enumerate(expressions):
            engine.add(id, expression)
    return engine


def check_agreement(name: str, expressions: Sequence[Expression], texts: Sequence[bytes], **options: object) -> None:
    engine, referee = engine_with(name, expressions, **options), engine_with("lxml", expressions)
    for text, found in zip(texts, match_all(engine, texts), strict=True):
        expected = referee.match(text)
        wrong = [(str(expressions[id]), id in expected) for id in found ^ expected]
        assert not wrong, f"{name}: {text!r}, {wrong}"


@pytest.mark.parametrize("name", [name for name in ENGINES if name != "lxml"])
@given(linear_lists, document_lists)
def test_linear_expressions(name: str, expressions: list[Expression], texts: list[bytes]) -> None:
    check_agreement(name, expressions, texts)


@pytest.mark.parametrize("name", [name for name in PATTERN_ENGINES if name != "lxml"])
@given(pattern_lists, document_lists)
def test_tree_patterns(name: str, expressions: list[Expression], texts: list[bytes]) -> None:
    check_agreement(name, expressions, texts)


@pytest.mark.parametrize("name", ENGINES)
@given(linear_lists, documents())
def test_a_document_matches_where_one_of_its_publications_does(
    name: str, expressions: list[Expression], text: bytes
) -> None:
    engine = engine_with(name, expressions)
    each = [engine.match_path(names) for names in publications(parse(text))]
    assert BitMap.union(*each, BitMap()) == engine.match(text)


@pytest.mark.parametrize("name", ENGINES)
@given(st.data())
def test_coming_and_going_leaves_no_trace(name: str, data: st.DataObject) -> None:
    expressions = data.draw(st.lists(patterns if name in PATTERN_ENGINES else linear, min_size=1, max_size=10))
    texts = data.draw(st.lists(documents(), min_size=1, max_size=3))
    engine = create_engine(name)
    present: set[int] = set()
    for id in data.draw(st.lists(st.integers(0, len(expressions) - 1), max_size=30)):
        if id in present:
            engine.remove(id)
        else:
            engine.add(id, expressions[id])
        present ^= {id}
        fresh = create_engine(name)
        for other in sorted(present):
            fresh.add(other, expressions[other])
        assert len(engine) == len(present)
        assert [engine.match(text) for text in texts] == [fresh.match(text) for text in texts]


@pytest.mark.parametrize("name", ENGINES)
@given(st.data())
def test_a_default_namespace_changes_no_answer(name: str, data: st.DataObject) -> None:
    kind = tree_patterns() if name in PATTERN_ENGINES else linear_paths()
    engine = engine_with(name, data.draw(st.lists(kind, min_size=1, max_size=20)))
    text = data.draw(documents(namespaces=False))
    assert engine.match(text) == engine.match(b"<" + text[1:2] + b' xmlns="urn:d"' + text[2:])
