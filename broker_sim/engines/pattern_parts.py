"""Tree patterns by their linear parts: what the shared automaton and the values of a document say about them.

Section 2 of "Query Processing for High-Volume XML Message Brokering" (VLDB 2003) matches the paths of a query in the
shared automaton and works on what it delivers. So do we. The parts of a pattern are linear paths, written out from the
root without predicates; a following sibling is reached by the way to its sibling with the last name exchanged.

- *Ends*: the trunk, and every nested path to where it ends. The document must have an element there.
- *Tests*: the way to the step of a value test. The document must have an element there at which the test holds.
- *Joints*: the way to a step where more than one predicate, or predicates and the rest of the path, come together.

All ends and tests are necessary. They are sufficient if the document has only one element at each joint: whatever end
or test is found has that element above it (or is there), so all of them are found at the same one. Only where a joint
occurs twice, or the order of siblings matters, must a pattern be checked as a whole (see `predicates`).

Patterns have numbers; a part has the number `slot x 2^27 + pattern`. The patterns whose parts all matched are then
found by shifting and intersecting a few bitmaps, however many patterns there are. A pattern with more parts than there
are slots goes without the others, and is checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from pyroaring import BitMap

from broker_sim.errors import XPathError
from broker_sim.xpath import FOLLOWING_SIBLING, Branch, Path, Step, ValueTest
from broker_sim.xpath.linear import linear_step

SLOT: Final = 1 << 27
"""How many patterns there can be."""

ENDS: Final = range(8)
"""The slots of the ends; the first is the trunk."""

TESTS: Final = range(8, 16)
JOINTS: Final = range(16, 32)

Linear = tuple[Step, ...]


@dataclass(slots=True)
class Parts:
    """The parts of one path by their kind, the trunk first; `ordered` if it has a following sibling."""

    ends: list[Linear] = field(default_factory=list)
    tests: list[tuple[Linear, ValueTest]] = field(default_factory=list)
    joints: list[Linear] = field(default_factory=list)
    ordered: bool = False

    @classmethod
    def of(cls, path: Path) -> Parts:
        """Take a path apart."""
        parts = cls()
        trunk = parts._follow((), path.steps)
        parts.ends = [trunk, *_longest({end for end in parts.ends if end != trunk}, trunk)]
        return parts

    @property
    def decide(self) -> bool:
        """Whether a document with all ends and tests, and each joint once, surely matches."""
        fits = len(self.ends) <= len(ENDS) and len(self.tests) <= len(TESTS) and len(self.joints) <= len(JOINTS)
        return fits and not self.ordered

    def in_slots(self) -> Iterator[tuple[int, Linear]]:
        """Every part that has a slot."""
        tested = [way for way, _ in self.tests]
        for slots, ways in ((ENDS, self.ends), (TESTS, tested), (JOINTS, self.joints)):
            yield from zip(slots, ways, strict=False)

    def _follow(self, prefix: Linear, steps: tuple[Step, ...]) -> Linear:
        """Collect what is along the steps; returns the way to the last one."""
        for place, step in enumerate(steps):
            if step.axis == FOLLOWING_SIBLING:
                self.ordered = True
                self.ends.append(prefix)
                prefix = (*prefix[:-1], linear_step(prefix[-1].axis, step.name))
            else:
                prefix = (*prefix, linear_step(step.axis, step.name))
            if len(step.predicates) + (place < len(steps) - 1) > 1:
                self.joints.append(prefix)
            for predicate in step.predicates:
                if isinstance(predicate, Branch):
                    self.ends.append(self._follow(prefix, predicate.steps))
                else:
                    self.tests.append((prefix, predicate))
        return prefix


def _longest(ends: set[Linear], trunk: Linear) -> list[Linear]:
    """Those of the ends that ask for more than the trunk and each other."""
    needed: list[Linear] = []
    for end in sorted(ends, key=lambda end: (-len(end), str(end))):
        if not any(other[: len(end)] == end for other in (trunk, *needed)):
            needed.append(end)
    return needed


def straight(path: Path) -> Path:
    """The path itself, or where its last step has nothing but one nested path, the same with that as its end."""
    while True:
        *above, last = path.steps
        if len(last.predicates) != 1 or not isinstance(last.predicates[0], Branch):
            return path
        path = Path((*above, linear_step(last.axis, last.name), *last.predicates[0].steps))


class Patterns:
    """The patterns of an engine by number, with their parts."""

    def __init__(self) -> None:
        self._paths: list[Path | None] = []
        self._owners: list[int] = []
        self._spare: list[int] = []
        self._with_slot: Final = [BitMap() for _ in range(JOINTS.stop)]
        self._undecided: Final = BitMap()

    def __len__(self) -> int:
        return len(self._paths) - len(self._spare)

    def __getitem__(self, number: int) -> Path:
        """The path of a pattern."""
        found = self._paths[number]
        if found is None:
            raise KeyError(number)
        return found

    def add(self, id: int, path: Path, parts: Parts) -> int:
        """Take up a pattern of subscription `id`; returns its number."""
        number = self._spare.pop() if self._spare else len(self._paths)
        if number >= SLOT:
            raise XPathError(f"more than {SLOT:,} tree patterns", text=str(path), column=1)
        if number == len(self._paths):
            self._paths.append(None)
            self._owners.append(id)
        self._paths[number], self._owners[number] = path, id
        for slot, _ in parts.in_slots():
            self._with_slot[slot].add(number)
        if not parts.decide:
            self._undecided.add(number)
        return number

    def remove(self, number: int) -> None:
        """Forget a pattern."""
        self._paths[number] = None
        self._spare.append(number)
        for patterns in (*self._with_slot, self._undecided):
            patterns.discard(number)

    def owners(self, numbers: Iterable[int]) -> list[int]:
        """The subscriptions of patterns."""
        owners = self._owners
        return [owners[number] for number in numbers]

    def with_all(self, slots: range, parts: BitMap) -> BitMap:
        """The patterns all of whose parts in these slots are among `parts`."""
        found = self._with_slot[0].copy()
        for slot in slots:
            if self._with_slot[slot]:
                found -= self._with_slot[slot] - in_slot(parts, slot)
        return found

    def joints(self, patterns: BitMap) -> BitMap:
        """The joints of patterns."""
        held = [(slot, self._with_slot[slot] & patterns) for slot in JOINTS]
        return BitMap.union(BitMap(), *[several.shift(slot * SLOT) for slot, several in held if several])

    def unsure(self, patterns: BitMap, repeated: BitMap) -> BitMap:
        """The patterns that must be checked as a whole if these joints occur more than once."""
        found = self._undecided & patterns
        return BitMap.union(found, *[in_slot(repeated, slot) for slot in JOINTS if self._with_slot[slot]])


def in_slot(parts: BitMap, slot: int) -> BitMap:
    """The patterns of which the part in this slot is among `parts`."""
    found = parts & _range(slot)
    return found.shift(-slot * SLOT) if slot else found


@lru_cache(maxsize=JOINTS.stop)
def _range(slot: int) -> BitMap:
    return BitMap(range(slot * SLOT, (slot + 1) * SLOT))
