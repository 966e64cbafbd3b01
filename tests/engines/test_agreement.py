"""Every engine against lxml, on random documents and expressions, with subscriptions that come and go.

Each example asks all its expressions of all its documents, and all engines at once: drawing is what takes the time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path as File
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from pyroaring import BitMap

from broker_sim.engines import Engine, create_engine
from broker_sim.engines.documents import parse, publications
from broker_sim.engines.engine import loading, match_all
from broker_sim.errors import XPathError
from broker_sim.workload import DocumentParameters, XPathParameters, generate_documents, generate_xpaths
from broker_sim.xpath import Expression, disjunction, parse_xpath
from dtd_ads import load_schema
from tests.engines.conftest import DATABASE_ENGINES, ENGINES, PATTERN_ENGINES
from tests.strategies.documents import documents, schema_documents
from tests.strategies.expressions import Spelling, linear_paths, raw_texts, tree_patterns

NAMES = ("a", "b", "c", "p:a")
DOCUMENTS, EXPRESSIONS = 8, 14
WALKS = {"distinct": False, "max_length": 5, "wildcard": 0.2, "descendant": 0.2, "stop": 0.2, "max_value": 4}
HALF = settings(max_examples=settings().max_examples // 2)

disjunctions = st.sets(linear_paths(NAMES) | tree_patterns(NAMES), min_size=2, max_size=3).map(disjunction)
patterns = st.one_of(tree_patterns(NAMES), tree_patterns(NAMES), linear_paths(NAMES), disjunctions)
any_documents = st.one_of(documents(max_depth=5), schema_documents(max_depth=5))
many_documents = st.lists(any_documents, min_size=DOCUMENTS, max_size=DOCUMENTS)
some_documents = st.lists(any_documents, min_size=3, max_size=3)


def many(expressions: st.SearchStrategy[Expression]) -> st.SearchStrategy[list[Expression]]:
    return st.lists(expressions, min_size=EXPRESSIONS, max_size=EXPRESSIONS)


def engine_with(name: str, expressions: dict[int, Expression], **options: object) -> Engine:
    engine = create_engine(name, **options)
    for id, expression in expressions.items():
        engine.add(id, expression)
    return engine


def numbered(expressions: Sequence[Expression]) -> dict[int, Expression]:
    return dict(enumerate(expressions))


def assert_all_agree(names: Sequence[str], texts: list[bytes], expressions: Sequence[Expression]) -> None:
    engines = {name: engine_with(name, numbered(expressions)) for name in names}
    for text in texts:
        expected = engines["lxml"].match(text)
        for name, engine in engines.items():
            wrong = [(str(expressions[id]), id in expected) for id in engine.match(text) ^ expected]
            assert not wrong, f"{name}: {text!r}, {wrong}"


def test_every_run_sees_ten_thousand_pairs() -> None:
    assert settings().max_examples * DOCUMENTS * EXPRESSIONS >= 10_000


@HALF
@given(many_documents, many(linear_paths(NAMES)))
def test_linear_paths(texts: list[bytes], paths: list[Expression]) -> None:
    assert_all_agree(ENGINES, texts, paths)


@HALF
@given(many_documents, many(patterns))
def test_tree_patterns(texts: list[bytes], expressions: list[Expression]) -> None:
    assert_all_agree(PATTERN_ENGINES, texts, expressions)


@st.composite
def random_dtds(draw: st.DrawFn) -> str:
    """Four elements, any of which may stand inside any, optionally; two attributes each."""
    text = ""
    for name in "abcd":
        inside = draw(st.lists(st.sampled_from("abcd"), unique=True, max_size=3))
        parts = [part + draw(st.sampled_from("?*")) for part in inside]
        models = [f"(#PCDATA|{'|'.join(inside)})*", f"({','.join(parts)})", f"({'|'.join(parts)})*"]
        model = draw(st.sampled_from(models)) if inside else "(#PCDATA)"
        text += f"<!ELEMENT {name} {model}>\n<!ATTLIST {name} x CDATA #IMPLIED y (one|two|5) #IMPLIED>\n"
    return text


@given(random_dtds(), st.integers(0, 10**6), st.lists(tree_patterns(("a", "b", "c", "d")), max_size=4))
def test_valid_documents_of_a_random_dtd(dtd: str, seed: int, drawn: list[Expression]) -> None:
    with TemporaryDirectory() as folder:
        file = File(folder) / "random.dtd"
        file.write_text(dtd)
        schema = load_schema(file, root="a")
        validator = etree.DTD(file)
    wanted = DocumentParameters(number=DOCUMENTS, max_levels=5, max_value=4)
    texts = list(generate_documents(schema, wanted, seed))
    assert all(validator.validate(etree.fromstring(text)) for text in texts)
    linear = list(generate_xpaths(schema, XPathParameters(number=EXPRESSIONS, **WALKS), seed))
    walks = generate_xpaths(schema, XPathParameters(number=EXPRESSIONS, predicates=1, branching=0.3, **WALKS), seed)
    assert_all_agree(ENGINES, texts, linear)
    assert_all_agree(PATTERN_ENGINES, texts, [*walks, *drawn])


@HALF
@given(some_documents, st.lists(raw_texts(), min_size=4, max_size=4))
def test_the_whole_language(texts: list[bytes], spellings: list[Spelling]) -> None:
    assert_all_agree(PATTERN_ENGINES, texts, list(_readable(spellings)))


@pytest.mark.parametrize("name", DATABASE_ENGINES)
def test_ten_thousand_pairs_of_an_engine_that_likes_batches(name: str) -> None:
    schema = load_schema("nitf")
    texts = list(generate_documents(schema, DocumentParameters(number=50, elements=40, max_value=4), 1))
    plain = XPathParameters(number=100, wildcard=0.2, descendant=0.2, stop=0.3)
    nested = XPathParameters(
        number=100, wildcard=0.2, descendant=0.2, stop=0.3, predicates=1, branching=0.2, max_value=4
    )
    expressions = [*generate_xpaths(schema, plain, 2), *generate_xpaths(schema, nested, 3)]
    assert len(texts) * len(expressions) == 10_000
    engine, referee = create_engine(name), engine_with("lxml", numbered(expressions))
    with loading(engine):
        for id, expression in enumerate(expressions):
            engine.add(id, expression)
    expected = list(map(referee.match, texts))
    assert sum(map(len, expected)) > 500
    assert list(match_all(engine, texts)) == expected


@given(documents(max_depth=5), st.lists(linear_paths(NAMES), min_size=1, max_size=10))
def test_a_document_matches_where_a_publication_does(text: bytes, paths: list[Expression]) -> None:
    for name in ENGINES:
        engine = engine_with(name, numbered(paths))
        found = [engine.match_path(names) for names in publications(parse(text))]
        assert BitMap.union(*found) == engine.match(text), name


@given(st.lists(st.sampled_from(NAMES), min_size=1, max_size=6), st.lists(patterns, min_size=1, max_size=10))
def test_publications_of_patterns(names: list[str], expressions: list[Expression]) -> None:
    found = [engine_with(name, numbered(expressions)).match_path(names) for name in PATTERN_ENGINES]
    assert found == found[:1] * len(found)


@given(documents(namespaces=False), st.lists(tree_patterns(), min_size=1, max_size=8))
def test_a_default_namespace_changes_no_answer(text: bytes, expressions: list[Expression]) -> None:
    for name in ENGINES:
        taken = [each for each in expressions if name in PATTERN_ENGINES or each.is_linear]
        engine = engine_with(name, numbered(taken))
        assert engine.match(text) == engine.match(b"<" + text[1:2] + b' xmlns="urn:d"' + text[2:]), name


CHOICES: list[tuple[str, dict[str, object]]] = [
    *((name, {}) for name in ENGINES if name != "lxml"),
    ("xfilter", {"list_balance": True}),
    ("chunked", {"chunks": 1, "inner": "lazy-dfa"}),
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
            held[id] = data.draw(patterns if name in PATTERN_ENGINES else linear_paths(NAMES))
            engine.add(id, held[id])
        text = data.draw(st.sampled_from(texts))
        assert engine.match(text) == engine_with("lxml", held).match(text)
    fresh = engine_with("lxml", held)
    assert [engine.match(text) for text in texts] == [fresh.match(text) for text in texts]
    assert (len(engine), [id in engine for id in range(31)]) == (len(held), [id in held for id in range(31)])


@given(some_documents, st.lists(patterns, min_size=1, max_size=12), st.integers(1, 5))
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
