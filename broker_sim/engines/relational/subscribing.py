"""The subscribe algorithm (section 3.2): an XPath becomes the edges and predicates of its tree, level by level.

A `*` that only passes on, with one edge to it and one from it, is merged into a single edge whose depth difference is
the sum; `//` leaves the difference without bound. So `/`, `//` and merged edges are stored alike. Any other `*` is a
node called `*`, since something is asked of it; documents list every element under that name too.

An expression of n steps costs O(n).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from broker_sim.engines.relational.numbers import wanted_number
from broker_sim.engines.relational.tables import Row
from broker_sim.xpath import CHILD, FOLLOWING_SIBLING, WILDCARD, Axis, Branch, Path, Step, ValueTest
from broker_sim.xpath.expression import literal_text

DOCUMENT: Final = "/"
UNBOUNDED: Final = 2**31 - 1
OPERATIONS: Final = {"=": 0, ">": 1, ">=": 2, "<": 3, "<=": 4, "!=": 5}
TEXT_OPERATIONS: Final = {"=": 6, "!=": 7}

Difference = tuple[int, int]
"""The least and the most levels that lie between two nodes; zero for siblings."""

_SIBLING: Final[Difference] = (0, 0)
_NEXT: Final[Difference] = (1, 1)


@dataclass(slots=True)
class _Node:
    """A node of the XPath's tree: its name, the edge to it, what hangs below, what is asked of its value."""

    name: str
    difference: Difference
    children: list[_Node] = field(default_factory=list)
    tests: list[ValueTest] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Level:
    """The rows of one XPath for the tables of one level, without its id, and the tests that its predicates make."""

    edges: tuple[Row, ...]
    predicates: tuple[Row, ...]
    tests: tuple[Row, ...]


def levels_of(path: Path) -> list[Level]:
    """The rows of an XPath, from the document downwards."""
    return _numbered(_merged(_tree(path)))


def _tree(path: Path) -> _Node:
    document = _Node(DOCUMENT, _NEXT)
    _hang(document, path.steps)
    return document


def _hang(node: _Node, steps: Sequence[Step]) -> None:
    for step in steps:
        below = _Node(step.name, _difference(step.axis))
        node.children.append(below)
        node = below
        for predicate in step.predicates:
            if isinstance(predicate, Branch):
                _hang(node, predicate.steps)
            else:
                _ask(node, predicate)


def _difference(axis: Axis) -> Difference:
    if axis == FOLLOWING_SIBLING:
        return _SIBLING
    return _NEXT if axis == CHILD else (1, UNBOUNDED)


def _ask(node: _Node, test: ValueTest) -> None:
    holder = node
    if test.subject != ".":
        holder = _Node(test.subject, _NEXT)
        node.children.append(holder)
    if test.operator is not None:
        holder.tests.append(test)


def _merged(document: _Node) -> _Node:
    """The tree without the wildcards that only pass on."""
    nodes = [document]
    for node in nodes:
        node.children = [_shortened(child) for child in node.children]
        nodes.extend(node.children)
    return document


def _shortened(node: _Node) -> _Node:
    while node.name == WILDCARD and len(node.children) == 1 and not node.tests:
        (below,) = node.children
        if _SIBLING in (node.difference, below.difference):
            break
        below.difference = _sum(node.difference, below.difference)
        node = below
    return node


def _sum(first: Difference, second: Difference) -> Difference:
    bounded = UNBOUNDED not in (first[1], second[1])
    return first[0] + second[0], first[1] + second[1] if bounded else UNBOUNDED


def _numbered(document: _Node) -> list[Level]:
    """The levels of a tree; serial numbers are places in a level, predicates behind the nodes."""
    found: list[list[_Node]] = []
    nodes = [document]
    while any(node.children or node.tests for node in nodes):
        found.append(nodes)
        nodes = [child for node in nodes for child in node.children]
    return [_level(nodes, level == len(found)) for level, nodes in enumerate(found, 1)]


def _level(nodes: list[_Node], bottom: bool) -> Level:
    """What leaves the nodes of equal depth."""
    edges: list[Row] = []
    for number, node in enumerate(nodes):
        for child in node.children:
            edges.append(_edge(node, number, child, len(edges), bottom))
    predicates: list[Row] = []
    tests: list[Row] = []
    for number, node in enumerate(nodes):
        for asked in node.tests:
            test = _test(node, asked)
            tests.append(test)
            predicates.append((number, len(edges) + len(predicates), *test[:3], _branches(node), bottom))
    return Level(tuple(edges), tuple(predicates), tuple(tests))


def _edge(high: _Node, high_number: int, low: _Node, low_number: int, bottom: bool) -> Row:
    final = not _branches(low)
    return high_number, low_number, high.name, low.name, *low.difference, _branches(high), final, bottom


def _branches(node: _Node) -> int:
    return len(node.children) + len(node.tests)


def _test(node: _Node, test: ValueTest) -> Row:
    """Node, operation, value as written, and the number that it is compared as, if it is."""
    assert test.operator is not None
    assert test.literal is not None
    if isinstance(test.literal, str) and test.operator in TEXT_OPERATIONS:
        return node.name, TEXT_OPERATIONS[test.operator], test.literal, None
    value = test.literal if isinstance(test.literal, str) else literal_text(test.literal)
    return node.name, OPERATIONS[test.operator], value, wanted_number(test.literal)
