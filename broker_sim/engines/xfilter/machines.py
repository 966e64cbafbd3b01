"""The state machines of all paths, in columns, and the index from names to the states that wait for them first.

A path node is a named step with its distance from the one before, as in an XPE-tree: `*` only adds to the distance, and
wildcards at the end are one node that any element fits. The nodes of a path lie next to each other, so the next state
is the next node. A node takes 11 bytes, a machine 4 more for its place in the index.

Plain, every machine waits for its first name. All paths of one DTD begin with the same few names, so that list grows
long; *list balance* instead enters a path under that one of its names whose list is the shortest. Where this name
occurs, the names before it are looked for among the open elements, and the machine goes on from there.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Final

from broker_sim.xpath import DESCENDANT, WILDCARD, Step

FIRST: Final = 1
LAST: Final = 2


class Machines:
    """Path nodes in columns; `candidates` are the nodes that are looked at for a name before anything has matched."""

    def __init__(self, *, list_balance: bool) -> None:
        self.symbol = array("i")
        self.distance = array("h")
        self.machine = array("i")
        self.place = array("B")
        self.names: list[str] = []
        self.candidates: dict[str, array[int]] = {}
        self.number = 0
        self._list_balance = list_balance
        self._symbols: dict[str, int] = {}
        self._spare_nodes: dict[int, list[int]] = {}
        self._spare_machines: list[int] = []

    def add(self, steps: tuple[Step, ...]) -> tuple[int, int]:
        """Enter a linear path; returns the number of its machine and its first node."""
        nodes = list(_nodes(steps))
        first, machine = self._reserve(len(nodes)), self._new_machine()
        for at, (name, distance) in enumerate(nodes, first):
            self.symbol[at], self.distance[at], self.machine[at] = self._symbol(name), distance, machine
            self.place[at] = FIRST * (at == first) | LAST * (at == first + len(nodes) - 1)
        pivot = self._pivot(first, [name for name, _ in nodes])
        name = self.names[self.symbol[pivot]]
        if name not in self.candidates:
            self.candidates[name] = array("i")
        self.candidates[name].append(pivot)
        return machine, first

    def remove(self, first: int) -> None:
        """Forget the path whose first node is `first`."""
        last = first
        while not self.place[last] & LAST:
            last += 1
        for node in range(first, last + 1):
            waiting = self.candidates.get(self.names[self.symbol[node]])
            if waiting is not None and node in waiting:
                waiting.remove(node)
        self._spare_machines.append(self.machine[first])
        self._spare_nodes.setdefault(last + 1 - first, []).append(first)

    def _pivot(self, first: int, names: list[str]) -> int:
        if not self._list_balance:
            return first
        named = [place for place, name in enumerate(names) if name != WILDCARD] or [0]
        return first + min(named, key=lambda place: len(self.candidates.get(names[place], ())))

    def _reserve(self, number: int) -> int:
        spare = self._spare_nodes.get(number)
        if spare:
            return spare.pop()
        first = len(self.symbol)
        for column in (self.symbol, self.distance, self.machine, self.place):
            column.extend([0] * number)
        return first

    def _new_machine(self) -> int:
        if self._spare_machines:
            return self._spare_machines.pop()
        self.number += 1
        return self.number - 1

    def _symbol(self, name: str) -> int:
        symbol = self._symbols.get(name)
        if symbol is None:
            symbol = self._symbols[name] = len(self.names)
            self.names.append(name)
        return symbol


def _nodes(steps: tuple[Step, ...]) -> Iterator[tuple[str, int]]:
    """Names with their distance: k levels below the one before, or ~k for at least k."""
    least, unbounded = 0, False
    for place, step in enumerate(steps, 1):
        least, unbounded = least + 1, unbounded or step.axis == DESCENDANT
        if step.name != WILDCARD or place == len(steps):
            yield step.name, ~least if unbounded else least
            least, unbounded = 0, False
