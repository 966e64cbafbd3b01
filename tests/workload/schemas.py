"""Schemas for the tests, read from DTD text by lxml alone: independent of `dtd_ads`' own reader."""

from __future__ import annotations

from io import StringIO
from typing import Any

from lxml import etree

from dtd_ads.content import Attribute, Content, Group, Name, Particle
from dtd_ads.schema import Element, Schema

_OCCURS = {"once": "", "opt": "?", "mult": "*", "plus": "+"}
_KINDS = {"undefined": "EMPTY", "empty": "EMPTY", "any": "ANY", "mixed": "MIXED", "element": "CHILDREN"}


def read_dtd(text: str) -> etree.DTD:
    return etree.DTD(StringIO(text))


def schema_of(text: str, root: str) -> Schema:
    declared = list(read_dtd(text).iterelements())
    names = tuple(element.name for element in declared)
    return Schema("test.dtd", root, {element.name: _element(element, names) for element in declared})


def _element(declared: Any, names: tuple[str, ...]) -> Element:
    kind = _KINDS[declared.type]
    particle = _particle(declared.content) if kind in ("MIXED", "CHILDREN") else None
    content = Content(kind, particle)
    children = names if kind == "ANY" else tuple(name for name in content.names if name in names)
    return Element(declared.name, content, children, tuple(map(_attribute, declared.iterattributes())))


def _particle(node: Any) -> Particle | None:
    if node is None or node.type == "pcdata":
        return None
    occurs = _OCCURS[node.occur]
    if node.type == "element":
        return Name(node.name, occurs)
    parts = [part for part in map(_particle, _flat(node, node.type)) if part is not None]
    return Group("," if node.type == "seq" else "|", tuple(parts), occurs) if parts else None


def _flat(node: Any, kind: str) -> list[Any]:
    """libxml2 keeps n-ary groups as right-leaning pairs."""
    right = node.right
    nested = right is not None and right.type == kind and right.occur == "once"
    return [node.left, *(_flat(right, kind) if nested else [right] if right is not None else [])]


def _attribute(declared: Any) -> Attribute:
    choices = tuple(declared.values())
    kind = "enumeration" if choices and declared.type != "notation" else declared.type.upper()
    return Attribute(
        f"{declared.prefix}:{declared.name}" if declared.prefix else declared.name,
        kind,
        declared.default,
        declared.default_value,
        choices,
    )
