"""The publish algorithm (section 3.1): a document becomes the rows of XMLFrame and XMLValue.

A counter gives every node its start point when it is first seen and its end point when it is left. Nodes are the
document itself (called `/`, depth 0), elements, attributes and text nodes; an attribute or text is one level below
its element. Every element is listed a second time as `*`, every attribute as `@*`: a join on names then serves
wildcards too. `above` is the start point of an element's parent, which siblings share.

Values are stored for those nodes that some predicate names, each with the number that XPath reads from it. The value
of an element is all text inside it, so storing those that no one asks for could cost (text) x (depth).
"""

from __future__ import annotations

from array import array
from collections.abc import Container
from typing import Final

import pyarrow as pa
from lxml import etree

from broker_sim.engines.documents import string_value, text_nodes, written_attributes, written_name
from broker_sim.engines.relational.numbers import text_number
from broker_sim.engines.relational.subscribing import DOCUMENT
from broker_sim.engines.relational.tables import XML_DESCENT, XML_FRAME, XML_VALUE, Row, Table, arrow

TEXT: Final = "text()"


class Publication:
    """The rows of some documents; `asked` are the nodes whose values are wanted."""

    def __init__(self, asked: Container[str]) -> None:
        self._asked = asked
        self._frame: list[Row] = []
        self._values: list[Row] = []
        self._descent = (array("q"), array("q"), array("q"))
        self._doc = 0
        self._counter = 0
        self._open: list[int] = []
        self.depth = 0

    def add(self, doc: int, root: etree._Element) -> None:
        """Label the nodes of a document."""
        self._doc, self._counter = doc, 0
        self._enter()
        for event, element in etree.iterwalk(root, events=("start", "end")):
            if not isinstance(element.tag, str):
                continue
            if event == "start":
                self._enter()
                self._leaves(element)
            else:
                self._leave_element(element)
        self._frame.append((doc, DOCUMENT, *self._leave(), 0, None))

    def tables(self) -> list[tuple[Table, pa.Table]]:
        """The rows, for each table."""
        descent = pa.Table.from_arrays([pa.array(column) for column in self._descent], schema=XML_DESCENT.schema)
        return [
            (XML_FRAME, arrow(XML_FRAME, self._frame)),
            (XML_VALUE, arrow(XML_VALUE, self._values)),
            (XML_DESCENT, descent),
        ]

    def _leaves(self, element: etree._Element) -> None:
        for attribute, value in written_attributes(element).items():
            self._leaf((f"@{attribute}", "@*"), value)
        for text in text_nodes(element):
            self._leaf((TEXT,), text)

    def _leaf(self, nodes: tuple[str, ...], value: str) -> None:
        self._enter()
        start, end = self._leave()
        for node in nodes:
            self._frame.append((self._doc, node, start, end, len(self._open), None))
            if node in self._asked:
                self._value(node, start, value)

    def _leave_element(self, element: etree._Element) -> None:
        start, end = self._leave()
        for node in (written_name(element), "*"):
            self._frame.append((self._doc, node, start, end, len(self._open), self._open[-1]))
            if node in self._asked:
                self._value(node, start, string_value(element))

    def _enter(self) -> None:
        """A new node: its start point, and that it lies below all that are open."""
        self._counter += 1
        docs, highs, lows = self._descent
        depth = len(self._open)
        docs.extend([self._doc] * depth)
        highs.extend(self._open)
        lows.extend([self._counter] * depth)
        self._open.append(self._counter)
        self.depth = max(self.depth, depth)

    def _leave(self) -> tuple[int, int]:
        self._counter += 1
        return self._open.pop(), self._counter

    def _value(self, node: str, start: int, value: str) -> None:
        self._values.append((self._doc, node, start, value, text_number(value)))
