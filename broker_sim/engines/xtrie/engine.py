"""The engines `xtrie` (lazy) and `xtrie-eager`."""

from __future__ import annotations

from collections.abc import Sequence

from lxml import etree
from pyroaring import BitMap

from broker_sim.engines.documents import Document, parse, string_value, text_nodes, written_attributes, written_name
from broker_sim.engines.xtrie.index import XTrieIndex
from broker_sim.engines.xtrie.lazy import LazyRun
from broker_sim.engines.xtrie.run import Reader, Run
from broker_sim.xpath import Expression


class XTrie:
    """All subscriptions in one index of substrings."""

    def __init__(self) -> None:
        self._index = XTrieIndex()

    def add(self, id: int, expression: Expression) -> None:
        """Subscribe."""
        self._index.add(id, expression)

    def remove(self, id: int) -> None:
        """Unsubscribe."""
        self._index.remove(id)

    def match(self, document: Document) -> BitMap:
        """The ids whose expression has a match in the document."""
        root = parse(document)
        open_elements: list[etree._Element | None] = [root.getparent()]
        run = self._run(TreeReader(open_elements))
        for element in root.iter("*"):
            parent = element.getparent()
            while open_elements[-1] is not parent:
                run.end()
                open_elements.pop()
            open_elements.append(element)
            tag = str(element.tag)
            run.start(tag if tag[0] != "{" else written_name(element))
        for _ in open_elements[1:]:
            run.end()
            open_elements.pop()
        return run.found()

    def match_path(self, names: Sequence[str]) -> BitMap:
        """The ids whose expression matches this chain of elements."""
        if not names:
            raise ValueError("a publication has at least one name")
        run = self._run(ChainReader())
        for name in names:
            run.start(name)
        for _ in names:
            run.end()
        return run.found()

    def __len__(self) -> int:
        return len(self._index)

    def __contains__(self, id: object) -> bool:
        return id in self._index

    def _run(self, reader: Reader) -> Run:
        return LazyRun(self._index, reader)


class TreeReader:
    """Values of the open elements of a parsed document, which the caller keeps by level."""

    def __init__(self, open_elements: list[etree._Element | None]) -> None:
        self._open = open_elements

    def values(self, level: int, subject: str) -> list[str]:
        element = self._open[level]
        if element is None:
            return []
        if subject[0] == "@":
            return attribute_values(element, subject)
        return text_nodes(element) if subject == "text()" else [string_value(element)]


class ChainReader:
    """Elements that have a name and nothing else."""

    def values(self, level: int, subject: str) -> list[str]:
        return [""] if subject == "." else []


def attribute_values(element: etree._Element, subject: str) -> list[str]:
    """What `@name` or `@*` selects at an element."""
    attributes = written_attributes(element) if len(element.attrib) else {}
    if subject == "@*":
        return list(attributes.values())
    value = attributes.get(subject[1:])
    return [] if value is None else [value]
