"""The substring table: section 4.1 of the XTrie paper.

One row for each substring of each pattern, the rows of a subscription next to each other, in columns of plain numbers:
`parent_row`, `rel_level`, `rank`, `num_child` and `next_row` as in the paper, and three that the paper leaves implicit:
the trie `node` of the substring (lazy matching asks for it), the `owner`, and the `kind`, which says when a leaf is
complete. `next_row` chains the rows with the same substring; new rows enter at the front, so that of two rows of one
pattern the later comes first, as the paper asks. A leaf has no children; its `num_child` holds its height, the depth
that it needs below its element. What few rows have (tests, an order among siblings) is kept in dictionaries. A row
takes 23 bytes.

Rows of subscriptions that left are used again for one with as many rows.
"""

from __future__ import annotations

from array import array
from typing import Final

from broker_sim.engines.xtrie.decomposition import NONE, Row
from broker_sim.engines.xtrie.xpe_tree import RelLevel
from broker_sim.xpath import ValueTest

INNER: Final = 0
"""The kind of a row with children."""
PLAIN: Final = 1
"""A leaf that is complete where its element begins, of a pattern without branches."""
BRANCH: Final = 2
"""As `PLAIN`, of a pattern with branches."""
TESTED: Final = 3
"""A leaf with tests on attributes, which decide where its element begins."""
HEIGHT: Final = 4
"""A leaf that is complete when the document goes deep enough below its element."""
END: Final = 5
"""A leaf that is complete where its element ends: tests on text, or an order that only then is known."""


def level_code(level: RelLevel) -> int:
    """A relative level as one number: k for exactly k, ~k for at least k."""
    return ~level.least if level.unbounded else level.least


class SubstringTable:
    """The columns; owners are numbers of the caller's choice, `tall` is how many leaves have a height."""

    def __init__(self) -> None:
        self.parent_row = array("i")
        self.rel_level = array("h")
        self.rank = array("H")
        self.num_child = array("H")
        self.next_row = array("i")
        self.node = array("i")
        self.owner = array("i")
        self.kind = array("B")
        self.tests: dict[int, tuple[ValueTest, ...]] = {}
        self.after: dict[int, int] = {}
        self.ordered: set[int] = set()
        self.tall = 0
        self._spare: dict[int, list[int]] = {}

    def __len__(self) -> int:
        return len(self.owner)

    def reserve(self, number: int) -> int:
        """The first of `number` rows in a row that are free."""
        spare = self._spare.get(number)
        if spare:
            return spare.pop()
        first = len(self)
        for column in (self.parent_row, self.next_row, self.node, self.owner):
            column.extend([NONE] * number)
        for column in (self.rel_level, self.rank, self.num_child, self.kind):
            column.extend([0] * number)
        return first

    def write(self, at: int, row: Row, base: int, owner: int, kind: int) -> None:
        """Fill row `at` for a pattern whose first row is `base`; `node` and `next_row` are set by `link`."""
        self.parent_row[at] = NONE if row.parent == NONE else base + row.parent
        self.rel_level[at] = level_code(row.rel_level)
        self.rank[at], self.num_child[at] = row.rank, row.num_child or row.height
        self.owner[at], self.kind[at] = owner, kind
        if row.tests:
            self.tests[at] = row.tests
        self.tall += row.height > 0
        if row.after != NONE:
            self.after[at] = base + row.after
            self.ordered.add(base + row.after)

    def height(self, leaf: int) -> int:
        """The depth that a leaf needs below its element."""
        return self.num_child[leaf]

    def parent_node(self, row: int) -> int:
        """The trie node of the row above, NONE at the top of a pattern."""
        parent = self.parent_row[row]
        return NONE if parent == NONE else self.node[parent]

    def link(self, at: int, node: int, first: int) -> int:
        """Put row `at` in front of the chain of `node` that begins at `first`; returns the new beginning."""
        self.node[at], self.next_row[at] = node, first
        return at

    def unlink(self, at: int, first: int) -> int:
        """Take row `at` out of the chain that begins at `first`; returns the new beginning."""
        if at == first:
            return self.next_row[at]
        before = first
        while self.next_row[before] != at:
            before = self.next_row[before]
        self.next_row[before] = self.next_row[at]
        return first

    def rows_of(self, first: int) -> range:
        """The rows of the owner of row `first`, which is the first of them."""
        owner, last = self.owner[first], first
        while last < len(self) and self.owner[last] == owner:
            last += 1
        return range(first, last)

    def free(self, rows: range) -> None:
        """Forget rows that are in no chain any more."""
        for row in rows:
            self.owner[row] = self.node[row] = NONE
            self.tall -= self.kind[row] != INNER and self.num_child[row] > 0
            self.tests.pop(row, None)
            self.after.pop(row, None)
            self.ordered.discard(row)
        if rows:
            self._spare.setdefault(len(rows), []).append(rows.start)
