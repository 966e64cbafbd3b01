"""Tree patterns by their linear parts: what must match before a pattern is worth checking.

Section 2 of "Query Processing for High-Volume XML Message Brokering" (VLDB 2003) matches the paths of a query in the
shared automaton and works on what it delivers. So do we: the trunk of a pattern and every nested path, written out
from the root without predicates, are linear *parts*. All of them are necessary, none is sufficient. A following sibling
is reached by the way to its sibling with the last name exchanged.

Patterns have numbers; a part has the number `slot x 2^27 + pattern`, and slot 0 is the trunk. The patterns whose parts
all matched are then found by shifting and intersecting a few bitmaps, however many patterns there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from pyroaring import BitMap

from broker_sim.errors import XPathError
from broker_sim.xpath import FOLLOWING_SIBLING, Branch, Path, Step

SLOT: Final = 1 << 27
"""How many patterns there can be."""

SLOTS: Final = 16
"""How many parts of one pattern are looked for; more would still be sound to leave out."""

Linear = tuple[Step, ...]


def linear_parts(path: Path) -> list[Linear]:
    """The trunk, then the nested paths that ask for more than it, the longest first."""
    trunk, *rest = _written_out((), path.steps)
    needed: list[Linear] = []
    for part in sorted(set(rest), key=lambda part: (-len(part), str(part))):
        if not any(other[: len(part)] == part for other in (trunk, *needed)):
            needed.append(part)
    return [trunk, *needed[: SLOTS - 1]]


def _written_out(prefix: Linear, steps: tuple[Step, ...]) -> Iterator[Linear]:
    """The way along `steps`, then the ways that branch off it."""
    aside: list[Linear] = []
    for step in steps:
        if step.axis == FOLLOWING_SIBLING:
            aside.append(prefix)
            prefix = (*prefix[:-1], Step(prefix[-1].axis, step.name))
        else:
            prefix = (*prefix, Step(step.axis, step.name))
        for predicate in step.predicates:
            if isinstance(predicate, Branch):
                aside.extend(_written_out(prefix, predicate.steps))
    yield prefix
    yield from aside


class Patterns:
    """The patterns of an engine by number, with their parts."""

    def __init__(self) -> None:
        self._paths: list[tuple[int, Path] | None] = []
        self._spare: list[int] = []
        self._with_slot: list[BitMap] = []

    def __len__(self) -> int:
        return len(self._paths) - len(self._spare)

    def __getitem__(self, number: int) -> tuple[int, Path]:
        """The subscription and the path of a pattern."""
        found = self._paths[number]
        if found is None:
            raise KeyError(number)
        return found

    def add(self, id: int, path: Path) -> list[tuple[int, Linear]]:
        """Take up a pattern of subscription `id`; returns its parts with their numbers, the trunk first."""
        number = self._spare.pop() if self._spare else len(self._paths)
        if number >= SLOT:
            raise XPathError(f"more than {SLOT:,} tree patterns", text=str(path), column=1)
        if number == len(self._paths):
            self._paths.append(None)
        self._paths[number] = (id, path)
        parts = linear_parts(path)
        while len(self._with_slot) < len(parts):
            self._with_slot.append(BitMap())
        for slot in range(len(parts)):
            self._with_slot[slot].add(number)
        return [(slot * SLOT + number, part) for slot, part in enumerate(parts)]

    def remove(self, number: int) -> None:
        """Forget a pattern."""
        self._paths[number] = None
        self._spare.append(number)
        for patterns in self._with_slot:
            patterns.discard(number)

    @staticmethod
    def is_trunk(part: int) -> bool:
        """Whether a part is a trunk; its number is then that of the pattern."""
        return part < SLOT

    def candidates(self, parts: BitMap) -> BitMap:
        """The patterns all of whose parts are among `parts`."""
        found = in_slot(parts, 0)
        for slot in range(1, len(self._with_slot)):
            if not found:
                break
            found -= self._with_slot[slot] - in_slot(parts, slot)
        return found


def in_slot(parts: BitMap, slot: int) -> BitMap:
    """The patterns of which the part in this slot is among `parts`."""
    found = parts & _range(slot)
    return found.shift(-slot * SLOT) if slot else found


@lru_cache(maxsize=SLOTS)
def _range(slot: int) -> BitMap:
    return BitMap(range(slot * SLOT, (slot + 1) * SLOT))
