"""Streams: the same answers as whole documents, the same refusals, and a tree that stays small."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from broker_sim.engines import create_engine
from broker_sim.engines.documents import parse
from broker_sim.engines.streaming import StreamingEngine, StreamListener, StreamReader, stream
from broker_sim.engines.xtrie.engine import EagerXTrie, XTrie
from broker_sim.errors import DocumentError
from broker_sim.xpath import Expression, parse_xpath
from tests.engines.cases import LINEAR, PATTERNS
from tests.engines.test_documents import bomb
from tests.strategies.documents import documents
from tests.strategies.expressions import tree_patterns

NAMES = ("a", "b", "c", "p:a")
KINDS = pytest.mark.parametrize("kind", [XTrie, EagerXTrie])


def pieces(text: bytes, size: int) -> Iterator[bytes]:
    return (text[start : start + size] for start in range(0, len(text), size))


@KINDS
@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_all_cases(kind: type[XTrie], size: int) -> None:
    engine = kind()
    cases = LINEAR + PATTERNS
    for id, case in enumerate(cases):
        engine.add(id, case.expression)
    for document in {case.document for case in cases}:
        found = engine.match_stream(pieces(document.encode(), size))
        assert found == engine.match(document.encode())
        assert all((id in found) is case.expected for id, case in enumerate(cases) if case.document == document)


@given(documents(max_depth=5), st.lists(tree_patterns(NAMES), min_size=1, max_size=15), st.integers(1, 40))
def test_pieces_change_no_answer(text: bytes, expressions: list[Expression], size: int) -> None:
    engine = XTrie()
    for id, expression in enumerate(expressions):
        engine.add(id, expression)
    assert engine.match_stream(pieces(text, size)) == engine.match(text)


class Watching(StreamReader):
    """Counts the nodes in memory whenever an element begins."""

    most = 0

    def begin(self, element: etree._Element, listener: StreamListener) -> None:
        super().begin(element, listener)
        nodes = sum(1 for _ in element.getroottree().getroot().iter())
        self.most = max(self.most, nodes)


class Deaf:
    """A listener that wants nothing."""

    wants = 0

    def start(self, name: str) -> None:
        """Nothing."""

    def end(self) -> None:
        """Nothing."""


def test_what_has_passed_is_forgotten() -> None:
    text = b"<a>" + b"x<b><c/><!--n--><d>y</d></b><?p q?>z" * 5_000 + b"</a>"
    reader = Watching("document")
    stream(pieces(text, 50), reader, Deaf(), name="document")
    assert reader.most < 20


def test_sources(tmp_path: Path) -> None:
    engine = XTrie()
    engine.add(1, parse_xpath("/a/b"))
    file = tmp_path / "a.xml"
    file.write_bytes(b"<a><b/></a>")
    for source in (file, str(file), io.BytesIO(b"<a><b/></a>"), [b"<a>", b"<b/></a>"]):
        assert list(engine.match_stream(source)) == [1]
    with pytest.raises(DocumentError, match=r"^.*none\.xml: cannot be read: No such file"):
        engine.match_stream(tmp_path / "none.xml")


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"<a>",
        b"<a>\n<b></a>",
        b"<a/><b/>",
        b"<p:a/>",
        b"<a>&e;</a>",
        b"<a>" * 300,
        bomb(9, "<a>BOMB</a>"),
        b'<!DOCTYPE a [<!ENTITY e SYSTEM "x.txt">]><a>&e;</a>',
        b'<!DOCTYPE a [<!ENTITY e SYSTEM "x.txt">]><a><b/>&e;<b/></a>',
    ],
)
@pytest.mark.parametrize("size", [3, 100_000])
def test_what_is_no_document_is_no_stream(text: bytes, size: int) -> None:
    engine = XTrie()
    engine.add(1, parse_xpath("/a"))
    with pytest.raises(DocumentError):
        parse(text)
    with pytest.raises(DocumentError, match=r"^document"):
        engine.match_stream(pieces(text, size))
    assert list(engine.match_stream([b"<a/>"])) == [1]


def test_size_is_bounded_if_asked() -> None:
    engine = XTrie()
    engine.add(1, parse_xpath("/a"))
    assert list(engine.match_stream([b"<a>", b"12</a>"], max_bytes=9)) == [1]
    with pytest.raises(DocumentError, match="larger than 8 bytes"):
        engine.match_stream([b"<a>", b"12</a>"], max_bytes=8)


@pytest.mark.parametrize(("name", "streams"), [("xtrie", True), ("xtrie-eager", True), ("lazy-dfa", False)])
def test_who_can_stream(name: str, streams: bool) -> None:
    assert isinstance(create_engine(name), StreamingEngine) is streams
