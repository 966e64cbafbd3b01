"""The engine beyond the common table: schemes that follow, documents of every kind, executors, order of answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import etree

from broker_sim.chunking.execution import Executor, Pool, Sequential
from broker_sim.chunking.scenarios import EJB, UNIVERSITY, Scenario, scenario_document, scenario_queries
from broker_sim.engines import create_engine
from broker_sim.engines.chunked import Chunked
from broker_sim.errors import ConfigurationError, DocumentError, XPathError
from broker_sim.xpath import parse_xpath

DOCUMENT = b"<a><b><c>1</c></b><d><e>2</e></d><f/></a>"
TEXTS = ("/a/b/c", "/a/d/e", "/a/d[e=2]", "//f", "/a/b[../f]/c", "/a/x")


def chunked(texts: tuple[str, ...] = TEXTS, **options: object) -> Chunked:
    engine = create_engine("chunked", **options)
    assert isinstance(engine, Chunked)
    for id, text in enumerate(texts):
        engine.add(id, parse_xpath(text))
    return engine


def prefixes(engine: Chunked) -> list[str]:
    return [chunk.name for chunk in engine.scheme.chunks]


def test_the_scheme_follows_the_subscriptions() -> None:
    engine = chunked(("/a/b/c", "/a/b/x"), chunks=1)
    assert prefixes(engine) == ["/a/b"]
    for id in (2, 3, 4):
        engine.add(id, parse_xpath("/a/d/e"))
    assert prefixes(engine) == ["/a/d/e"]
    assert list(engine.match(DOCUMENT)) == [0, 2, 3, 4]
    for id in (2, 3, 4):
        engine.remove(id)
    assert prefixes(engine) == ["/a/b"]


def test_every_kind_of_document(tmp_path: Path) -> None:
    file = tmp_path / "a.xml"
    file.write_bytes(DOCUMENT)
    own = b'<!DOCTYPE a [<!ENTITY e "<e>2</e>">]>' + DOCUMENT.replace(b"<e>2</e>", b"&e;")
    engine = chunked()
    for document in (DOCUMENT, file, str(file), etree.fromstring(DOCUMENT), own):
        assert list(engine.match(document)) == [0, 1, 2, 3, 4]
    with pytest.raises(DocumentError, match="cannot be read: No such file"):
        engine.match(tmp_path / "b.xml")


def test_a_schema_binds_documents_of_every_kind() -> None:
    engine = chunked(("/db/student",), schema="university")
    own = b"<!DOCTYPE db [<!ELEMENT db ANY>]><db><name/></db>"
    for document in (b"<db><name/></db>", etree.fromstring(b"<db><name/></db>"), own):
        with pytest.raises(DocumentError, match="name stands inside db"):
            engine.match(document)


def test_a_chunk_may_be_too_large() -> None:
    engine = chunked(("/a/b/c",), max_bytes=20)
    with pytest.raises(DocumentError, match="larger than 20 bytes"):
        engine.match(DOCUMENT)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"chunks": -1}, "chunks is -1"),
        ({"chunks": "many"}, "chunks is 'many'; expected a number or 'auto'"),
        ({"inner": "chunked"}, "the inner engine is 'chunked' itself"),
        ({"inner": "grep"}, "unknown engine 'grep'"),
    ],
)
def test_wrong_options(options: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        create_engine("chunked", **options)


def test_the_inner_engine_may_refuse() -> None:
    engine = chunked((), inner="scan")
    with pytest.raises(XPathError, match="only /"):
        engine.add(1, parse_xpath("/a[b]/c"))
    assert 1 not in engine
    engine.add(1, parse_xpath("/a/b/c"))
    assert list(engine.match(DOCUMENT)) == [1]


def test_priorities_decide_the_order() -> None:
    for first in ("/a/b/c", "/a/d", "potpourri"):
        engine = chunked(chunks=2, priorities={first: 1})
        names = [*prefixes(engine), "potpourri"]
        assert set(names) == {"/a/b/c", "/a/d", "potpourri"}
        assert names[next(engine.answers(DOCUMENT)).chunk] == first


def test_fragments() -> None:
    engine = chunked(("//e", "/a/*", "/a/d/e or //c"), chunks=3)
    found: dict[int, list[bytes]] = {}
    for answer in engine.answers(DOCUMENT, fragments=True):
        for id, fragments in answer.fragments.items():
            found.setdefault(id, []).extend(fragments)
    assert {id: sorted(fragments) for id, fragments in found.items()} == {
        0: [b"<e>2</e>"],
        1: [b"<b><c>1</c></b>", b"<d><e>2</e></d>", b"<f/>"],
        2: [b"<c>1</c>", b"<e>2</e>"],
    }


@pytest.fixture(scope="module")
def pool() -> Iterator[Executor]:
    executor = Pool(2)
    yield executor
    executor.close()


@pytest.mark.parametrize("scenario", [UNIVERSITY, EJB], ids=lambda scenario: scenario.name)
@pytest.mark.parametrize("chunks", [0, 2, 3, 5, 6])
def test_scenarios_agree_with_lxml(scenario: Scenario, chunks: int, pool: Executor) -> None:
    text = scenario_document(scenario, seed=1, scale=0.01 if scenario is UNIVERSITY else 0.2)
    queries = scenario_queries(scenario, 60, seed=1)
    referee = create_engine("lxml")
    engines = [
        create_engine("chunked", schema=scenario.schema, chunks=chunks, inner=inner, executor=executor)
        for inner, executor in (("lxml", Sequential()), ("lazy-dfa", Sequential()), ("lxml", pool))
    ]
    for id, query in enumerate(queries):
        for engine in (referee, *engines):
            engine.add(id, query)
    expected = referee.match(text)
    assert [engine.match(text) for engine in engines] == [expected] * 3


@pytest.mark.parametrize("scenario", [UNIVERSITY, EJB], ids=lambda scenario: scenario.name)
def test_scenarios_are_valid_and_keep_their_shares(scenario: Scenario) -> None:
    text = scenario_document(scenario, seed=2, scale=0.01 if scenario is UNIVERSITY else 0.2)
    queries = list(map(str, scenario_queries(scenario, 200, seed=2)))
    assert (sum("//" in query.replace(".//", "") for query in queries), sum("[" in query for query in queries)) == (
        60,
        60,
    )
    with (Path(__file__).parents[2] / "dtd_ads" / "catalog" / f"{scenario.name}.dtd").open() as file:
        assert etree.DTD(file).validate(etree.fromstring(text))


def test_errors_come_back_from_a_pool(pool: Executor) -> None:
    engine = chunked(("/a/b/c",), max_bytes=20, executor=pool)
    with pytest.raises(DocumentError, match="larger than 20 bytes"):
        engine.match(DOCUMENT)


def test_a_pool_needs_a_worker() -> None:
    with pytest.raises(ConfigurationError, match="workers is 0"):
        Pool(0)
