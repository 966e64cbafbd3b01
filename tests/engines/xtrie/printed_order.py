"""The referee of the printed order: the definition of section 2 of the XTrie paper, by trying every embedding.

It shares no code with the engine: patterns are read off the `Path`, elements and values come from lxml.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise, product

from lxml import etree

from broker_sim.xpath import Branch, Path, Step


@dataclass
class PatternNode:
    """A node with the allowed distances below its parent; wildcards before a name are part of the distance."""

    name: str
    least: int
    most: int
    tests: list[str] = field(default_factory=list)
    children: list[PatternNode] = field(default_factory=list)
    height: int = 0


def printed_order_matches(path: Path, root: etree._Element) -> bool:
    """Whether nodes that are siblings in the pattern have images in strict post-order."""
    places = {element: place for place, (_, element) in enumerate(etree.iterwalk(root, events=("end",)))}
    pattern = PatternNode("", 0, 0)
    _grow(pattern, path.steps)
    if pattern.height > _depth(root):
        return False
    levels = [(1 + len(list(element.iterancestors())), element) for element in root.iter()]
    return all(
        any(child.least <= level <= child.most and _fits(child, element, places) for level, element in levels)
        for child in pattern.children
    )


def _grow(node: PatternNode, steps: tuple[Step, ...]) -> None:
    least, most = 0, 0
    for number, step in enumerate(steps, 1):
        least += 1
        most = 10**6 if step.axis == "//" or most >= 10**6 else most + 1
        if step.name == "*" and not step.predicates:
            if number == len(steps):
                node.height = max(node.height, least)
            continue
        child = PatternNode(step.name, least, most)
        node.children.append(child)
        for predicate in step.predicates:
            if isinstance(predicate, Branch):
                _grow(child, predicate.steps)
            else:
                child.tests.append(str(predicate))
        node, least, most = child, 0, 0


def _fits(node: PatternNode, element: etree._Element, places: dict[etree._Element, int]) -> bool:
    if node.name not in ("*", element.tag) or node.height > _depth(element) - 1:
        return False
    if not all(element.xpath(f"boolean({test})") for test in node.tests):
        return False
    choices = [sorted(_images(child, element, places)) for child in node.children]
    return any(all(first < second for first, second in pairwise(chosen)) for chosen in product(*choices))


def _images(child: PatternNode, element: etree._Element, places: dict[etree._Element, int]) -> Iterator[int]:
    for below in element.iterdescendants("*"):
        distance = list(below.iterancestors()).index(element) + 1
        if child.least <= distance <= child.most and _fits(child, below, places):
            yield places[below]


def _depth(element: etree._Element) -> int:
    return 1 + max((_depth(child) for child in element.iterchildren("*")), default=0)
