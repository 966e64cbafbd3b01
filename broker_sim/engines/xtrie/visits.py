"""What a document meets at a node of the trie, made where documents pass: the max-suffix pointers of the XTrie paper.

The paper's pointer beta(N) leads from a node to the longest proper suffix of its label that is in the trie, as the
failure links of Aho and Corasick do. (The paper says "among the internal nodes"; a substring that ends at a leaf of the
trie is found through such a pointer too, so we take all nodes.) A new substring may change the pointers of nodes
anywhere, so they are not kept with the trie: a `Visit` stands for a node that a document has reached, with its
pointer, its moves, and the rows of all substrings that end there, which are those of its own chain and of the chains
behind its pointer. Changes to the index drop all visits; the next document makes those that it needs again, at the
price of reading their chains once. There are at most `MAX_VISITS`.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from broker_sim.engines.streaming import TEXT, VALUE
from broker_sim.engines.xtrie.decomposition import NONE
from broker_sim.engines.xtrie.table import BRANCH, END, HEIGHT, INNER, PLAIN, TESTED, SubstringTable
from broker_sim.engines.xtrie.trie import ROOT, Trie

MAX_VISITS: Final = 100_000

Rows: TypeAlias = "array[int]"


@dataclass(slots=True, eq=False)
class Chain:
    """The rows of one substring, those of a pattern parents first, once for eager and once for lazy matching.

    Eager matching needs `tops`, inner rows without parent by the level where they must be, and `rows`, all others.
    Lazy matching needs `plain` leaves by their parent's trie node and the `others` that are complete at once.
    """

    node: int
    tops: dict[int, Rows] = field(default_factory=dict)
    rows: Rows = field(default_factory=lambda: array("i"))
    plain: dict[int, Rows] = field(default_factory=dict)
    others: Rows = field(default_factory=lambda: array("i"))
    ends: Rows = field(default_factory=lambda: array("i"))
    heights: dict[int, Rows] = field(default_factory=dict)
    has_inner: bool = False
    wants: int = 0


@dataclass(slots=True, eq=False)
class Visit:
    """A node with what lies behind its max-suffix pointer `beta`."""

    node: int
    beta: Visit | None
    chains: tuple[Chain, ...]
    to: dict[str, Visit] = field(default_factory=dict)
    inner: tuple[int, ...] = ()
    plain: tuple[dict[int, Rows], ...] = ()
    others: tuple[Rows, ...] = ()
    ends: tuple[Rows, ...] = ()
    heights: dict[int, list[Rows]] = field(default_factory=dict)
    wants: int = 0

    def __post_init__(self) -> None:
        chains = self.chains
        self.inner = tuple([chain.node for chain in chains if chain.has_inner])
        self.plain = tuple([chain.plain for chain in chains if chain.plain])
        self.others = tuple([chain.others for chain in chains if chain.others])
        self.ends = tuple([chain.ends for chain in chains if chain.ends])
        for chain in chains:
            self.wants |= chain.wants
            for height, rows in chain.heights.items():
                self.heights.setdefault(height, []).append(rows)


class Visits:
    """The visited part of a trie."""

    def __init__(
        self, table: SubstringTable, trie: Trie, symbol_of: Callable[[str], int | None], *, eager: bool
    ) -> None:
        self._eager = eager
        self._table = table
        self._trie = trie
        self._symbol_of = symbol_of
        self.clear()

    def clear(self) -> None:
        """Forget everything, because the index has changed."""
        self.root = Visit(ROOT, None, ())
        self._known: dict[int, Visit] = {ROOT: self.root}
        self._chains: dict[int, Chain] = {}

    def __len__(self) -> int:
        return len(self._known)

    def step(self, visit: Visit, name: str) -> Visit:
        """Where the start of an element leads from the visit of its parent: steps 9 to 12 of SEARCH."""
        symbol = self._symbol_of(name)
        if symbol is None:
            return self.root
        if len(self._known) > MAX_VISITS:
            self.clear()
        return self._goto(visit, name, symbol)

    def _goto(self, visit: Visit, name: str, symbol: int) -> Visit:
        known = visit.to.get(name)
        if known is not None:
            return known
        node = self._trie.child(visit.node, symbol)
        beta = self.root if visit.beta is None else self._goto(visit.beta, name, symbol)
        found = beta if node == NONE else self._visit(node, beta)
        visit.to[name] = found
        return found

    def _visit(self, node: int, beta: Visit) -> Visit:
        visit = self._known.get(node)
        if visit is None:
            first = self._trie.alpha[node]
            own = () if first == NONE else (self._chain(node, first),)
            visit = self._known[node] = Visit(node, beta, own + beta.chains)
        return visit

    def _chain(self, node: int, first: int) -> Chain:
        chain = self._chains.get(node)
        if chain is None:
            chain = self._chains[node] = read_chain(self._table, node, first, eager=self._eager)
        return chain


def read_chain(table: SubstringTable, node: int, first: int, *, eager: bool) -> Chain:
    """The chain that begins at row `first`, sorted for eager or lazy matching."""
    chain = Chain(node)
    rows: list[int] = []
    while first != NONE:
        rows.append(first)
        first = table.next_row[first]
    for row in reversed(rows):
        kind = table.kind[row]
        if kind == HEIGHT:
            _enter(chain.heights, table.height[row], row)
        elif kind == END:
            chain.ends.append(row)
            chain.wants |= wanted(test.subject for test in table.tests.get(row, ()))
        if eager:
            _enter_eager(chain, table, row, kind)
        else:
            _enter_lazy(chain, table, row, kind)
    return chain


def _enter_eager(chain: Chain, table: SubstringTable, row: int, kind: int) -> None:
    if kind == INNER and table.parent_row[row] == NONE and table.rel_level[row] >= 0:
        _enter(chain.tops, table.rel_level[row], row)
    else:
        chain.rows.append(row)


def _enter_lazy(chain: Chain, table: SubstringTable, row: int, kind: int) -> None:
    if kind == PLAIN:
        parent = table.parent_row[row]
        _enter(chain.plain, NONE if parent == NONE else table.node[parent], row)
    elif kind in (BRANCH, TESTED):
        chain.others.append(row)
    elif kind == INNER:
        chain.has_inner = True


def _enter(groups: dict[int, Rows], key: int, row: int) -> None:
    rows = groups.get(key)
    if rows is None:
        groups[key] = array("i", (row,))
    else:
        rows.append(row)


def wanted(subjects: Iterable[str]) -> int:
    """What must be collected to know the values of these subjects."""
    found = 0
    for subject in subjects:
        found |= TEXT if subject == "text()" else VALUE if subject == "." else 0
    return found
