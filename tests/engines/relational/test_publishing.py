"""The rows of a document, by hand and against the definition of its labels."""

from __future__ import annotations

from hypothesis import given, settings
from lxml import etree

from broker_sim.engines.relational.publishing import Publication
from broker_sim.engines.relational.tables import XML_DESCENT, XML_FRAME, XML_VALUE, Row
from tests.strategies.documents import documents


def rows(text: bytes, asked: set[str]) -> dict[str, set[Row]]:
    publication = Publication(asked)
    publication.add(7, etree.fromstring(text))
    tables = {table.name: found.to_pydict() for table, found in publication.tables()}
    return {name: set(zip(*columns.values(), strict=True)) for name, columns in tables.items()}


def test_labels_and_values() -> None:
    found = rows(b"<a><b x='1'>u</b>v</a>", {"@x", "b", "text()"})
    assert found[XML_FRAME.name] == {
        (7, "/", 1, 12, 0, None),
        (7, "a", 2, 11, 1, 1),
        (7, "*", 2, 11, 1, 1),
        (7, "text()", 3, 4, 2, None),
        (7, "b", 5, 10, 2, 2),
        (7, "*", 5, 10, 2, 2),
        (7, "@x", 6, 7, 3, None),
        (7, "@*", 6, 7, 3, None),
        (7, "text()", 8, 9, 3, None),
    }
    assert {row[:4] for row in found[XML_VALUE.name]} == {
        (7, "text()", 3, "v"),
        (7, "b", 5, "u"),
        (7, "@x", 6, "1"),
        (7, "text()", 8, "u"),
    }


@settings(max_examples=30)
@given(documents(max_depth=4))
def test_pairs_are_those_whose_ranges_contain_each_other(text: bytes) -> None:
    found = rows(text, set())
    ranges = {row[2]: row[3] for row in found[XML_FRAME.name]}
    inside = {(7, high, low) for high in ranges for low in ranges if high < low and ranges[high] > ranges[low]}
    assert found[XML_DESCENT.name] == inside
    assert found[XML_VALUE.name] == set()
