"""One document on its way through an XTrie index: what lazy and eager matching share.

Levels are bits: a set of open elements is a number whose bit l stands for the element at level l, bit 0 for the
document. So "the ancestors at which the parent row may match" is a shift and an intersection, for all of them at once.

PROPAGATE-UPDATE of the XTrie paper is `_complete`. Its array B is kept for rows that branch only, and sparse: for each
open element, the rows that have matched there with the set of their children that are complete. A row with one child
is complete whenever that child is. The paper prints ordered matching, where B counts complete children from the
left; for unordered matching, which is XPath's, it must hold which ones. A child that is complete already is not
recorded twice, and so nothing above it: those are the redundant matchings. Subscriptions that have matched are skipped
by a mask with a byte for each.

Order among children is a clock. Of siblings (`following-sibling::`) the later one counts only if the earlier was
complete in a child element that began before the one that is open now; taking the first such element is right, because
any element that follows a later one also follows the first. In the printed order (see `engine`), a child of a
branching row is only compared where its element ends, and must end after the one before it.

Elements with the same names from the root down meet the same substrings. A `Visit` keeps what the search found for
these names as long as the document lasts, for at most `MAX_VISITS` of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from pyroaring import BitMap

from broker_sim.engines.flags import positions
from broker_sim.engines.xtrie.chains import ENDS, HAS_ENDS, HAS_HEIGHTS, HAS_INNER, height_key
from broker_sim.engines.xtrie.decomposition import NONE
from broker_sim.engines.xtrie.index import XTrieIndex
from broker_sim.engines.xtrie.trie import ROOT
from broker_sim.xpath import ValueTest
from broker_sim.xpath.values import holds

MAX_VISITS: Final = 10_000


class Reader(Protocol):
    """What a document says about its open elements."""

    def values(self, level: int, subject: str) -> list[str]:
        """What `@name`, `@*`, `text()` or `.` selects at the element open at `level`; texts only where it ends."""


@dataclass(slots=True, eq=False)
class Visit:
    """A way of names from the root element that occurs in this document, with the records that matter there.

    `tall` and `ends` are the records with leaves that wait for depth or for the end, `inner` the trie nodes of
    substrings that are not last in their branch, `is_new` whether this is the first element of its kind. Eager matching
    keeps the rows that it looks up: `tops` at the top of their pattern, `rows` below.
    """

    node: int
    records: Sequence[int]
    tall: Sequence[int] = ()
    ends: Sequence[int] = ()
    inner: Sequence[int] = ()
    tops: Sequence[Sequence[int]] = ()
    rows: Sequence[Sequence[int]] = ()
    to: dict[str, Visit] = field(default_factory=dict)
    is_new: bool = True


class Run(ABC):
    """The state of one document; `start` and `end` are its events."""

    def __init__(self, index: XTrieIndex, reader: Reader) -> None:
        index.refresh()
        self._index = index
        self._table = table = index.table
        self._reader = reader
        self._rel_level, self._parent_row, self._owner = table.rel_level, table.parent_row, table.owner
        self._num_child, self._node = table.num_child, table.node
        self._matched = bytearray(len(index.ids))
        self._level = 0
        self._chains, self._data = index.chains, index.chains.data
        self._path: list[Visit] = [Visit(ROOT, (), (index.top,) if index.top != NONE else ())]
        self._visits = 0
        self._entries: list[dict[int, int]] = [{}]
        self._marks: list[dict[int, int]] = [{}]
        self._waiting: list[dict[int, None]] = [{}]
        self._began: list[int] = [0]
        self._heights: list[int] = [0]
        self._clock = 0
        self._stacks: tuple[list[Any], ...] = (
            self._path,
            self._entries,
            self._marks,
            self._waiting,
            self._began,
            self._heights,
        )

    @property
    def wants(self) -> int:
        """Whether text nodes or the string value of the innermost open element will be asked for."""
        wants = 0
        for at in self._path[-1].ends:
            wants |= self._chains.wants.get(at, 0)
        return wants

    def start(self, name: str) -> None:
        """An element begins."""
        above = self._path[-1]
        visit = above.to.get(name) or self._visit(above, name)
        self._path.append(visit)
        self._level += 1
        self._entries.append({})
        self._marks.append({})
        self._waiting.append({})
        self._heights.append(0)
        self._clock += 1
        self._began.append(self._clock)
        self._probe(visit)
        visit.is_new = False
        if self._table.tall:
            self._deepen()

    def end(self) -> None:
        """The innermost open element ends."""
        visit = self._path[-1]
        self._clock += 1
        for at in visit.ends:
            self._complete_all(self._chains.group(at, ENDS), self._level)
        waiting = self._waiting[-1]
        while waiting:
            self._complete(waiting.popitem()[0], 1 << self._level, waited=True)
        self._leave(visit)
        for stack in self._stacks:
            stack.pop()
        self._level -= 1

    def _visit(self, above: Visit, name: str) -> Visit:
        """Meet a way of names for the first time: SEARCH."""
        visit = self._search(self._index.step(above.node, name))
        if self._visits < MAX_VISITS:
            above.to[name] = visit
            self._visits += 1
        return visit

    def _search(self, node: int) -> Visit:
        """Steps 13 to 16 of SEARCH: the substrings that end at a node."""
        data, trie, record_of = self._data, self._index.trie, self._chains.of
        records: list[int] = []
        inner: list[int] = []
        suffix = node
        while suffix != ROOT:
            at = record_of(suffix, trie.alpha)
            if at != NONE:
                records.append(at)
                if data[at + 1] & HAS_INNER:
                    inner.append(suffix)
            suffix = trie.beta[suffix]
        if self._index.wild != NONE:
            records.append(self._index.wild)
        return Visit(
            node,
            records,
            tall=[at for at in records if data[at + 1] & HAS_HEIGHTS],
            ends=[at for at in records if data[at + 1] & HAS_ENDS],
            inner=inner,
        )

    def found(self) -> BitMap:
        """The ids that have matched so far."""
        ids = self._index.ids
        return BitMap([ids[owner] for owner in positions(self._matched)])

    @abstractmethod
    def _probe(self, visit: Visit) -> None:
        """Take note of the substrings that end at the element that just began."""

    @abstractmethod
    def _leave(self, visit: Visit) -> None:
        """Forget them."""

    @abstractmethod
    def _levels_of(self, row: int) -> int:
        """The open elements at which a row matches; more are harmless if there the substring ends."""

    @abstractmethod
    def _is_open(self, row: int, level: int) -> bool:
        """Whether a leaf, whose substring ends at this level, may match there."""

    def _forget_redundant(self, row: int, reach: int) -> None:
        """Steps 18 to 20 of PROPAGATE-UPDATE: `row`, at any depth below its parent, is complete at `reach`."""
        return  # Only the eager run remembers what can become redundant.

    def _complete_all(self, rows: Iterable[int], level: int) -> None:
        """Complete the leaves among `rows` whose tests hold at the element open at `level`."""
        matched, owner = self._matched, self._owner
        for row in rows:
            if not matched[owner[row]] and self._is_open(row, level) and self._passes(row, level):
                self._complete(row, 1 << level)

    def _passes(self, row: int, level: int) -> bool:
        if self._heights[level] < self._table.height(row):
            return False
        tests = self._table.tests.get(row)
        return tests is None or all(test_holds(self._reader.values(level, test.subject), test) for test in tests)

    def _complete(self, row: int, reach: int, *, waited: bool = False) -> None:
        """What hangs below `row` is there, at the levels `reach`; see what that completes above."""
        while True:
            if self._index.ordered and not waited and self._is_compared(row):
                return self._wait(row, reach)
            waited = False
            level = self._rel_level[row]
            if level < 0:
                self._forget_redundant(row, reach)
            reach = reach >> level if level >= 0 else below(reach, ~level)
            parent = self._parent_row[row]
            if parent == NONE:
                if reach & 1:
                    self._matched[self._owner[row]] = 1
                return None
            reach &= self._levels_of(parent)
            if reach and self._num_child[parent] > 1:
                reach = self._record(parent, row, reach)
            if not reach:
                return None
            row = parent

    def _record(self, parent: int, row: int, reach: int) -> int:
        """Step 10 of PROPAGATE-UPDATE: count `row` for its parent; the levels at which the parent is now complete."""
        table = self._table
        child, all_children = 1 << (table.rank[row] - 1), (1 << table.num_child[parent]) - 1
        complete = 0
        while reach:
            lowest = reach & -reach
            reach ^= lowest
            level = lowest.bit_length() - 1
            entries = self._entries[level]
            held = entries.get(parent, 0)
            if held & child or not self._in_order(row, level):
                continue
            held = entries[parent] = held | child
            if held == all_children:
                complete |= lowest
        return complete

    def _lacks(self, parent: int, row: int, reach: int) -> bool:
        """Whether the parent still lacks this child at one of the levels."""
        child = 1 << (self._table.rank[row] - 1)
        while reach:
            lowest = reach & -reach
            reach ^= lowest
            if not self._entries[lowest.bit_length() - 1].get(parent, 0) & child:
                return True
        return False

    def _in_order(self, row: int, level: int) -> bool:
        """Whether what must come before `row` below the element at `level` did; if so, note when `row` came."""
        after = self._table.after.get(row)
        if after is None and row not in self._table.ordered:
            return True
        marks = self._marks[level]
        now = self._clock if self._index.ordered else self._began[level + 1]
        if after is not None and marks.get(after, now) >= now:
            return False
        marks[row] = now
        return True

    def _is_compared(self, row: int) -> bool:
        parent = self._parent_row[row]
        return parent != NONE and self._num_child[parent] > 1

    def _wait(self, row: int, reach: int) -> None:
        while reach:
            lowest = reach & -reach
            reach ^= lowest
            self._waiting[lowest.bit_length() - 1][row] = None

    def _deepen(self) -> None:
        """Complete the leaves that waited for an element at this depth below theirs."""
        heights = self._heights
        for level in range(self._level - 1, -1, -1):
            height = self._level - level
            if heights[level] >= height:
                return
            heights[level] = height
            for at in self._path[level].tall:
                self._complete_all(self._chains.group(at, height_key(height)), level)


def below(reach: int, distance: int) -> int:
    """All levels at least `distance` above the lowest open element in `reach`."""
    return (1 << max(reach.bit_length() - distance, 0)) - 1


def test_holds(values: list[str], test: ValueTest) -> bool:
    """Whether any of the values passes; without an operator, whether there is any."""
    if test.operator is None or test.literal is None:
        return bool(values)
    return any(holds(test.operator, value, test.literal) for value in values)
