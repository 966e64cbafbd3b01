"""An XPE-tree as rows: section 3.1 of the XTrie paper.

A *substring* is a run of names joined by `/`. The *minimal* decomposition of a pattern consists of its longest
substrings; the *simple* one adds, for each node that branches, the longest substring that ends there, so that a branch
knows where it hangs. Each substring is a row. Rows form the substring tree: the parent of a row is the row that
ends at the nearest node above, and the relative level of a row is the sum of those of the nodes between.

Beyond the paper, a node with tests on values or on its height counts as one that branches: the tests become a row
of their own, a child with the same substring at relative level 0. So tests occur at leaves only, and whatever
waits for text or depth looks like a branch that is not there yet. A leaf keeps its tests itself.

In the `ordered` form the children of a branching node end a substring too, since their order is compared element by
element, and each child comes after the one before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from broker_sim.engines.xtrie.xpe_tree import DOCUMENT, Node, RelLevel
from broker_sim.xpath import WILDCARD, ValueTest

Substring = tuple[str, ...]

NONE: Final = -1

ANYTHING: Final[Substring] = (WILDCARD,)
"""The substring of a node that any element fits."""


@dataclass(frozen=True, slots=True)
class Row:
    """A substring of one pattern; `parent` and `after` are positions among the pattern's rows."""

    substring: Substring
    parent: int
    rel_level: RelLevel
    rank: int
    num_child: int
    tests: tuple[ValueTest, ...] = ()
    height: int = 0
    after: int = NONE

    @property
    def is_leaf(self) -> bool:
        """Whether nothing hangs below the row."""
        return self.num_child == 0


def decompose(document: Node, *, ordered: bool = False) -> list[Row]:
    """The rows of a pattern, parents before children, as a walk of the tree meets them."""
    found = _Decomposition(ordered)
    if document.children:
        found.descend(document.children[0], (), NONE, RelLevel(0), 1, NONE)
    else:
        found.rows.append(Row((), NONE, RelLevel(0), 1, 0, height=document.height))
    return found.rows


class _Decomposition:
    def __init__(self, ordered: bool) -> None:
        self.rows: list[Row] = []
        self._ordered = ordered

    def descend(self, node: Node, run: Substring, parent: int, above: RelLevel, rank: int, after: int) -> int:
        """Add the rows of `node` and below; returns the row that stands for it among the children of `parent`.

        `run` is the substring that ends above the node, `above` the level of that place relative to `parent`.
        """
        while True:
            run = (*run, node.name) if node.is_joined else (node.name,)
            above = RelLevel(above.least + node.rel_level.least, above.unbounded or node.rel_level.unbounded)
            if self._ends_substring(node):
                return self._add(node, run, parent, above, rank, after)
            node = node.children[0]

    def _ends_substring(self, node: Node) -> bool:
        if len(node.children) != 1 or node.tests or node.height or not node.children[0].is_joined:
            return True
        above = node.parent
        return self._ordered and above is not None and above.name != DOCUMENT and len(above.children) > 1

    def _add(self, node: Node, run: Substring, parent: int, level: RelLevel, rank: int, after: int) -> int:
        place = len(self.rows)
        tested = bool(node.tests or node.height)
        tests = tuple(node.tests)
        if not node.children:
            self.rows.append(Row(run, parent, level, rank, 0, tests, node.height, after))
            return place
        self.rows.append(Row(run, parent, level, rank, len(node.children) + tested, after=after))
        if tested:
            self.rows.append(Row(run, place, RelLevel(0), len(node.children) + 1, 0, tests, node.height))
        self._descend_all(node, run, place)
        return place

    def _descend_all(self, node: Node, run: Substring, place: int) -> None:
        rows: dict[int, int] = {}
        before = NONE
        for rank, child in enumerate(node.children, 1):
            if not self._ordered:
                before = rows[id(child.after)] if child.after is not None else NONE
            before = rows[id(child)] = self.descend(child, run, place, RelLevel(0), rank, before)
