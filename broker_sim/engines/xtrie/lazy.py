"""Lazy XTrie: the substring table is asked only about leaves (end of section 4.2 of the XTrie paper).

For a substring that ends at an element and is not the last of any pattern, only the level is noted. A leaf looks
upwards: at which levels did the substring of its parent end, and of those, at which the one above. In sets of levels, a
pattern without branches costs a few operations for each row that is still possible, however often its substrings occur.
"""

from __future__ import annotations

from broker_sim.engines.xtrie.decomposition import NONE
from broker_sim.engines.xtrie.index import WILD, XTrieIndex
from broker_sim.engines.xtrie.run import Reader, Run
from broker_sim.engines.xtrie.visits import Rows, Visit


class LazyRun(Run):
    """Notes the levels of substrings, by their trie node."""

    def __init__(self, index: XTrieIndex, reader: Reader) -> None:
        super().__init__(index, reader)
        self._levels: dict[int, int] = {}

    def _probe(self, visit: Visit) -> None:
        levels, level = self._levels, 1 << self._level
        for node in visit.inner:
            levels[node] = levels.get(node, 0) | level
        for rows in visit.plain:
            self._match_plain(rows, level)
        for rows in visit.others:
            self._complete_all(rows, self._level)
        for rows in (self._index.wild.plain, self._index.wild.others):
            self._complete_all(rows, self._level)

    def _match_plain(self, rows: Rows, level: int) -> None:
        """`_complete` for leaves of patterns without branches, written out: most of the time is spent here."""
        matched, owner, levels = self._matched, self._owner, self._levels
        rel_level, parent_row, node = self._rel_level, self._parent_row, self._node
        for leaf in rows:
            if matched[owner[leaf]]:
                continue
            row, reach = leaf, level
            while reach:
                distance = rel_level[row]
                if distance >= 0:
                    reach >>= distance
                else:
                    distance += reach.bit_length() + 1
                    reach = (1 << distance) - 1 if distance > 0 else 0
                row = parent_row[row]
                if row == NONE:
                    if reach & 1:
                        matched[owner[leaf]] = 1
                    break
                above = node[row]
                reach &= levels.get(above, 0) if above != WILD else -2

    def _leave(self, visit: Visit) -> None:
        level = 1 << self._level
        for node in visit.inner:
            self._levels[node] ^= level

    def _levels_of(self, row: int) -> int:
        node = self._node[row]
        return self._levels.get(node, 0) if node != WILD else -2

    def _is_open(self, row: int, level: int) -> bool:
        return True
