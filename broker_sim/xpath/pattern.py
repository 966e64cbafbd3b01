"""One alternative in the making: a tree of elements that `..` can climb.

The tree lives in parallel lists; a node is an index and keeps it. Node 0 is the document. A node's parent in the tree
is the element above it, or the sibling before it where its axis is following-sibling. The document has at most one
edge, to the root element (`/`) or to some element (`//`), because a step from it that finds the root
already there has to agree with it.

Every way to take a step leaves some number of alternatives: none if the step can never succeed, two where `..` leaves
an element whose parent is unknown.
"""

from __future__ import annotations

from typing import Final

from broker_sim.xpath.expression import CHILD, DESCENDANT, FOLLOWING_SIBLING, WILDCARD, Axis, ValueTest

DOCUMENT: Final = 0


class Pattern:
    """The tree. Steps change it in place or return copies; after a step only what it returned may be used."""

    __slots__ = ("axes", "names", "parents", "root", "tests")

    def __init__(self) -> None:
        self.parents: list[int] = [DOCUMENT]
        self.axes: list[Axis] = [CHILD]
        self.names: list[str] = [""]
        self.tests: list[tuple[ValueTest, ...]] = [()]
        self.root: int | None = None

    def copy(self) -> Pattern:
        """An independent tree with the same nodes."""
        twin = Pattern()
        twin.parents = self.parents.copy()
        twin.axes = self.axes.copy()
        twin.names = self.names.copy()
        twin.tests = self.tests.copy()
        twin.root = self.root
        return twin

    def to_name(self, node: int, axis: Axis, name: str) -> list[At]:
        """Along `axis` to an element called `name`."""
        if node == DOCUMENT and self.root is not None:
            return self._to_known_root(self.root, axis, name)
        if axis == FOLLOWING_SIBLING and (node == DOCUMENT or self._is_root(node)):
            return []
        return [(self, self._added(node, axis, name))]

    def to_parent(self, node: int) -> list[At]:
        """To the element above, or the document above the root."""
        if node == DOCUMENT:
            return []
        while self.axes[node] == FOLLOWING_SIBLING:
            node = self.parents[node]
        above = self.parents[node]
        if self.axes[node] == CHILD:
            return [(self, above)]
        return [*self._placed_below(node, above), self.copy()._lowered(node, above)]

    def to_below(self, node: int) -> list[At]:
        """To the element itself or any below it."""
        if node == DOCUMENT and self.root is not None:
            node = self.root
        if node == DOCUMENT:
            return [(self, self._added(node, DESCENDANT, WILDCARD))]
        lower = self.copy()
        return [(self, node), (lower, lower._added(node, DESCENDANT, WILDCARD))]

    def to_having(self, node: int, test: ValueTest) -> list[At]:
        """Stay, if the element passes the test. The document has the string value of its root, and nothing else."""
        holder = node
        if node == DOCUMENT:
            if self.root is None or test.subject != ".":
                return []
            holder = self.root
        self.tests[holder] += (test,)
        return [(self, node)]

    def _to_known_root(self, root: int, axis: Axis, name: str) -> list[At]:
        if axis == FOLLOWING_SIBLING:
            return []
        below: list[At] = []
        if axis == DESCENDANT:
            lower = self.copy()
            below.append((lower, lower._added(root, DESCENDANT, name)))
        if WILDCARD not in (name, self.names[root]) and name != self.names[root]:
            return below
        if name != WILDCARD:
            self.names[root] = name
        return [(self, root), *below]

    def _placed_below(self, node: int, above: int) -> list[At]:
        """`node`, somewhere below `above`, as its child; the root element has no siblings."""
        if above == DOCUMENT and self._has_sibling(node):
            return []
        placed = self.copy()
        placed.axes[node] = CHILD
        return [(placed, above)]

    def _lowered(self, node: int, above: int) -> At:
        """`node`, somewhere below `above`, as the child of another element that is."""
        between = self._added(above, DESCENDANT, WILDCARD)
        self.parents[node] = between
        self.axes[node] = CHILD
        return self, between

    def _added(self, parent: int, axis: Axis, name: str) -> int:
        self.parents.append(parent)
        self.axes.append(axis)
        self.names.append(name)
        self.tests.append(())
        node = len(self.parents) - 1
        if parent == DOCUMENT:
            self.root = node
        return node

    def _is_root(self, node: int) -> bool:
        return self.parents[node] == DOCUMENT and self.axes[node] == CHILD

    def _has_sibling(self, node: int) -> bool:
        return any(
            axis == FOLLOWING_SIBLING and parent == node for parent, axis in zip(self.parents, self.axes, strict=True)
        )


At = tuple[Pattern, int]
"""An alternative and the node that its path has reached."""
