"""Answers by tree search alone, and the documents that need them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker_sim.delivery.by_search import groups_by_search
from broker_sim.delivery.factory import MessageFactory
from broker_sim.delivery.operators import Message
from broker_sim.engines.documents import parse
from broker_sim.engines.outline import Outline
from dtd_ads import Schema
from tests.delivery.choices import CHOICES, delivery, parsed
from tests.delivery.referee import canonical, evaluate
from tests.strategies.flwr import Flwr, Tag, graph_documents, graphs, queries
from tests.workload.schemas import schema_of


@given(graphs(), st.data())
def test_it_equals_the_referee(schema: Schema, data: st.DataObject) -> None:
    text = data.draw(graph_documents(schema))
    outline = Outline(parse(text))
    message, factory = Message(outline, {}), MessageFactory(outline)
    for query in data.draw(st.lists(queries(schema), min_size=1, max_size=5)):
        groups = groups_by_search(parsed(query), message)
        found = None if groups is None else canonical(factory.message(parsed(query), groups))
        assert found == evaluate(query, text)


@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_documents_with_more_tuples_than_memory_holds(choice: tuple[str, str, bool]) -> None:
    """A chain of 200 elements matches `//a` eight times over in about 10^13 ways."""
    text = b"<a>" * 200 + b"<b>1</b>" + b"</a>" * 200
    held = {
        1: Flwr("r", "//a" * 8, ("//b = 1",), Tag("s", (), ("/b",))),
        2: Flwr("r", "/a", (), Tag("s", (), ("//a" * 6 + "/b",))),
        3: Flwr("r", "//a" * 8, ("/c",), Tag("s", (), ())),
    }
    made = delivery(choice, schema_of("<!ELEMENT a (a|b)*><!ELEMENT b (#PCDATA)>", "a"), held)
    found = made.deliver(text)
    assert {id: canonical(message) for id, message in found.items()} == {id: evaluate(held[id], text) for id in (1, 2)}
