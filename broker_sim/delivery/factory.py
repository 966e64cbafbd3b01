"""The message factory: groups become XML text.

Section 2.1 of "Query Processing for High-Volume XML Message Brokering" (VLDB 2003). The constant tags of a query are
text already; elements of the document are copied, each written at most once per document however many messages hold it.
A message costs its own length.
"""

from __future__ import annotations

from lxml import etree

from broker_sim.delivery.groups import Groups
from broker_sim.delivery.query import Query
from broker_sim.engines.outline import Outline


class MessageFactory:
    """Writes the messages of one document."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline
        self._written: dict[int, str] = {}

    def message(self, query: Query, groups: Groups) -> str:
        """The whole result of a query."""
        first, *rest = query.template.parts
        parts = [query.opening]
        for _, lists in groups.rows():
            parts.append(first)
            for elements, constant in zip(lists, rest, strict=True):
                parts += map(self._element, elements)
                parts.append(constant)
        parts.append(query.closing)
        return "".join(parts)

    def _element(self, number: int) -> str:
        text = self._written.get(number)
        if text is None:
            text = etree.tostring(self._outline.elements[number], encoding="unicode", with_tail=False)
            self._written[number] = text
        return text
