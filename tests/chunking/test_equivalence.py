"""The promise of chunking: on every valid document the same answers as lxml on the whole of it."""

from __future__ import annotations

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from broker_sim.chunking.element_graph import ElementGraph
from broker_sim.chunking.preparation import Preparation
from broker_sim.chunking.transformation import Transformation
from broker_sim.engines.chunked import Chunked
from broker_sim.xpath import Expression, disjunction
from dtd_ads import Schema
from tests.chunking.strategies import expressions, questions, schemas, valid_documents

INNER = ("lxml", "lazy-dfa")
numbers_of_paths = st.sampled_from((1, 4, 64))


def selected(root: etree._Element, expression: Expression) -> list[bytes]:
    found = root.xpath(" | ".join(map(str, expression.disjuncts)))
    return [etree.tostring(element, with_tail=False) for element in found]


@given(st.data(), schemas(), st.lists(expressions, max_size=5), numbers_of_paths, st.integers(0, 2**32))
def test_rewritten_paths_select_the_same_elements(
    data: st.DataObject, schema: Schema, more: list[Expression], max_paths: int, seed: int
) -> None:
    transformation = Transformation(ElementGraph(schema), max_paths)
    texts = data.draw(valid_documents(schema))
    asked = [*more, *(one for text in texts for one in questions(text, Random(seed), 10))]
    rewritten = [{one.path for one in transformation.rewrite(expression)} for expression in asked]
    for text in texts:
        root = etree.fromstring(text)
        for expression, found in zip(asked, rewritten, strict=True):
            expected = selected(root, expression)
            assert (selected(root, disjunction(found)) if found else []) == expected, str(expression)


@given(
    st.data(),
    st.none() | schemas(),
    st.integers(1, 6),
    st.sampled_from(INNER),
    numbers_of_paths,
    st.integers(0, 2**32),
)
def test_chunks_give_the_answers_of_the_document(
    data: st.DataObject, schema: Schema | None, chunks: int, inner: str, max_paths: int, seed: int
) -> None:
    texts = data.draw(valid_documents(schema or data.draw(schemas())))
    asked = [one for text in texts for one in questions(text, Random(seed), 15)]
    engine = Chunked(schema, chunks, inner)
    engine.preparation = Preparation(schema, max_paths)
    for id, expression in enumerate(asked):
        engine.add(id, expression)
    for text in texts:
        root = etree.fromstring(text)
        expected = {id: Counter(selected(root, expression)) for id, expression in enumerate(asked)}
        found: dict[int, Counter[bytes]] = {id: Counter() for id in expected}
        for answer in engine.answers(text, fragments=True):
            for id in answer.ids:
                found[id].update(answer.fragments[id])
        wrong = {str(asked[id]): (expected[id], found[id]) for id in expected if found[id] != expected[id]}
        assert not wrong, (wrong, text)
        assert list(engine.match(text)) == [id for id in expected if expected[id]]
