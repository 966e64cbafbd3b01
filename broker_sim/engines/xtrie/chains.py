"""The chains of the substring table as documents need them, read where documents pass.

`next_row` links the rows of a substring in the order in which they came. Matching wants to skip most of them: lazy
matching asks only for leaves whose parent's substring is open, eager matching only for inner rows at the top of a
pattern whose level is right, and what waits for depth or for the end of an element is asked for only there. So a chain
that a document meets is read once into a *record*: rows grouped by a key, keys in order, all in one array of numbers.

    number of keys n, flags, n keys, n + 1 places in the array, rows

A key that is no `special` one is, for lazy matching, the trie node of the parent (NONE: it has none), for eager
matching the level where the element must be. A record takes 12 bytes, 8 for a key, 4 for a row, and nothing else is
kept after a document; chains that only have inner rows share one record in lazy matching. So what documents leave
behind is bounded by the index: `at` has 4 bytes for each trie node, and a row is in at most one record (in eager
matching twice, if it waits). Changes to the index drop the records; the next document reads its chains again.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter
from typing import Final, TypeAlias

from broker_sim.engines.streaming import TEXT, VALUE
from broker_sim.engines.xtrie.decomposition import NONE
from broker_sim.engines.xtrie.table import END, HEIGHT, INNER, PLAIN, SubstringTable

Rows: TypeAlias = "array[int]"

HEAD: Final = 2
"""How many numbers of a record are in front of its keys."""
HAS_INNER: Final = 1
HAS_OTHERS: Final = 2
HAS_ENDS: Final = 4
HAS_HEIGHTS: Final = 8

OTHERS: Final = -4
"""The key of rows that are looked at in any case: leaves in lazy matching, all that are not at the top in eager."""
ENDS: Final = -5
"""The key of leaves that are complete where their element ends."""

_UNREAD: Final = -2


def height_key(height: int) -> int:
    """The key of leaves that need a depth below their element."""
    return ENDS - height


class Chains:
    """Records in `data`; `at` says where the one of a trie node is."""

    def __init__(self, table: SubstringTable, *, eager: bool) -> None:
        self._table = table
        self._eager = eager
        self.forget(0)

    def forget(self, nodes: int) -> None:
        """Drop all records, because the index has changed; its trie now has numbers below `nodes`."""
        self.data = array("i", (0, HAS_INNER, HEAD + 1))
        self.at = array("i", [_UNREAD]) * nodes
        self.wants: dict[int, int] = {}

    def of(self, node: int, alpha: Rows) -> int:
        """Where the record of a trie node begins, or NONE if no substring ends there."""
        at = self.at[node]
        if at == _UNREAD:
            at = self.at[node] = self.read(alpha[node])
        return at

    def read(self, first: int) -> int:
        """Make the record of the chain that begins at row `first`; where it begins, NONE for an empty chain."""
        if first == NONE:
            return NONE
        keyed: list[tuple[int, int]] = []
        flags, row, next_row = 0, first, self._table.next_row
        while row != NONE:
            flags |= self._sort(row, keyed)
            row = next_row[row]
        if not keyed:
            return 0
        keyed.reverse()  # Parents before children: sorting keeps the order under a key.
        keyed.sort(key=itemgetter(0))
        return self._write(flags, keyed)

    def group(self, at: int, key: int) -> Rows | tuple[()]:
        """The rows under a key of the record at `at`, of a pattern parents before children."""
        data = self.data
        number = data[at]
        place = bisect_left(data, key, at + HEAD, at + HEAD + number)
        if place == at + HEAD + number or data[place] != key:
            return ()
        return data[data[place + number] : data[place + number + 1]]

    def _sort(self, row: int, keyed: list[tuple[int, int]]) -> int:
        """Enter a row under its keys; returns the flags that it needs."""
        kind = self._table.kind[row]
        if self._eager:
            keyed.append((self._eager_key(row, kind), row))
        elif kind == INNER:
            return HAS_INNER
        if kind == HEIGHT:
            keyed.append((height_key(self._table.height(row)), row))
            return HAS_HEIGHTS
        if kind == END:
            keyed.append((ENDS, row))
            return HAS_ENDS
        if self._eager:
            return HAS_OTHERS
        if kind == PLAIN:
            keyed.append((self._table.parent_node(row), row))
            return 0
        keyed.append((OTHERS, row))
        return HAS_OTHERS

    def _eager_key(self, row: int, kind: int) -> int:
        at_top = kind == INNER and self._table.parent_row[row] == NONE and self._table.rel_level[row] >= 0
        return self._table.rel_level[row] if at_top else OTHERS

    def _write(self, flags: int, keyed: list[tuple[int, int]]) -> int:
        data, at = self.data, len(self.data)
        groups = [(key, [row for _, row in rows]) for key, rows in groupby(keyed, key=itemgetter(0))]
        data.extend((len(groups), flags))
        data.extend(key for key, _ in groups)
        place = at + HEAD + 2 * len(groups) + 1
        for _, rows in groups:
            data.append(place)
            place += len(rows)
        data.append(place)
        data.extend(row for _, row in keyed)
        if flags & HAS_ENDS:
            tests = self._table.tests
            self.wants[at] = wanted(test.subject for row in self.group(at, ENDS) for test in tests.get(row, ()))
        return at


def wanted(subjects: Iterable[str]) -> int:
    """What must be collected to know the values of these subjects."""
    found = 0
    for subject in subjects:
        found |= TEXT if subject == "text()" else VALUE if subject == "." else 0
    return found
