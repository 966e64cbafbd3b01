"""Every approach, optimisation and sharing against naive evaluation with lxml."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from broker_sim.delivery import Delivery
from dtd_ads import Schema, load_schema
from tests.delivery.choices import CHOICES, WITHOUT_DTD, delivery, parsed
from tests.delivery.referee import canonical, evaluate
from tests.strategies.documents import documents
from tests.strategies.flwr import Flwr, Tag, graph_documents, graphs, queries


def answers(held: dict[int, Flwr], document: bytes) -> dict[int, bytes]:
    found = {id: evaluate(query, document) for id, query in held.items()}
    return {id: result for id, result in found.items() if result is not None}


def delivered(made: Delivery, document: bytes) -> dict[int, bytes]:
    return {id: canonical(message) for id, message in made.deliver(document).items()}


@given(graphs(), st.data())
def test_all_choices_equal_the_referee(schema: Schema, data: st.DataObject) -> None:
    held = dict(enumerate(data.draw(st.lists(queries(schema), min_size=1, max_size=8))))
    texts = data.draw(st.lists(graph_documents(schema), min_size=1, max_size=3))
    expected = [answers(held, text) for text in texts]
    for choice in CHOICES:
        made = delivery(choice, schema, held)
        assert [delivered(made, text) for text in texts] == expected, choice


@given(st.lists(documents(max_depth=5, namespaces=False), min_size=1, max_size=3), st.data())
def test_documents_without_dtd(texts: list[bytes], data: st.DataObject) -> None:
    held = dict(enumerate(data.draw(st.lists(queries(), min_size=1, max_size=8))))
    expected = [answers(held, text) for text in texts]
    for choice in WITHOUT_DTD:
        made = delivery(choice, None, held)
        assert [delivered(made, text) for text in texts] == expected, choice


@given(st.sampled_from(CHOICES), graphs(), st.data())
def test_queries_come_and_go(choice: tuple[str, str, bool], schema: Schema, data: st.DataObject) -> None:
    made = delivery(choice, schema, {})
    held: dict[int, Flwr] = {}
    pool = data.draw(st.lists(queries(schema), min_size=1, max_size=4))
    texts = data.draw(st.lists(graph_documents(schema), min_size=2, max_size=2))
    for _ in range(data.draw(st.integers(1, 12))):
        if held and data.draw(st.booleans()):
            gone = data.draw(st.sampled_from(sorted(held)))
            made.remove(gone)
            del held[gone]
        else:
            id = data.draw(st.integers(0, 20).filter(lambda number: number not in held))
            held[id] = data.draw(st.sampled_from(pool))
            made.add(id, parsed(held[id]))
        text = data.draw(st.sampled_from(texts))
        assert delivered(made, text) == answers(held, text)
    fresh = delivery(choice, schema, held)
    assert (made.plans, made.paths, made.operators()) == (fresh.plans, fresh.paths, fresh.operators())
    for id in held:
        made.remove(id)
    assert (len(made), made.plans, made.paths, made.operators().total()) == (0, 0, 0, 0)


@given(documents(max_depth=5, namespaces=False), queries())
def test_a_result_is_there_exactly_when_the_subscription_matches(text: bytes, query: Flwr) -> None:
    expression = parsed(query)
    tree = etree.fromstring(text).getroottree()
    assert tree.xpath(f"boolean({expression.subscription})") is (evaluate(query, text) is not None)
    bound = tree.xpath(query.binding)
    assert set(tree.xpath(str(expression.binding_path))) <= set(bound)


BOOK = b"""<book><title>Data</title><author>A</author>
 <section id="i1" difficulty="3"><title>One</title>
  <section id="i2"><title>Two</title>
   <figure width="1" height="2"><title>XML processing</title><image source="x"/></figure>
   <section><title>Three</title><p>text<!--note--></p></section></section>
  <figure width="5" height="6"><title>XML processing</title><image source="y"/></figure></section>
 <section id="i4" difficulty="1"><title>Four</title><p>one</p><p>two</p></section></book>"""

TITLE_AND_FIGURES = Tag("section", (), ("/title", "//figure"))
HAND_WRITTEN = [
    Flwr("sections", "//section", ('//figure/title = "XML processing"',), TITLE_AND_FIGURES),
    Flwr("figures", '//section[@id = "i1"]//figure', ('/title = "XML processing"',), Tag("f", (), ("/image",))),
    Flwr(
        "sections",
        "//section",
        ('/title = "One"', '/figure/title = "XML processing"'),
        Tag("section", (), ("//section//title", "/figure")),
    ),
    Flwr("empty", "//section//p", (), Tag("p", (), ("/nothing", Tag("b", (), ("",))))),
    Flwr("none", "//section[@difficulty > 2]", ("/p",), Tag("s", (), ())),
    Flwr("all", "/book", ("//section//section//title != 'x'",), Tag("t", (), ("//title", "//section//title"))),
]


@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_hand_written_queries_on_nested_sections(choice: tuple[str, str, bool]) -> None:
    held = dict(enumerate(HAND_WRITTEN))
    made = delivery(choice, load_schema("book"), held)
    assert delivered(made, BOOK) == answers(held, BOOK)
    assert made.deliver(BOOK)[1] == ('<figures><f><image source="x"/></f><f><image source="y"/></f></figures>')
    assert 4 not in made.deliver(BOOK)
    assert made.deliver(BOOK)[3].startswith("<empty><p><b><p>text<!--note--></p></b></p><p><b><p>one</p></b></p>")


@settings(max_examples=20)
@given(st.data())
def test_many_queries_over_recursive_books(data: st.DataObject) -> None:
    schema = load_schema("book")
    held = dict(enumerate(data.draw(st.lists(queries(schema), min_size=5, max_size=15))))
    text = data.draw(graph_documents(schema))
    expected = answers(held, text)
    for choice in CHOICES:
        assert delivered(delivery(choice, schema, held), text) == expected, choice
