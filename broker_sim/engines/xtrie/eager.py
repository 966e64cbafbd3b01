"""Eager XTrie: every substring that ends at an element is looked up in the table, as in figure 5 of the XTrie paper.

MATCH-SUBSTRING is `_probe`. A row is open at an element if its substring ends there and its parent is open at a level
that fits: then the pattern matches from its root down to here. Leaves that are open complete what is above them.
A row that could only complete what its parent has already is redundant and is not opened.
"""

from __future__ import annotations

from collections.abc import Iterable

from broker_sim.engines.xtrie.chains import OTHERS, Rows
from broker_sim.engines.xtrie.decomposition import NONE
from broker_sim.engines.xtrie.index import XTrieIndex
from broker_sim.engines.xtrie.run import Reader, Run, below
from broker_sim.engines.xtrie.table import BRANCH, PLAIN, TESTED


class EagerRun(Run):
    """Notes the levels at which rows are open."""

    def __init__(self, index: XTrieIndex, reader: Reader) -> None:
        super().__init__(index, reader)
        self._open: dict[int, int] = {}
        self._opened: list[list[int]] = []
        self._tops: list[list[Rows | tuple[()]]] = []

    def _probe(self, inner: list[int]) -> None:
        here = 1 << self._level
        tops: list[Rows | tuple[()]] = []
        self._opened.append([])
        self._tops.append(tops)
        for at in self._records[-1]:
            rows = self._chains.group(at, self._level)
            if rows:
                tops.append(rows)
                self._open.update(dict.fromkeys(rows, here))
            self._open_rows(self._chains.group(at, OTHERS))

    def _open_rows(self, rows: Iterable[int]) -> None:
        """Open the rows that continue a matching from above; of a pattern, parents come before children."""
        matched, owner, opened, num_child = self._matched, self._owner, self._open, self._num_child
        rel_level, parent_row = self._rel_level, self._parent_row
        here = 1 << self._level
        for row in rows:
            parent = parent_row[row]
            above = opened.get(parent) if parent != NONE else 1
            if not above or matched[owner[row]]:
                continue
            distance = rel_level[row]
            above &= here >> distance if distance >= 0 else below(here, ~distance)
            if above and (parent == NONE or num_child[parent] == 1 or self._lacks(parent, row, above)):
                self._open_row(row, here)

    def _open_row(self, row: int, here: int) -> None:
        kind = self._table.kind[row]
        if kind == PLAIN:
            self._matched[self._owner[row]] = 1
            return
        self._open[row] = self._open.get(row, 0) | here
        self._opened[-1].append(row)
        if kind == BRANCH or (kind == TESTED and self._passes(row, self._level)):
            self._complete(row, here)

    def _leave(self) -> None:
        opened, others = self._open, ~(1 << self._level)
        for rows in self._tops.pop():
            for row in rows:
                del opened[row]
        for row in self._opened.pop():
            levels = opened.pop(row, 0) & others
            if levels:
                opened[row] = levels

    def _forget_redundant(self, row: int, reach: int) -> None:
        """Matchings of `row` above are redundant: their parents have it now. In the printed order they may count."""
        if not self._index.ordered and row in self._open:
            self._open[row] &= -(1 << (reach.bit_length() - 1))

    def _levels_of(self, row: int) -> int:
        return self._open.get(row, 0)

    def _is_open(self, row: int, level: int) -> bool:
        return level == 0 or self._open.get(row, 0) >> level & 1 == 1
