"""The XTrie index: substring table and trie, with the subscriptions whose rows they hold.

Adding a subscription costs its rows and their names; removing one also costs the lengths of the chains that its rows
are in, since these are linked one way. The rows of nodes that any element fits, and of the document itself, are in
chains of their own that no trie node leads to.
"""

from __future__ import annotations

from array import array
from typing import Final

from broker_sim.engines.engine import require_known, require_new
from broker_sim.engines.id_map import IdMap
from broker_sim.engines.xtrie.chains import Chains
from broker_sim.engines.xtrie.decomposition import ANYTHING, NONE, Row, Substring, decompose
from broker_sim.engines.xtrie.table import BRANCH, END, HEIGHT, INNER, PLAIN, TESTED, SubstringTable
from broker_sim.engines.xtrie.trie import ROOT, Trie
from broker_sim.engines.xtrie.xpe_tree import xpe_tree
from broker_sim.xpath import Expression

WILD: Final = -2
"""The `node` of rows that any element fits."""
TOP: Final = -3
"""The `node` of rows that stand for the document."""


class XTrieIndex:
    """Subscriptions as rows; an `owner` is the number of a subscription in the table, `ids` its id.

    `wild` and `top` are the records of the special chains.
    """

    def __init__(self, *, eager: bool = False, ordered: bool = False) -> None:
        self.ordered = ordered
        self.table = SubstringTable()
        self.trie = Trie()
        self.ids = array("I")
        self.chains = Chains(self.table, eager=eager)
        self.wild = self.top = NONE
        self._symbols: dict[str, int] = {}
        self._first_row = IdMap()
        self._spare_owners: list[int] = []
        self._special = {WILD: NONE, TOP: NONE}
        self._stale = True

    def __len__(self) -> int:
        return len(self._first_row)

    def __contains__(self, id: object) -> bool:
        return id in self._first_row

    def add(self, id: int, expression: Expression) -> None:
        """Take up a subscription; one that no document can match has one row that is in no chain."""
        require_new(self._first_row, id)
        trees = (xpe_tree(path) for path in expression.disjuncts)
        patterns = [decompose(tree, ordered=self.ordered) for tree in trees if tree is not None]
        owner = self._new_owner(id)
        base = self._first_row[id] = self.table.reserve(sum(map(len, patterns)) or 1)
        self.table.owner[base] = owner
        for rows in patterns:
            self._enter(rows, base, owner)
            base += len(rows)
        self._stale = True

    def remove(self, id: int) -> None:
        """Forget a subscription."""
        require_known(self._first_row, id)
        rows = self.table.rows_of(self._first_row.pop(id))
        self._spare_owners.append(self.table.owner[rows.start])
        for row in reversed(rows):
            self._leave(row)
        self.table.free(rows)
        self._stale = True

    def refresh(self) -> None:
        """Before a document: drop what was remembered of an index that has changed since."""
        if self._stale:
            self.trie.forget_suffixes()
            self.chains.forget(self.trie.numbers)
            self.wild = self.chains.read(self._special[WILD])
            self.top = self.chains.read(self._special[TOP])
            self._stale = False

    def step(self, node: int, name: str) -> int:
        """The trie node of an element in the node of its parent."""
        symbol = self._symbols.get(name)
        return ROOT if symbol is None else self.trie.step(node, symbol)

    def _new_owner(self, id: int) -> int:
        if self._spare_owners:
            owner = self._spare_owners.pop()
            self.ids[owner] = id
        else:
            owner = len(self.ids)
            self.ids.append(id)
        return owner

    def _enter(self, rows: list[Row], base: int, owner: int) -> None:
        branches = any(row.num_child > 1 for row in rows)
        for place, row in enumerate(rows):
            kind = self._kind(row, rows, branches)
            self.table.write(base + place, row, base, owner, kind)
            self._link(base + place, row.substring)

    def _kind(self, row: Row, rows: list[Row], branches: bool) -> int:
        if row.num_child:
            return INNER
        if any(test.subject in ("text()", ".") for test in row.tests) or self._waits_for_order(row, rows):
            return END
        if row.height:
            return HEIGHT
        return TESTED if row.tests else BRANCH if branches else PLAIN

    def _waits_for_order(self, row: Row, rows: list[Row]) -> bool:
        """In the printed order, children of a node that branches are compared where they end."""
        return self.ordered and row.parent != NONE and rows[row.parent].num_child > 1

    def _link(self, at: int, substring: Substring) -> None:
        if substring in (ANYTHING, ()):
            node = WILD if substring else TOP
            self._special[node] = self.table.link(at, node, self._special[node])
        else:
            node = self.trie.insert([self._symbol(name) for name in substring])
            self.trie.alpha[node] = self.table.link(at, node, self.trie.alpha[node])

    def _leave(self, row: int) -> None:
        node = self.table.node[row]
        if node == NONE:
            return
        if node < 0:
            self._special[node] = self.table.unlink(row, self._special[node])
            return
        self.trie.alpha[node] = self.table.unlink(row, self.trie.alpha[node])
        self.trie.prune(node)

    def _symbol(self, name: str) -> int:
        symbol = self._symbols.get(name)
        if symbol is None:
            symbol = self._symbols[name] = len(self._symbols)
        return symbol
