"""The one safe way to read a document, and the view of it that engines share.

A document comes from anyone, so reading it never opens another file and never touches the network: external DTDs,
external entities and XInclude are not followed. What would change the meaning of a document when left out (a
reference to an entity that the document itself does not declare) is refused, not dropped. Entities that the document
declares are expanded, as XML asks, within the bounds of libxml2: one million bytes, or five times the document's
size. Documents nest at most `MAX_DEPTH` elements deep, a text is at most ten million bytes, and the whole at most
`max_bytes`. Whatever is wrong is a `DocumentError` with source, line and column.

The view is XPath's, as lxml sees it: comments and processing instructions divide text nodes, CDATA sections do not,
and attributes are those that are written (a DTD's defaults are not added). Names are names as written: the element
of `<p:a xmlns:p="...">` is `p:a`, and a default namespace changes no name.

Reading costs what `lxml.etree.fromstring` costs. `collect_ids` must stay on: in lxml, switching it off makes
libxml2 load the external DTD.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast

from lxml import etree

from broker_sim.errors import DocumentError

Document = bytes | str | os.PathLike[str] | etree._Element | etree._ElementTree
"""The text of a document, the path of one, or one that is parsed already (then by the caller's own bounds)."""

MAX_DEPTH: Final = 256
"""How deep elements may nest: libxml2's own bound."""

MAX_BYTES: Final = 64 * 1024 * 1024
"""How large a document may be, unless the caller says otherwise."""

_XML_NAMESPACE: Final = "{http://www.w3.org/XML/1998/namespace}"

_PLAIN_WORDS: Final = (
    ("Excessive depth", f"elements nest deeper than {MAX_DEPTH}"),
    ("Maximum entity amplification", "the entities of the document expand to too much text"),
    ("Detected an entity reference loop", "an entity of the document contains itself"),
    ("Resource limit exceeded: Text node too long", "a text is longer than ten million bytes"),
)


class _Refuse(etree.Resolver):
    """The second wall: whatever libxml2 might want to load, it does not get."""

    def resolve(self, system_url: str | None, public_id: str | None, context: object = None) -> None:
        raise DocumentError(f"the document asks for {system_url or public_id!r}, and documents may load nothing")


_SAFE: Final[dict[str, Any]] = {
    "resolve_entities": "internal",
    "no_network": True,
    "load_dtd": False,
    "dtd_validation": False,
    "attribute_defaults": False,
    "huge_tree": False,
    "strip_cdata": True,
    "collect_ids": True,
}


def _safe_parser() -> etree.XMLParser:
    parser = etree.XMLParser(**_SAFE)
    parser.resolvers.add(_Refuse())
    return parser


def safe_pull_parser() -> etree.XMLPullParser:
    """A parser with the same bounds that is fed piece by piece and tells where elements begin and end."""
    parser = etree.XMLPullParser(events=("start", "end"), **_SAFE)
    parser.resolvers.add(_Refuse())
    return parser


_parser: Final = _safe_parser()


def parse(document: Document, source: str | None = None, *, max_bytes: int = MAX_BYTES) -> etree._Element:
    """The root element of `document`; `source` names it in errors (by default its path)."""
    if isinstance(document, etree._Element | etree._ElementTree):
        return _parsed_root(document, source)
    if isinstance(document, bytes):
        return _parse_bytes(document, source or "document", max_bytes)
    return _parse_bytes(_read(document, max_bytes), source or os.fspath(document), max_bytes)


def written_name(element: etree._Element) -> str:
    """The name of an element as the document writes it, prefix included: XPath's `name()`."""
    tag = str(element.tag)
    if tag[0] != "{":
        return tag
    local = tag[tag.index("}") + 1 :]
    return f"{element.prefix}:{local}" if element.prefix else local


def written_attributes(element: etree._Element) -> Mapping[str, str]:
    """The attributes of an element by their names as written."""
    attributes = cast("dict[str, str]", dict(element.items()))
    for key in attributes:
        if key[0] == "{":
            break
    else:
        return attributes
    return {_attribute_name(element, key, place): value for place, (key, value) in enumerate(attributes.items(), 1)}


def attribute_values(attributes: Mapping[str, str], subject: str) -> list[str]:
    """What `@name` or `@*` selects, given all attributes."""
    if subject == "@*":
        return list(attributes.values())
    value = attributes.get(subject[1:])
    return [] if value is None else [value]


def text_nodes(element: etree._Element) -> list[str]:
    """The text nodes directly inside an element, in order: what `text()` selects.

    A text may be empty: libxml2 keeps a node for a CDATA section without content where no other text is near.
    """
    return [text for text in (element.text, *(child.tail for child in element)) if text is not None]


def string_value(element: etree._Element) -> str:
    """All text inside an element, at any depth: what `string(.)` gives."""
    return "".join(str(text) for text in element.itertext())


def child_elements(element: etree._Element) -> Iterator[etree._Element]:
    """The elements directly inside an element, without comments and processing instructions."""
    return element.iterchildren("*")


def publications(root: etree._Element) -> list[tuple[str, ...]]:
    """The distinct root-to-leaf paths of a document, in the order in which they first occur."""
    return list(dict.fromkeys(leaf_paths(root)))


def leaf_paths(root: etree._Element) -> Iterator[tuple[str, ...]]:
    """For each element without elements inside, in document order, the names from the root down to it."""
    names: dict[tuple[tuple[str, ...], str], tuple[str, ...]] = {}
    stack: list[tuple[etree._Element, tuple[str, ...]]] = [(root, ())]
    while stack:
        element, above = stack.pop()
        name = written_name(element)
        path = names.get((above, name))
        if path is None:
            path = names[above, name] = (*above, name)
        inside = [(child, path) for child in element.iterchildren("*", reversed=True)]
        if inside:
            stack.extend(inside)
        else:
            yield path


def chain(names: Sequence[str]) -> etree._Element:
    """The document that is just one publication: `names` nested in each other."""
    if not names:
        raise ValueError("a publication has at least one name")
    root = inner = _named(names[0])
    for name in names[1:]:
        child = _named(name)
        inner.append(child)
        inner = child
    return root


def _named(name: str) -> etree._Element:
    prefix, colon, local = name.partition(":")
    if not colon:
        return etree.Element(name)
    namespace = f"urn:prefix:{prefix}" if prefix != "xml" else _XML_NAMESPACE.strip("{}")
    return etree.Element(f"{{{namespace}}}{local}", nsmap={prefix: namespace})


def _attribute_name(element: etree._Element, key: str, place: int) -> str:
    if key[0] != "{":
        return key
    if key.startswith(_XML_NAMESPACE):
        return f"xml:{key.removeprefix(_XML_NAMESPACE)}"
    return str(element.xpath(f"name(@*[{place}])"))


def _read(path: str | os.PathLike[str], max_bytes: int) -> bytes:
    try:
        with Path(path).open("rb") as file:
            return file.read(max_bytes + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise DocumentError(f"cannot be read: {reason}", source=os.fspath(path)) from error


def _parse_bytes(data: bytes, source: str, max_bytes: int) -> etree._Element:
    if len(data) > max_bytes:
        raise DocumentError(f"larger than {max_bytes:,} bytes", source=source)
    try:
        root = etree.fromstring(data, _parser)
    except etree.XMLSyntaxError as error:
        raise syntax_error(error, source) from error
    except DocumentError as error:
        raise DocumentError(error.message, source=source) from error
    return _without_references(root, source)


def _parsed_root(document: etree._Element | etree._ElementTree, source: str | None) -> etree._Element:
    root = document.getroot() if isinstance(document, etree._ElementTree) else document
    if root is None or not isinstance(root.tag, str):
        raise ValueError("an empty tree, comment or processing instruction is no document")
    if root.getparent() is not None:
        raise ValueError("an element inside another is no document; copy.deepcopy(element) makes it one")
    return _without_references(root, source or "document")


def _without_references(root: etree._Element, source: str) -> etree._Element:
    """Refuse what an entity reference would hide; only a document with a DTD can hold one."""
    if root.getroottree().docinfo.internalDTD is not None:
        for reference in root.iter(etree.Entity):
            raise not_expanded(reference, source)
    return root


def not_expanded(reference: etree._Element, source: str) -> DocumentError:
    """The error for an entity reference that is left in a document."""
    line = cast("int | None", reference.sourceline)
    return DocumentError(f"{reference.text} is not expanded", source=source, line=line)


def syntax_error(error: etree.XMLSyntaxError, source: str) -> DocumentError:
    message = str(error.msg).rpartition(", line ")[0].strip() or str(error.msg)
    for start, words in _PLAIN_WORDS:
        if message.startswith(start):
            message = words
    if message.startswith("Entity '") and message.endswith("not defined"):
        message += " in the document itself, and documents may load nothing"
    line, column = error.position
    return DocumentError(message, source=source, line=line or None, column=column or None)
