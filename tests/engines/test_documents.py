"""Reading documents: the view that engines share, and everything a document may not do."""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from lxml import etree

from broker_sim.engines import create_engine
from broker_sim.engines.documents import (
    MAX_DEPTH,
    chain,
    child_elements,
    parse,
    publications,
    string_value,
    text_nodes,
    written_attributes,
    written_name,
)
from broker_sim.errors import DocumentError
from broker_sim.xpath import parse_xpath
from tests.strategies.documents import documents

CANARY = "canary-in-the-file"


def bomb(levels: int, text: str) -> bytes:
    """Entities that each hold the one before ten times, and a document that uses the last."""
    nested = "".join(f'<!ENTITY e{level} "{f"&e{level - 1};" * 10}">' for level in range(1, levels + 1))
    return f'<!DOCTYPE a [<!ENTITY e0 "lol">{nested}]>{text.replace("BOMB", f"&e{levels};")}'.encode()


def fails(document: bytes | str | Path) -> DocumentError:
    with pytest.raises(DocumentError) as caught:
        parse(document)
    return caught.value


class TestInputs:
    def test_bytes_paths_and_trees_are_documents(self, tmp_path: Path) -> None:
        file = tmp_path / "a.xml"
        file.write_bytes(b"<a><b/></a>")
        root = etree.fromstring(b"<a><b/></a>")
        for document in (b"<a><b/></a>", file, str(file), root, etree.ElementTree(root)):
            assert publications(parse(document)) == [("a", "b")]

    def test_inner_element_is_no_document(self) -> None:
        with pytest.raises(ValueError, match="deepcopy"):
            parse(etree.fromstring(b"<a><b/></a>")[0])

    @pytest.mark.parametrize("tree", [etree.Comment("x"), etree.ElementTree()], ids=["comment", "empty tree"])
    def test_no_element_is_no_document(self, tree: etree._Element) -> None:
        with pytest.raises(ValueError, match="no document"):
            parse(tree)

    def test_tree_with_unexpanded_reference_is_refused(self) -> None:
        parser = etree.XMLParser(resolve_entities=False)
        root = etree.fromstring(b'<!DOCTYPE a [<!ENTITY e "x">]>\n<a>&e;</a>', parser)
        with pytest.raises(DocumentError, match="document:2: &e; is not expanded"):
            parse(root)

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1"])
    def test_encodings(self, encoding: str) -> None:
        declared = "utf-8" if encoding == "utf-8-sig" else encoding
        root = parse(f'<?xml version="1.0" encoding="{declared}"?><a>ü</a>'.encode(encoding))
        assert string_value(root) == "ü"


class TestView:
    def test_names_are_as_written(self) -> None:
        root = parse(b'<p:a xmlns:p="u" xmlns="v"><b/><q:c xmlns:q="u"/><x.y-z xmlns=""/></p:a>')
        assert [written_name(element) for element in root.iter("*")] == ["p:a", "b", "q:c", "x.y-z"]

    def test_attribute_names_are_as_written(self) -> None:
        root = parse(b'<a xmlns:p="u" xmlns:q="u" y="1" q:y="2" xml:lang="en"/>')
        assert written_attributes(root) == {"y": "1", "q:y": "2", "xml:lang": "en"}

    def test_default_attributes_are_not_added(self) -> None:
        assert written_attributes(parse(b'<!DOCTYPE a [<!ATTLIST a x CDATA "1">]><a/>')) == {}

    def test_texts_are_divided_by_markup_only(self) -> None:
        root = parse(b"<a>1<![CDATA[2]]>3<!--c-->4<?p q?>5<b>6</b>7<b/>&#56;&lt;</a>")
        assert text_nodes(parse(b"<a><![CDATA[]]><b/></a>")) == [""]
        assert text_nodes(root) == root.xpath("text()") == ["123", "4", "5", "7", "8<"]
        assert string_value(root) == root.xpath("string()") == "12345678<"
        assert [written_name(child) for child in child_elements(root)] == ["b", "b"]

    def test_own_entities_are_expanded(self) -> None:
        root = parse(b'<!DOCTYPE a [<!ENTITY t "two"><!ENTITY e "<b x=\'&t;\'>in</b>">]><a y="&t;">1 &t; 3&e;</a>')
        assert text_nodes(root) == ["1 two 3"]
        assert written_attributes(root) == {"y": "two"}
        assert publications(root) == [("a", "b")]

    def test_publications_are_distinct_and_in_document_order(self) -> None:
        root = parse(b"<a><!--x--><b><c/></b><b/><b><c/><?p?></b><d>text</d></a>")
        assert publications(root) == [("a", "b", "c"), ("a", "b"), ("a", "d")]

    @given(documents())
    def test_view_is_that_of_xpath(self, document: bytes) -> None:
        root = parse(document)
        for element in root.iter("*"):
            assert written_name(element) == element.xpath("name()")
            assert text_nodes(element) == element.xpath("text()")
            assert string_value(element) == element.xpath("string()")
            names = [element.xpath(f"name(@*[{place}])") for place in range(1, len(element.attrib) + 1)]
            assert written_attributes(element) == dict(zip(names, element.xpath("@*"), strict=True))
        leaves = {
            tuple(element.xpath("name()") for element in leaf.xpath("ancestor-or-self::*"))
            for leaf in root.xpath("//*[not(*)]")
        }
        assert sorted(publications(root)) == sorted(leaves)

    def test_chain_is_one_publication(self) -> None:
        names = ("a", "p:b", "xml:c", "p:b", "q:a")
        assert publications(chain(names)) == [names]
        with pytest.raises(ValueError, match="at least one name"):
            chain(())


class TestMalformed:
    @pytest.mark.parametrize(
        ("document", "place", "message"),
        [
            (b"", "1:1", "empty"),
            (b"  \n ", "2:2", "Start tag expected"),
            (b"plain words", "1:1", "Start tag expected"),
            (b"<a>\n <b></a>", "2:9", "mismatch"),
            (b"<a>", "1:4", "Premature end"),
            (b"<a/><b/>", "1:5", "Extra content"),
            (b"<a x='1' x='2'/>", "1:", "redefined"),
            (b"<p:a/>", "1:", "prefix p"),
            (b"<a>\0</a>", "1:4", "Invalid character"),
            (b"\0\0\0\0", "1:", ""),
            (b"<a>&e;</a>", "1:", "'e' not defined in the document itself"),
            (b'<?xml version="1.0" encoding="no-such"?><a/>', "1:", "no-such"),
            (b'<?xml version="1.0" encoding="utf-8"?><a>\xff</a>', "1:42", "encoding"),
            ("<a>ü</a>".encode("iso-8859-1"), "1:", ""),
            ("<a>text</a>".encode("utf-16")[:-3], "1:", ""),
            (b"\x1f\x8b\x08 packed", "1:", ""),
        ],
    )
    def test_error_has_its_place(self, document: bytes, place: str, message: str) -> None:
        error = fails(document)
        assert str(error).startswith(f"document:{place}")
        assert message in error.message
        assert "\n" not in str(error)

    def test_error_names_the_file(self, tmp_path: Path) -> None:
        file = tmp_path / "bad.xml"
        file.write_bytes(b"<a>\n</b>")
        assert str(fails(file)).startswith(f"{file}:2:")
        with pytest.raises(DocumentError, match=r"^inbox:1:"):
            parse(b"<a", source="inbox")

    def test_unreadable_paths(self, tmp_path: Path) -> None:
        assert "directory" in str(fails(tmp_path))
        assert "No such file" in str(fails(tmp_path / "none.xml"))
        assert "null byte" in str(fails("a\0b"))

    def test_depth_is_bounded(self) -> None:
        deep = b"<a>" * MAX_DEPTH + b"</a>" * MAX_DEPTH
        assert len(publications(parse(deep))[0]) == MAX_DEPTH
        assert fails(b"<a>" + deep + b"</a>").message == f"elements nest deeper than {MAX_DEPTH}"

    def test_size_is_bounded(self, tmp_path: Path) -> None:
        file = tmp_path / "a.xml"
        file.write_bytes(b"<a>12</a>")
        for document in (file, file.read_bytes()):
            assert parse(document, max_bytes=9).text == "12"
            with pytest.raises(DocumentError, match="larger than 8 bytes"):
                parse(document, max_bytes=8)


class TestHostile:
    @pytest.mark.parametrize("text", ["<a>BOMB</a>", "<a b='BOMB'/>"])
    def test_entity_bombs_are_refused(self, text: str) -> None:
        assert "expand to too much text" in str(fails(bomb(9, text)))
        parse(bomb(2, text))

    def test_quadratic_entities_are_refused(self) -> None:
        text = f'<!DOCTYPE a [<!ENTITY e "{"x" * 50_000}">]><a>{"&e;" * 10_000}</a>'
        assert "expand to too much text" in str(fails(text.encode()))

    def test_entity_that_holds_itself(self) -> None:
        assert "contains itself" in str(fails(b'<!DOCTYPE a [<!ENTITY e "&f;"><!ENTITY f "&e;">]><a>&e;</a>'))

    @pytest.mark.parametrize("absolute", [True, False])
    @pytest.mark.parametrize(
        "text",
        [
            '<!DOCTYPE a [<!ENTITY e SYSTEM "CANARY.txt">]><a>&e;</a>',
            '<!DOCTYPE a [<!ENTITY e PUBLIC "x" "CANARY.txt">]><a>&e;</a>',
            '<!DOCTYPE a [<!ENTITY e SYSTEM "CANARY.txt">]><a b="&e;"/>',
            '<!DOCTYPE a [<!ENTITY e SYSTEM "CANARY.txt">]><a/>',
            '<!DOCTYPE a [<!NOTATION n SYSTEM "n"><!ENTITY e SYSTEM "CANARY.txt" NDATA n>]><a>&e;</a>',
            '<!DOCTYPE a [<!ENTITY % p SYSTEM "CANARY.dtd"> %p;]><a>&e;</a>',
            '<!DOCTYPE a [<!ENTITY % p SYSTEM "CANARY.dtd"> %p;]><a/>',
            '<!DOCTYPE a SYSTEM "CANARY.dtd"><a>&e;</a>',
            '<!DOCTYPE a SYSTEM "CANARY.dtd"><a x="&e;"/>',
            '<!DOCTYPE a PUBLIC "x" "CANARY.dtd"><a/>',
            '<a xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="CANARY.txt" parse="text"/></a>',
            '<?xml-stylesheet href="CANARY.dtd"?><a/>',
        ],
    )
    def test_no_file_is_read(self, tmp_path: Path, text: str, absolute: bool, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "CANARY.txt").write_text(CANARY)
        (tmp_path / "CANARY.dtd").write_text(f'<!ENTITY e "{CANARY}"><!ATTLIST a c CDATA "{CANARY}">')
        file = tmp_path / "document.xml"
        file.write_text(text.replace("CANARY.", f"{tmp_path.as_uri()}/CANARY.") if absolute else text)
        for document in (file, file.read_bytes(), file.name):
            if "e;" in text or "p;" in text:
                error = fails(document)
                assert CANARY not in str(error)
                assert error.line == 1
            else:
                assert CANARY not in etree.tostring(parse(document), encoding="unicode")

    @pytest.mark.parametrize(
        "text",
        [
            '<!DOCTYPE a SYSTEM "URL"><a/>',
            '<!DOCTYPE a [<!ENTITY e SYSTEM "URL">]><a>&e;</a>',
            '<!DOCTYPE a [<!ENTITY % p SYSTEM "URL"> %p;]><a/>',
            '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="URL"/>',
        ],
    )
    @pytest.mark.parametrize("scheme", ["http", "ftp"])
    def test_no_connection_is_made(self, text: str, scheme: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.setblocking(False)
            url = f"{scheme}://127.0.0.1:{server.getsockname()[1]}/x.dtd"
            with suppress(DocumentError):
                parse(text.replace("URL", url).encode())
            with pytest.raises(BlockingIOError):
                server.accept()

    def test_an_engine_stays_usable(self) -> None:
        engine = create_engine("lxml")
        engine.add(7, parse_xpath("/a"))
        for document in (b"<a", bomb(9, "<a>BOMB</a>"), b"<a>" * 300, os.devnull):
            with pytest.raises(DocumentError):
                engine.match(document)
        assert list(engine.match(b"<a/>")) == [7]
