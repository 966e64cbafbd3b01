"""Every path of every valid document is advertised: random DTDs and the catalogue, in all forms."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from lxml import etree

from broker_sim.errors import ConfigurationError
from broker_sim.workload import DocumentParameters, generate_documents
from dtd_ads import Schema, catalog_names, compile_advertisements, load_schema
from dtd_ads.automaton import automaton_of
from dtd_ads.loading import CATALOG
from tests.strategies.schemas import Model, dtds, text_of
from tests.workload.test_documents import valid_but_for_determinism

FORMS = ("paths", "automaton", "auto")


def leaf_paths(root: etree._Element) -> Iterator[tuple[str, ...]]:
    for element in root.iter():
        if len(element) == 0:
            yield tuple(ancestor.tag for ancestor in reversed([element, *element.iterancestors()]))


def assert_all_advertised(schema: Schema, dtd: etree.DTD, documents: list[bytes]) -> None:
    roots = list(map(etree.fromstring, documents))
    assert all(valid_but_for_determinism(dtd, root) for root in roots)
    paths = {names for root in roots for names in leaf_paths(root)}
    for form in FORMS:
        automaton = automaton_of(compile_advertisements(schema, form, limit=10**6))
        assert [names for names in paths if not automaton.accepts(names)] == []


@given(dtds, st.integers(0, 999))
def test_random_dtds(declared: dict[str, Model], seed: int) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder, "random.dtd")
        file.write_text(text_of(declared))
        schema, dtd = load_schema(file, "a"), etree.DTD(str(file))
    try:
        documents = list(generate_documents(schema, DocumentParameters(5, max_levels=8), seed))
    except ConfigurationError:
        assume(False)
    assert_all_advertised(schema, dtd, documents)


@pytest.mark.parametrize("name", catalog_names())
def test_the_catalogue(name: str) -> None:
    schema = load_schema(name)
    documents = list(generate_documents(schema, DocumentParameters(10), 4))
    assert_all_advertised(schema, etree.DTD(str(CATALOG / f"{name}.dtd")), documents)
