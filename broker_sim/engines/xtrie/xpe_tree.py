"""A path as an XPE-tree: section 2 of the XTrie paper, for the whole subscription language.

A node has an element name and a *relative level*: how far below its parent it lies, exactly or at least. Steps that are
only `*` are no nodes; they add to the relative level of the next name. The paper's trees have names, `/`, `//` and
`*` only. We add:

- A `*` that carries a predicate, branches or has siblings is a node that any element fits. A path that *ends* with k
  wildcards asks only how deep its last node reaches: `/a/*/*` is `a` with a *height* of at least 2.
- Tests on attributes and text stay at their node.
- Siblings: `b/following-sibling::c` makes `b` and `c` children of the same node, and `c` comes *after* `b`. Where the
  parent has no node of its own (`/a//b/following-sibling::c`), it gets one: a `*` at `a` itself or below.

The tree of a path has as many nodes as the path has steps, at most twice that where siblings need parents.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from broker_sim.xpath import DESCENDANT, FOLLOWING_SIBLING, WILDCARD, Branch, Path, Step, ValueTest

DOCUMENT: Final = ""
"""The name of the node above the root element, at level 0."""


class RelLevel(NamedTuple):
    """The paper's [k, k] or, where `unbounded`, [k, infinity]."""

    least: int
    unbounded: bool = False


CHILD_LEVEL: Final = RelLevel(1)


@dataclass(slots=True, eq=False)
class Node:
    """An element that must exist, `rel_level` below its parent; `after` is a sibling that must come before it."""

    name: str
    rel_level: RelLevel
    parent: Node | None = None
    children: list[Node] = field(default_factory=list)
    tests: list[ValueTest] = field(default_factory=list)
    height: int = 0
    after: Node | None = None

    def grow(self, name: str, rel_level: RelLevel, after: Node | None = None) -> Node:
        """A new last child."""
        child = Node(name, rel_level, self, after=after)
        self.children.append(child)
        return child

    @property
    def is_joined(self) -> bool:
        """Whether the node continues the substring of its parent: both have names and a `/` between them."""
        above = self.parent
        named = above is not None and above.name not in (DOCUMENT, WILDCARD)
        return named and self.rel_level == CHILD_LEVEL and self.name != WILDCARD


def xpe_tree(path: Path) -> Node | None:
    """The document node of the tree; None if no document can match, because the root element has no siblings."""
    document = Node(DOCUMENT, RelLevel(0))
    return document if _grow(document, path.steps) else None


def has_siblings(path: Path | Branch) -> bool:
    """Whether `following-sibling::` occurs anywhere in the path."""
    return any(
        step.axis == FOLLOWING_SIBLING
        or any(isinstance(part, Branch) and has_siblings(part) for part in step.predicates)
        for step in path.steps
    )


def _grow(node: Node, steps: tuple[Step, ...]) -> bool:
    """Hang `steps` below `node`; False if they can never match."""
    least, unbounded = 0, False
    for place, step in enumerate(steps):
        if step.axis == FOLLOWING_SIBLING:
            parent = _parent_of_siblings(node)
            if parent is None:
                return False
            node = parent.grow(step.name, CHILD_LEVEL, after=node)
        else:
            least, unbounded = least + 1, unbounded or step.axis == DESCENDANT
            if step.name == WILDCARD and not step.predicates:
                if place + 1 == len(steps):
                    node.height = max(node.height, least)
                    return True
                if steps[place + 1].axis != FOLLOWING_SIBLING:
                    continue
            node = node.grow(step.name, RelLevel(least, unbounded))
            least, unbounded = 0, False
        if not _grow_predicates(node, step):
            return False
    return True


def _grow_predicates(node: Node, step: Step) -> bool:
    for predicate in step.predicates:
        if isinstance(predicate, Branch):
            if not _grow(node, predicate.steps):
                return False
        else:
            node.tests.append(predicate)
    return True


def _parent_of_siblings(node: Node) -> Node | None:
    """The node of the element right above `node`, made if there is none; None above the root element."""
    above = node.parent
    if above is None:
        return None
    least, unbounded = node.rel_level
    if node.rel_level == CHILD_LEVEL:
        return above if above.name != DOCUMENT else None
    lowest = 1 if above.name == DOCUMENT else 0
    between = Node(WILDCARD, RelLevel(max(least - 1, lowest), unbounded), above)
    above.children[above.children.index(node)] = between
    between.children.append(node)
    node.parent, node.rel_level = between, CHILD_LEVEL
    return between
