"""One document through the machines of XFilter.

At the start of an element, the nodes that wait for its name are looked at: the candidates of the index and the nodes
that were promoted by an open element. One whose level is right either ends its path or promotes the next node,
which waits until the promoting element ends. As in XFilter, a machine may be promoted many times. Paths that have
matched are skipped, as XTrie skips them.
"""

from __future__ import annotations

from collections.abc import Iterable

from broker_sim.engines.xfilter.machines import FIRST, LAST, Machines
from broker_sim.xpath import WILDCARD


class Run:
    """The state of one document; `ends` has, for machines in `followed`, all elements where their path ends."""

    def __init__(self, machines: Machines, followed: dict[int, int], *, list_balance: bool) -> None:
        self._machines = machines
        self._followed = followed
        self._list_balance = list_balance
        self.matched = bytearray(machines.number)
        self.ends: dict[int, list[int]] = {}
        self._promoted: dict[str, list[tuple[int, int]]] = {}
        self._promotions: list[list[str]] = []
        self._path: list[str] = []
        self._levels: dict[str, int] = {}
        self._element = -1

    def start(self, name: str) -> None:
        """An element begins."""
        self._element += 1
        self._path.append(name)
        level = len(self._path)
        self._promotions.append([])
        if self._list_balance:
            self._levels[name] = self._levels.get(name, 0) | 1 << level
        for key in (name, WILDCARD):
            promoted = self._promoted.get(key)
            if promoted:
                self._look_at_promoted(promoted.copy(), level)
            waiting = self._machines.candidates.get(key)
            if waiting:
                if self._list_balance:
                    self._look_at_pivots(waiting, level)
                else:
                    self._look_at_first(waiting, level)

    def end(self) -> None:
        """The innermost open element ends."""
        level = len(self._path)
        name = self._path.pop()
        if self._list_balance:
            self._levels[name] ^= 1 << level
        for promoted in self._promotions.pop():
            self._promoted[promoted].pop()

    def _look_at_promoted(self, promoted: list[tuple[int, int]], level: int) -> None:
        matched, machine = self.matched, self._machines.machine
        for node, wanted in promoted:
            if (level == wanted or level >= ~wanted >= 0) and not matched[machine[node]]:
                self._advance(node, level)

    def _look_at_first(self, nodes: Iterable[int], level: int) -> None:
        distance = self._machines.distance
        for node in nodes:
            wanted = distance[node]
            if level == wanted or level >= ~wanted >= 0:
                self._advance(node, level)

    def _look_at_pivots(self, nodes: Iterable[int], level: int) -> None:
        """List balance: the names before the pivot must stand at levels that fit, which are sets of bits."""
        machines, levels, matched = self._machines, self._levels, self.matched
        symbol, distance, place, names = machines.symbol, machines.distance, machines.place, machines.names
        for pivot in nodes:
            if matched[machines.machine[pivot]]:
                continue
            node, reach = pivot, 1 << level
            while True:
                wanted = distance[node]
                reach = reach >> wanted if wanted >= 0 else (1 << max(reach.bit_length() + wanted + 1, 0)) - 1
                if place[node] & FIRST:
                    break
                node -= 1
                reach &= levels.get(names[symbol[node]], 0)
                if not reach:
                    break
            if reach & 1:
                self._advance(pivot, level)

    def _advance(self, node: int, level: int) -> None:
        """The path matches up to `node` at the innermost open element."""
        machines = self._machines
        if not machines.place[node] & LAST:
            node += 1
            wanted = machines.distance[node]
            name = machines.names[machines.symbol[node]]
            promotion = (node, wanted + level if wanted >= 0 else wanted - level)
            promoted = self._promoted.get(name)
            if promoted is None:
                self._promoted[name] = [promotion]
            else:
                promoted.append(promotion)
            self._promotions[-1].append(name)
            return
        machine = machines.machine[node]
        if machine in self._followed:
            self.ends.setdefault(self._followed[machine], []).append(self._element)
        else:
            self.matched[machine] = 1
