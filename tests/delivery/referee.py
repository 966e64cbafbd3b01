"""Naive evaluation of a query with lxml alone: bind, test and select by its XPath, build the result as a tree."""

from __future__ import annotations

from copy import deepcopy

from lxml import etree

from tests.strategies.flwr import Flwr, Tag


def evaluate(query: Flwr, document: bytes) -> bytes | None:
    """The result in canonical form; None where nothing is bound."""
    root = etree.fromstring(document)
    result = etree.Element(query.outer)
    for bound in root.getroottree().xpath(query.binding):
        if all(bound.xpath(f"boolean({_question(condition)})") for condition in query.conditions):
            _build(result, query.inner, bound)
    return canonical(result) if len(result) else None


def canonical(document: etree._Element | str) -> bytes:
    """The same bytes for the same content."""
    root = etree.fromstring(document.encode()) if isinstance(document, str) else document
    return etree.tostring(root, method="c14n")


def _question(condition: str) -> str:
    return f".{condition}"


def _build(parent: etree._Element, tag: Tag, bound: etree._Element) -> None:
    element = etree.SubElement(parent, tag.name, dict(tag.attributes))
    for part in tag.inside:
        if isinstance(part, Tag):
            _build(element, part, bound)
        elif part.startswith("#"):
            _add_text(element, part[1:])
        else:
            for found in bound.xpath(f".{part}"):
                copied = deepcopy(found)
                copied.tail = None
                element.append(copied)


def _add_text(element: etree._Element, text: str) -> None:
    if len(element):
        element[-1].tail = (element[-1].tail or "") + text
    else:
        element.text = (element.text or "") + text
