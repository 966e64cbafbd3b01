"""Eager XTrie: every substring that ends at an element is looked up in the table, as in figure 5 of the XTrie paper.

MATCH-SUBSTRING is `_probe`. A row is open at an element if its substring ends there and its parent is open at a level
that fits: then the pattern matches from its root down to here. Leaves that are open complete what is above them.
A row that could only complete what its parent has already is redundant and is not opened.
"""

from __future__ import annotations

from collections.abc import Iterable

from broker_sim.engines.xtrie.chains import OTHERS
from broker_sim.engines.xtrie.decomposition import NONE
from broker_sim.engines.xtrie.index import XTrieIndex
from broker_sim.engines.xtrie.run import Reader, Run, Visit, below
from broker_sim.engines.xtrie.table import BRANCH, PLAIN, TESTED


class EagerRun(Run):
    """Notes the levels at which rows are open; above the top of a pattern is the document, at level 0."""

    def __init__(self, index: XTrieIndex, reader: Reader) -> None:
        super().__init__(index, reader)
        self._open: dict[int, int] = {NONE: 1}
        self._opened: list[list[int]] = []

    def _probe(self, visit: Visit) -> None:
        if visit.is_new:
            groups = [(self._chains.group(at, self._level), self._chains.group(at, OTHERS)) for at in visit.records]
            visit.tops = [tops for tops, _ in groups if tops]
            visit.rows = [rows for _, rows in groups if rows]
        self._opened.append([])
        for tops in visit.tops:
            self._open.update(dict.fromkeys(tops, 1 << self._level))
        for rows in visit.rows:
            self._open_rows(rows)

    def _open_rows(self, rows: Iterable[int]) -> None:
        """Open the rows that continue a matching from above; of a pattern, parents come before children."""
        matched, owner, levels_of, num_child = self._matched, self._owner, self._open.get, self._num_child
        rel_level, parent_row = self._rel_level, self._parent_row
        here = 1 << self._level
        for row in rows:
            above = levels_of(parent_row[row])
            if not above or matched[owner[row]]:
                continue
            distance = rel_level[row]
            above &= here >> distance if distance >= 0 else below(here, ~distance)
            if above:
                parent = parent_row[row]
                if parent == NONE or num_child[parent] == 1 or self._lacks(parent, row, above):
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

    def _leave(self, visit: Visit) -> None:
        opened, others = self._open, ~(1 << self._level)
        for rows in visit.tops:
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
