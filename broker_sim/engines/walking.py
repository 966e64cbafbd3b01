"""A parsed document as a row of events, for engines that read documents element by element."""

from __future__ import annotations

from typing import Protocol

from lxml import etree

from broker_sim.engines.documents import written_name


class Listener(Protocol):
    """What is told of the elements of a document, in document order."""

    def start(self, name: str) -> None:
        """An element begins."""

    def end(self) -> None:
        """The innermost open element ends."""


def walk(root: etree._Element, listener: Listener, open_elements: list[etree._Element | None]) -> None:
    """Tell `listener` all events below `root`; `open_elements` is kept by level, with None at level 0."""
    open_elements[:] = [None]
    for element in root.iter("*"):
        parent = element.getparent()
        while open_elements[-1] is not parent:
            listener.end()
            open_elements.pop()
        open_elements.append(element)
        tag: str = element.tag
        listener.start(tag if tag[0] != "{" else written_name(element))
    while len(open_elements) > 1:
        listener.end()
        open_elements.pop()
