"""The streaming pass: what chunks hold, block by block, and which documents are refused."""

from __future__ import annotations

import tracemalloc
from io import BytesIO, RawIOBase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker_sim.chunking import chunker
from broker_sim.chunking import projection as projections
from broker_sim.chunking.chunker import OwnDeclarations, split
from broker_sim.chunking.preparation import Preparation
from broker_sim.chunking.projection import Projection
from broker_sim.errors import DocumentError
from broker_sim.xpath import Expression, parse_xpath
from dtd_ads import Schema, load_schema
from tests.chunking.strategies import expressions
from tests.strategies.documents import documents


def projection_of(asked: list[Expression], cuts: list[str], schema: Schema | None = None) -> Projection:
    preparation = Preparation(schema)
    for id, expression in enumerate(asked):
        preparation.add(id, expression)
    return Projection(preparation.scheme([tuple(cut.split("/")) for cut in cuts]).chunks, schema)


def chunks_of(text: bytes, projection: Projection, number: int, block: int = chunker.BLOCK) -> list[bytes]:
    written: list[list[bytes]] = [[] for _ in range(number)]
    split(BytesIO(text), projection, [chunk.append for chunk in written], block=block)
    return [b"".join(chunk) for chunk in written]


def one_chunk(text: str, queries: list[str], cut: str) -> str:
    return chunks_of(text.encode(), projection_of(list(map(parse_xpath, queries)), [cut]), 1)[0].decode()


@pytest.mark.parametrize(
    ("queries", "cut", "expected"),
    [
        (["/a/b/d"], "a/b/d", '<a x="1"><b><d>4<e/></d><d/></b></a>'),
        (["/a/b[c]/d/e"], "a/b/d", '<a x="1"><b><c></c><d>4<e/></d><d/></b><b><c></c></b></a>'),
        (["/a/b[c/text() = 2]/d"], "a/b/d", '<a x="1"><b><c>2<!---->3</c><d>4<e/></d><d/></b><b><c/></b></a>'),
        (["/a/b[c = 23]/d"], "a/b/d", '<a x="1"><b><c>2<f/>3</c><d>4<e/></d><d/></b><b><c/></b></a>'),
        (["/a/b[text()]/d"], "a/b/d", '<a x="1"><b>1<!----><d>4<e/></d><d/>5</b><b><!----></b></a>'),
        (["/a[.//f]/b/d"], "a/b/d", '<a x="1"><b><c><f/></c><d>4<e/></d><d/></b></a>'),
        (["/a/g"], "a/g", ""),
    ],
)
def test_what_a_chunk_holds(queries: list[str], cut: str, expected: str) -> None:
    text = '<a x="1">0<b>1<c>2<f/>3</c><d>4<e/></d><d/>5</b><b><c/></b>6</a>'
    assert one_chunk(text, queries, cut).replace("<c/>", "<c></c>") == expected.replace("<c/>", "<c></c>")


@pytest.mark.parametrize(
    ("text", "cut", "expected"),
    [
        ("<a><b>x/></b><b/></a>", "a/b", "<a><b>x/></b><b/></a>"),
        ("<a><b y='>'  z=\"/>\"/><c/></a>", "a/b", "<a><b y='>'  z=\"/>\"/></a>"),
        ("<a><b><c/></b ></a >", "a/b", "<a><b><c/></b ></a >"),
        ("<a><b><![CDATA[</b>]]><!--</b>--><?p </b>?>&lt;</b></a>", "a/b", None),
        ("<p:a xmlns:p='u'><p:b/><b xmlns='v'><c/></b></p:a>", "p:a/b", "<p:a xmlns:p='u'><b xmlns='v'><c/></b></p:a>"),
    ],
)
def test_bytes_are_kept_as_written(text: str, cut: str, expected: str | None) -> None:
    assert one_chunk(text, [f"/{cut}"], cut) == (expected or text)


@given(
    documents(),
    st.lists(expressions, min_size=1, max_size=6),
    st.sampled_from((1, 2, 7, 50)),
    st.sampled_from(range(6)),
)
def test_blocks_do_not_show(text: bytes, asked: list[Expression], block: int, number: int) -> None:
    preparation = Preparation(None)
    for id, expression in enumerate(asked):
        preparation.add(id, expression)
    chunks = preparation.scheme(preparation.tree.cuts(number)).chunks
    projection = Projection(chunks, None)
    assert chunks_of(text, projection, len(chunks), block) == chunks_of(text, projection, len(chunks))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "iso-8859-1", "cp1252", "utf-32"])
def test_chunks_are_utf8(encoding: str) -> None:
    declared = encoding.removesuffix("-sig")
    text = f'<?xml version="1.0" encoding="{declared}"?><ä><b>ö</b><c>ü</c></ä>'.encode(encoding)
    projection = projection_of([parse_xpath("/ä/b")], ["ä/b"])
    for block in (3, 1000):
        assert chunks_of(text, projection, 1, max(block, 100)) == ["<ä><b>ö</b></ä>".encode()]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"<a><b></a>", "document:1:9: mismatched tag"),
        (b"", "no element found"),
        (b"<a>\n<p:b/></a>", "document:2:1: unbound prefix"),
        (b"<a>" * 300 + b"</a>" * 300, "nest deeper than 256"),
        (b"<a>&e;</a>", "undefined entity"),
        (b'<!DOCTYPE a SYSTEM "x.dtd"><a>&e;</a>', "&e; is not defined"),
        (b'<?xml version="1.0" encoding="klingon"?><a/>', "unknown encoding klingon"),
        (b'<?xml version="1.0" encoding="utf-16-le"?><a/>', "document"),
    ],
)
def test_documents_that_cannot_be_read(text: bytes, message: str) -> None:
    with pytest.raises(DocumentError, match=message):
        chunks_of(text, projection_of([parse_xpath("/a/b")], ["a/b"]), 1)


def test_own_declarations_are_refused() -> None:
    with pytest.raises(OwnDeclarations, match="DTD of its own"):
        one_chunk('<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>', ["/a/b"], "a/b")


def test_a_document_must_nest_as_the_schema_says() -> None:
    projection = projection_of([parse_xpath("/db/student")], ["db/student"], load_schema("university"))
    with pytest.raises(DocumentError, match=r"document:2:1: student stands inside student, where .* not allow it"):
        chunks_of(b"<db><student>\n<student/></student></db>", projection, 1)
    with pytest.raises(DocumentError, match="the root is student; university expects db"):
        chunks_of(b"<student/>", projection, 1)


class Endless(RawIOBase):
    """A document of so many bytes that is nowhere as a whole."""

    def __init__(self, size: int) -> None:
        self._left = size
        self._person = b'<student id="i1"><name>text</name></student><lecturer id="i2"><name>x</name></lecturer>'
        self._opened = False

    def read(self, size: int = -1) -> bytes:
        if not self._opened:
            self._opened = True
            return b"<db>"
        if self._left < 0:
            return b""
        self._left -= size
        return self._person * (size // len(self._person)) if self._left >= 0 else b"</db>"


def test_memory_does_not_grow_with_the_document() -> None:
    projection = projection_of([parse_xpath("/db/student/name")], ["db/student"])
    peaks = []
    for size in (300_000, 2_400_000):
        tracemalloc.start()
        split(Endless(size), projection, [len])
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 200_000


def test_strange_names_fill_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(projections, "MAX_NAMES", 3)
    monkeypatch.setattr(projections, "MAX_STATES", 1)
    projection = projection_of(list(map(parse_xpath, ("/a/b[.//c]/d", "/a/e"))), ["a/b/d", "a/e"])
    strange = "".join(f"<n{number}><c/><e/></n{number}>" for number in range(10))
    text = f"<a><b>{strange}<d>{strange}</d></b>{strange}<e/></a>"
    kept = "".join(f"<n{number}><c/></n{number}>" for number in range(10))
    expected = [f"<a><b>{kept}<d>{strange}</d></b></a>".encode(), b"<a><e/></a>"]
    assert chunks_of(text.encode(), projection, 2) == expected
    assert all(len(state.to) <= 3 for state in (projection.start, *projection.start.to.values()))


def test_a_long_stretch_without_a_tag_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunker, "MAX_STRETCH", 1 << 18)
    with pytest.raises(DocumentError, match="without a tag"):
        one_chunk(f"<a><b x='{'y' * (1 << 19)}'/></a>", ["/a/b"], "a/b")
