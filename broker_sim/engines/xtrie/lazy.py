"""Lazy XTrie: the substring table is asked only about leaves (end of section 4.2 of the XTrie paper).

For a substring that ends at an element and is not the last of any pattern, only the level is noted. A leaf looks
upwards: at which levels did the substring of its parent end, and of those, at which the one above. Levels are sets, so
that costs a few operations however often the substrings occur.

The leaves of a substring are found by the substring of their parent, and few substrings are open at any time. So the
table is asked only about leaves whose parent is there too, of all the patterns that end with the same names. (The
paper's chains do not help with that; what lazy matching must find out about ancestors is left to a report.) Whether a
pattern without branches matches at an element depends on nothing but the names from the root down, so leaves of such
patterns are looked up at the first element with these names: at the others any matching is redundant.
"""

from __future__ import annotations

from bisect import bisect_left

from broker_sim.engines.xtrie.chains import HAS_INNER, HAS_OTHERS, HEAD, OTHERS, Rows
from broker_sim.engines.xtrie.decomposition import NONE
from broker_sim.engines.xtrie.index import TOP, WILD, XTrieIndex
from broker_sim.engines.xtrie.run import Reader, Run, Visit, below


class LazyRun(Run):
    """Notes the levels of the substrings that are open, by trie node; the document is open at level 0."""

    def __init__(self, index: XTrieIndex, reader: Reader) -> None:
        super().__init__(index, reader)
        self._levels: dict[int, int] = {NONE: 1, WILD: -2}

    def _probe(self, visit: Visit) -> None:
        levels, level = self._levels, 1 << self._level
        for node in visit.inner:
            levels[node] = levels.get(node, 0) | level
        for at in visit.records:
            flags, last = self._data[at + 1], at + HEAD + self._data[at]
            if visit.is_new:
                first = bisect_left(self._data, TOP, at + HEAD, last) if flags & ~HAS_INNER else at + HEAD
                if first < last:
                    self._match_plain(at, first, last)
            if flags & HAS_OTHERS:
                self._complete_all(self._chains.group(at, OTHERS), self._level)

    def _match_plain(self, at: int, first: int, last: int) -> None:
        """Complete the leaves of patterns without branches, of those whose parent's substring is open."""
        levels, data, level = self._levels, self._data, 1 << self._level
        number = data[at]
        if last - first <= len(levels):
            for key in range(first, last):
                if data[key] in levels:
                    self._look_up(data[data[key + number] : data[key + number + 1]], level)
            return
        for node in levels:
            key = bisect_left(data, node, first, last)
            if key < last and data[key] == node:
                self._look_up(data[data[key + number] : data[key + number + 1]], level)

    def _look_up(self, rows: Rows, level: int) -> None:
        """`_complete` for leaves, written out: most of the time is spent here."""
        matched, owner, levels = self._matched, self._owner, self._levels
        rel_level, parent_row, node = self._rel_level, self._parent_row, self._node
        for leaf in rows:
            if matched[owner[leaf]]:
                continue
            row, reach = leaf, level
            while row != NONE and reach:
                distance = rel_level[row]
                if distance >= 0:
                    reach >>= distance
                else:
                    distance += reach.bit_length() + 1
                    reach = (1 << distance) - 1 if distance > 0 else 0
                row = parent_row[row]
                reach &= levels.get(node[row], 0) if row != NONE else 1
            if reach:
                matched[owner[leaf]] = 1

    def _leave(self, visit: Visit) -> None:
        levels, others = self._levels, ~(1 << self._level)
        for node in visit.inner:
            left = levels[node] & others
            if left:
                levels[node] = left
            else:
                del levels[node]

    def _levels_of(self, row: int) -> int:
        return self._levels.get(self._node[row], 0)

    def _is_open(self, row: int, level: int) -> bool:
        """Whether all rows above are open at levels that fit, and the parent still lacks this one."""
        reach, child = 1 << level, row
        while reach:
            distance = self._rel_level[row]
            reach = reach >> distance if distance >= 0 else below(reach, ~distance)
            parent = self._parent_row[row]
            if parent == NONE:
                return reach & 1 == 1
            reach &= self._levels_of(parent)
            if row == child and self._num_child[parent] > 1 and not self._lacks(parent, row, reach):
                return False
            row = parent
        return False
