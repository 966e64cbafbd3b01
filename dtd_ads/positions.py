"""How advertisements become positions: Glushkov's construction, and element graphs as they are.

A path advertisement is a regular expression none of whose parts can be empty, so Glushkov's construction is short: each
name or wildcard written is one position, parts in a row link the last positions of one to the first of the next, and a
group `( ... )+` links its last positions back to its first. Paths that begin with the same names and groups
share their positions there, as in a trie; that changes no publication, since what follows only branches.

Of an element graph each element is a position, or each element at each depth it can occur at where depth is bounded.
Elements that no walk from the root reaches, or from which no walk reaches an end, are left out.

Sets of positions are bits of a Python int. Cost: linear in the positions and edges, but masks are as long as there are
positions, so memory grows with their square; hence `MAX_POSITIONS`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from dtd_ads.advertisement import AutomatonAdvertisement, Part, PathAdvertisement
from dtd_ads.errors import AdvertisementError

MAX_POSITIONS: Final = 1 << 16


def positions_in(mask: int) -> Iterator[int]:
    """The positions of a mask, in ascending order, in time linear in its length."""
    bits = bin(mask)[:1:-1]
    position = bits.find("1")
    while position >= 0:
        yield position
        position = bits.find("1", position + 1)


def mask_of(positions: Iterable[int]) -> int:
    """The mask with these positions."""
    mask = 0
    for position in positions:
        mask |= 1 << position
    return mask


class PositionBuilder:
    """The positions of the advertisements added so far: their labels, and masks of what starts, follows and ends."""

    def __init__(self) -> None:
        self.labels: list[str] = []
        self.successors: list[int] = []
        self.start = 0
        self.accept = 0
        # The trie of common beginnings: (node, part) -> node; and for each node the last positions of the way to it.
        self._nodes: dict[tuple[int, Part], int] = {}
        self._last: list[int] = [0]

    def add_path(self, advertisement: PathAdvertisement) -> None:
        """Add the positions of a path, as far as no earlier path has them."""
        node = 0
        for part in advertisement.parts:
            known = self._nodes.get((node, part))
            node = known if known is not None else self._extend(node, part)
        self.accept |= self._last[node]

    def add_graph(self, advertisement: AutomatonAdvertisement) -> None:
        """Add the positions of an element graph; the root's comes first, unless the graph has no walk to an end."""
        walks = _trimmed(_walks(advertisement), advertisement.ends)
        positions = {state: self._add_position(state[0]) for state in walks}
        for state, targets in walks.items():
            self.successors[positions[state]] = mask_of(positions[target] for target in targets)
        self.start |= mask_of(list(positions.values())[:1])
        self.accept |= mask_of(position for (name, _), position in positions.items() if name in advertisement.ends)

    def _extend(self, node: int, part: Part) -> int:
        first, last = self._add_part(part)
        if node == 0:
            self.start |= first
        else:
            self._link(self._last[node], first)
        self._last.append(last)
        self._nodes[node, part] = len(self._last) - 1
        return len(self._last) - 1

    def _add_part(self, part: Part) -> tuple[int, int]:
        """The masks of the first and the last positions of a part, none of which can be left out."""
        if isinstance(part, str):
            bit = 1 << self._add_position(part)
            return bit, bit
        first, last = self._add_part(part.parts[0])
        for following in part.parts[1:]:
            begin, end = self._add_part(following)
            self._link(last, begin)
            last = end
        self._link(last, first)
        return first, last

    def _add_position(self, label: str) -> int:
        if len(self.labels) >= MAX_POSITIONS:
            raise _too_many("the advertisement set")
        self.labels.append(label)
        self.successors.append(0)
        return len(self.labels) - 1

    def _link(self, sources: int, targets: int) -> None:
        for position in positions_in(sources):
            self.successors[position] |= targets


_State = tuple[str, int]
"""An element and its depth; 0 where the depth does not matter."""


def _walks(advertisement: AutomatonAdvertisement) -> dict[_State, tuple[_State, ...]]:
    """The states that a walk from the root can reach, the root first, each with what may follow it."""
    bound = advertisement.max_depth
    if bound is not None and bound < 1:
        return {}
    children = dict(advertisement.edges)
    deeper = 0 if bound is None else 1
    walks: dict[_State, tuple[_State, ...]] = {}
    queue = [(advertisement.root, deeper)]
    seen = set(queue)
    for state in queue:
        name, depth = state
        below = () if bound is not None and depth >= bound else children.get(name, ())
        walks[state] = tuple((child, depth + deeper) for child in below)
        fresh = dict.fromkeys(target for target in walks[state] if target not in seen)
        seen.update(fresh)
        queue.extend(fresh)
        if len(queue) > MAX_POSITIONS:
            raise _too_many(advertisement)
    return walks


def _too_many(what: object) -> AdvertisementError:
    return AdvertisementError(
        f"{what} needs more than {MAX_POSITIONS} positions: advertise a lower depth or fewer paths"
    )


def _trimmed(walks: dict[_State, tuple[_State, ...]], ends: frozenset[str]) -> dict[_State, tuple[_State, ...]]:
    """Only the states from which an end can be reached, in the same order."""
    above: dict[_State, list[_State]] = {state: [] for state in walks}
    for state, targets in walks.items():
        for target in targets:
            above[target].append(state)
    queue = [state for state in walks if state[0] in ends]
    alive = set(queue)
    for state in queue:
        fresh = {source for source in above[state] if source not in alive}
        alive.update(fresh)
        queue.extend(fresh)
    return {
        state: tuple(target for target in targets if target in alive)
        for state, targets in walks.items()
        if state in alive
    }
