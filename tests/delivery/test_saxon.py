"""A sample against a real XQuery processor: the text of each query runs in Saxon unchanged but for its document.

XQuery compares untyped values with a number as numbers, and stops at a text that is none; XPath 1.0, whose comparisons
we keep, goes on. The sample stays where both agree.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from saxonche import PySaxonProcessor

from broker_sim.delivery import Delivery, parse_query
from broker_sim.workload import DocumentParameters, FlwrParameters, generate_documents, generate_flwr
from dtd_ads import load_schema
from tests.delivery.choices import CHOICES, delivery
from tests.delivery.referee import canonical

LIBRARY = """<lib xmlns:p="urn:p"><p:shelf n="1"><book y="1999"><t>A &amp; B</t><a>x</a><a>y</a></book>
<!-- gap --><book y="2003"><t>C</t><note>see <i>this</i>, <i>that</i></note></book></p:shelf>
<shelf><shelf n="2"><book y="2001"><t>D</t><a>x</a></book><shelf><book y="7"><t>D</t></book></shelf></shelf></shelf>
</lib>"""

QUERIES = [
    '<out>{ for $s in document("d")//shelf return <s>{ $s/book/t }{ $s//t }</s> }</out>',
    '<out>{ for $s in document("d")//shelf//book where $s/a = "x" return <b k="1">{ $s/a }<n>{ $s }</n></b> }</out>',
    '<out>{ for $b in document("d")//book[@y > 2000] where $b/t != "D" return <b>no: { $b/t } { $b/note }!</b> }</out>',
    '<out>{ for $b in document("d")//book where $b/@y < 2002 and $b/t = "D" return $b/a }</out>',
    '<out>{ for $b in document("d")//shelf[@n = 2]//shelf where $b//t return <b/> }</out>',
    '<out>{ for $l in document("d")/lib where $l//*/note/i = "that" return <i>{ $l//i }{ $l//shelf//book }</i> }</out>',
    '<out>{ for $n in document("d")//note return <n>{ $n/i } and { $n//i }</n> }</out>',
]


@pytest.fixture(scope="module")
def saxon() -> Iterator[PySaxonProcessor]:
    with PySaxonProcessor(license=False) as processor:
        yield processor


def evaluate(saxon: PySaxonProcessor, query: str, document: str) -> bytes:
    processor = saxon.new_xquery_processor()
    processor.set_query_content(query.replace('document("d")', ".").replace('document("doc.xml")', "."))
    processor.set_context(xdm_item=saxon.parse_xml(xml_text=document))
    return canonical(processor.run_query_to_string())


@pytest.mark.parametrize("query", QUERIES)
def test_hand_written_queries(saxon: PySaxonProcessor, query: str) -> None:
    made = Delivery()
    made.add(1, parse_query(query))
    found = made.deliver(LIBRARY.encode()).get(1, "<out/>")
    assert canonical(found) == evaluate(saxon, query, LIBRARY)


@pytest.mark.parametrize(("dtd", "depth", "predicates"), [("bib", 2, 1), ("bib", 2, 2), ("book", 3, 1), ("book", 3, 2)])
def test_generated_workloads(saxon: PySaxonProcessor, dtd: str, depth: int, predicates: int) -> None:
    schema = load_schema(dtd)
    parameters = FlwrParameters(
        40, depth=depth, predicates=predicates, descendant=0.4, binding_predicates=0.2, max_value=3
    )
    queries = dict(enumerate(generate_flwr(schema, parameters, seed=5)))
    made = [delivery(choice, schema, {}) for choice in CHOICES]
    for id, query in queries.items():
        for one in made:
            one.add(id, query)
    results = 0
    for text in generate_documents(schema, DocumentParameters(2, max_levels=6, max_repeats=5, max_value=3), seed=6):
        answers = {id: evaluate(saxon, str(query), text.decode()) for id, query in queries.items()}
        expected = {id: answer for id, answer in answers.items() if answer != b"<results></results>"}
        results += len(expected)
        for one in made:
            assert {id: canonical(message) for id, message in one.deliver(text).items()} == expected
    assert results > 20
