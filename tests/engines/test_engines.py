"""Every engine: the table of cases, and what the protocol promises."""

from __future__ import annotations

import pytest
from lxml import etree

from broker_sim.engines import ENGINES as NAMES
from broker_sim.engines import create_engine
from broker_sim.errors import ConfigurationError, DocumentError, XPathError
from broker_sim.xpath import parse_xpath
from tests.engines.cases import LINEAR, PATTERNS, Case
from tests.engines.conftest import DATABASE_ENGINES, ENGINES, LINEAR_ENGINES, PATTERN_ENGINES

ALL_ENGINES = (*ENGINES, *DATABASE_ENGINES)


@pytest.mark.parametrize("case", LINEAR + PATTERNS, ids=str)
def test_cases_are_right(case: Case) -> None:
    root = etree.fromstring(case.document.encode())
    assert root.xpath(f"boolean({case.xpath})") is case.expected


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("case", LINEAR, ids=str)
def test_linear_cases(name: str, case: Case) -> None:
    engine = create_engine(name)
    engine.add(3, case.expression)
    assert list(engine.match(case.document.encode())) == [3] * case.expected


@pytest.mark.parametrize("name", PATTERN_ENGINES)
@pytest.mark.parametrize("case", PATTERNS, ids=str)
def test_pattern_cases(name: str, case: Case) -> None:
    engine = create_engine(name)
    engine.add(3, case.expression)
    assert list(engine.match(case.document.encode())) == [3] * case.expected


@pytest.mark.parametrize("name", ALL_ENGINES)
def test_all_cases_at_once(name: str) -> None:
    cases = LINEAR if name in LINEAR_ENGINES else LINEAR + PATTERNS
    engine = create_engine(name)
    for id, case in enumerate(cases):
        engine.add(id, case.expression)
    for document in {case.document for case in cases}:
        found = engine.match(document.encode())
        here = [(id, case) for id, case in enumerate(cases) if case.document == document]
        assert [id in found for id, _ in here] == [case.expected for _, case in here]


@pytest.mark.parametrize("name", LINEAR_ENGINES)
def test_linear_engines_refuse_the_rest(name: str) -> None:
    engine = create_engine(name)
    with pytest.raises(XPathError, match="only /"):
        engine.add(1, parse_xpath("/a[b]/c"))
    assert len(engine) == 0
    assert 1 not in engine


@pytest.mark.parametrize("name", ALL_ENGINES)
def test_publications(name: str) -> None:
    engine = create_engine(name)
    for id, text in enumerate(("/a/b", "b//c", "/*/p:x", "/a/b/c/d", "b")):
        engine.add(id, parse_xpath(text))
    assert list(engine.match_path(("a", "b", "e", "c"))) == [0, 1, 4]
    assert list(engine.match_path(["a", "p:x"])) == [2]
    assert list(engine.match_path(("c",))) == []
    with pytest.raises(ValueError, match="at least one name"):
        engine.match_path(())


@pytest.mark.parametrize("name", ALL_ENGINES)
def test_ids(name: str) -> None:
    engine = create_engine(name)
    engine.add(0, parse_xpath("/a"))
    engine.add(2**32 - 1, parse_xpath("/a"))
    assert (len(engine), 0 in engine, 1 in engine, "0" in engine) == (2, True, False, False)
    assert list(engine.match(b"<a/>")) == [0, 2**32 - 1]
    with pytest.raises(ValueError, match="0 is taken"):
        engine.add(0, parse_xpath("/b"))
    for wrong in (-1, 2**32):
        with pytest.raises(ValueError, match="not between"):
            engine.add(wrong, parse_xpath("/a"))
    with pytest.raises(KeyError, match="no subscription has id 5"):
        engine.remove(5)
    assert list(engine.match(b"<b/>")) == []
    engine.remove(0)
    with pytest.raises(KeyError):
        engine.remove(0)
    engine.add(0, parse_xpath("/b"))
    assert list(engine.match(b"<a/>")) == [2**32 - 1]
    assert list(engine.match(b"<b/>")) == [0]


@pytest.mark.parametrize("name", ALL_ENGINES)
def test_answers_belong_to_the_caller(name: str) -> None:
    engine = create_engine(name)
    engine.add(1, parse_xpath("/a"))
    engine.add(2, parse_xpath("a"))
    for ask in (lambda: engine.match(b"<a/>"), lambda: engine.match_path(("a",))):
        ask().clear()
        assert list(ask()) == [1, 2]


@pytest.mark.parametrize("name", ALL_ENGINES)
def test_bad_document_leaves_the_engine_usable(name: str) -> None:
    engine = create_engine(name)
    assert list(engine.match(b"<a/>")) == []
    engine.add(1, parse_xpath("/a/b"))
    with pytest.raises(DocumentError, match="document:1:"):
        engine.match(b"<a><b/>")
    assert list(engine.match(b"<a><b/></a>")) == [1]


def test_unknown_names_and_options() -> None:
    with pytest.raises(ConfigurationError, match="unknown engine 'grep'; expected one of lxml, scan"):
        create_engine("grep")
    with pytest.raises(ConfigurationError, match="unknown option speed of engine 'scan'; it takes none"):
        create_engine("scan", speed=9)
    assert set(ALL_ENGINES) <= set(NAMES)
