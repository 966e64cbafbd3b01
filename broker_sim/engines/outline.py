"""A document as numbered elements: what checking a tree pattern needs of it, each thing read once.

Elements are numbered in document order, so the elements inside number `n` are the numbers from `n + 1` to `last[n]`.
Attributes, texts and children are read from the tree when first asked for.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from functools import cached_property

from lxml import etree

from broker_sim.engines.documents import string_value, text_nodes, written_attributes, written_name
from broker_sim.xpath import WILDCARD


class Outline:
    """Names and parents of all elements by number; the parent of the root is -1."""

    def __init__(self, root: etree._Element) -> None:
        self.elements: list[etree._Element] = list(root.iter("*"))
        self.names: list[str] = list(map(written_name, self.elements))
        self.parents: list[int] = self._number_parents()
        self._texts: dict[tuple[int, str], list[str]] = {}

    def __len__(self) -> int:
        return len(self.elements)

    def values(self, number: int, subject: str) -> list[str]:
        """What `@name`, `@*`, `text()` or `.` selects at an element, as strings."""
        if subject[0] == "@":
            attributes = self.attributes[number]
            if subject == "@*":
                return list(attributes.values())
            value = attributes.get(subject[1:])
            return [] if value is None else [value]
        found = self._texts.get((number, subject))
        if found is None:
            element = self.elements[number]
            found = text_nodes(element) if subject == "text()" else [string_value(element)]
            self._texts[number, subject] = found
        return found

    @cached_property
    def attributes(self) -> list[Mapping[str, str]]:
        """The attributes of each element by their names as written."""
        return list(map(written_attributes, self.elements))

    def inside(self, numbers: Iterable[int], name: str) -> set[int]:
        """The elements of this name, or all for `*`, at any depth inside one of the elements."""
        last = self.last
        if name == WILDCARD:
            return {inner for number in numbers for inner in range(number + 1, last[number] + 1)}
        named, found = self._by_name.get(name, []), set[int]()
        for number in numbers:
            found.update(named[bisect_right(named, number) : bisect_right(named, last[number])])
        return found

    @cached_property
    def _by_name(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number, name in enumerate(self.names):
            found.setdefault(name, []).append(number)
        return found

    @cached_property
    def children(self) -> list[list[int]]:
        """The elements directly inside each element."""
        found: list[list[int]] = [[] for _ in self.parents]
        for number in range(1, len(found)):
            found[self.parents[number]].append(number)
        return found

    @cached_property
    def last(self) -> list[int]:
        """The last element inside each element, or itself."""
        found = list(range(len(self.parents)))
        for number in range(len(found) - 1, 0, -1):
            parent = self.parents[number]
            found[parent] = max(found[parent], found[number])
        return found

    def siblings(self, number: int) -> list[int]:
        """The element and its siblings, in order."""
        return self.children[self.parents[number]] if number else [0]

    def _number_parents(self) -> list[int]:
        found: list[int] = []
        above: list[tuple[etree._Element | None, int]] = [(None, -1)]
        for number, element in enumerate(self.elements):
            parent = element.getparent()
            while above[-1][0] is not parent:
                above.pop()
            found.append(above[-1][1])
            above.append((element, number))
        return found
