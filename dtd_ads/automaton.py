"""One position automaton for every kind of advertisement.

Paths with and without loops, element graphs and sets of either all become the same thing (see `dtd_ads.positions`):
positions with a label, and sets of positions as bits of a Python int, so that one step of any number of positions is
a few word operations. Every position lies on a walk from a start to an end, so a set of positions that is not empty
always stands for at least one whole publication. Overlap, covering and membership are decided on this form.

Cost: a step of a mask not seen before is linear in its positions; one seen before is a look-up. Steps and closures are
memoised for each automaton, each at most `MEMO_MASKS` masks and about `MEMO_BITS` bits, and dropped when full.
Automata are cached: the last `CACHED` by value and as many by identity, because the hash of an element graph costs
more than a whole overlap test.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from dtd_ads.advertisement import WILDCARD, Advertisement, AdvertisementSet, PathAdvertisement
from dtd_ads.positions import PositionBuilder, mask_of, positions_in

MEMO_BITS: Final = 1 << 27
MEMO_MASKS: Final = 1 << 16
CACHED: Final = 1 << 15

Advertised = Advertisement | AdvertisementSet


class Moves:
    """Edges between positions in one direction, for whole masks, with a bounded memo."""

    def __init__(self, targets: tuple[int, ...], limit: int = MEMO_MASKS) -> None:
        self._targets = targets
        self._limit = min(limit, MEMO_BITS // (len(targets) + 1))
        self._steps: dict[int, int] = {}
        self._closures: dict[int, int] = {}

    @property
    def remembered(self) -> int:
        """How many masks the memo holds now."""
        return len(self._steps) + len(self._closures)

    def step(self, mask: int) -> int:
        """The positions one edge away from any in `mask`."""
        known = self._steps.get(mask)
        return known if known is not None else self._remember(self._steps, mask, self._step(mask))

    def closure(self, mask: int) -> int:
        """The positions one or more edges away from any in `mask`."""
        known = self._closures.get(mask)
        return known if known is not None else self._remember(self._closures, mask, self._closure(mask))

    def _step(self, mask: int) -> int:
        reached = 0
        for position in positions_in(mask):
            reached |= self._targets[position]
        return reached

    def _closure(self, mask: int) -> int:
        reached = frontier = self.step(mask)
        while frontier:
            frontier = self._step(frontier) & ~reached
            reached |= frontier
        return reached

    def _remember(self, memo: dict[int, int], mask: int, answer: int) -> int:
        if len(memo) >= self._limit:
            memo.clear()
        memo[mask] = answer
        return answer


@dataclass(frozen=True, eq=False)
class PositionAutomaton:
    """Positions with their labels; `start`, `accept` and each of `successors` are masks of positions."""

    labels: tuple[str, ...]
    start: int
    successors: tuple[int, ...]
    accept: int

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def everywhere(self) -> int:
        """All positions."""
        return (1 << len(self.labels)) - 1

    @cached_property
    def wildcards(self) -> int:
        """The positions that any name fits."""
        return mask_of(position for position, label in enumerate(self.labels) if label == WILDCARD)

    @cached_property
    def by_name(self) -> Mapping[str, int]:
        """The positions each name fits, wildcards included; a name that is missing here fits `wildcards` only."""
        masks: dict[str, int] = {}
        for position, label in enumerate(self.labels):
            if label != WILDCARD:
                masks[label] = masks.get(label, self.wildcards) | 1 << position
        return masks

    @cached_property
    def forward(self) -> Moves:
        """From positions to those below."""
        return Moves(self.successors)

    @cached_property
    def backward(self) -> Moves:
        """From positions to those above."""
        above = [0] * len(self.labels)
        for position, targets in enumerate(self.successors):
            for target in positions_in(targets):
                above[target] |= 1 << position
        return Moves(tuple(above))

    @cached_property
    def is_chain(self) -> bool:
        """Whether this is one path without loops: publications of one length only."""
        last = len(self.labels) - 1
        return (
            last >= 0
            and self.start == 1
            and self.accept == 1 << last
            and all(targets == 2 << i for i, targets in enumerate(self.successors[:-1]))
            and not self.successors[last]
        )

    @cached_property
    def is_deterministic(self) -> bool:
        """Whether a publication can stand at one position only, after each of its names."""
        return all(self._tells_apart(targets) for targets in (self.start, *self.successors))

    def _tells_apart(self, targets: int) -> bool:
        labels = [self.labels[position] for position in positions_in(targets)]
        return len(labels) <= 1 or (WILDCARD not in labels and len(set(labels)) == len(labels))

    def accepts(self, names: Iterable[str]) -> bool:
        """Whether the publication with these names, from the root to the leaf, is advertised."""
        mask, reached = 0, self.start
        for name in names:
            mask = reached & self.by_name.get(name, self.wildcards)
            if not mask:
                return False
            reached = self.forward.step(mask)
        return bool(mask & self.accept)


def automaton_of(advertised: Advertised) -> PositionAutomaton:
    """The automaton of an advertisement, or of the union of a set, from the cache where it is known."""
    entry = _recent.get(id(advertised))
    if entry is None:
        # The entry keeps the object alive, so no other object can have its id.
        entry = advertised, _compiled(advertised)
        if len(_recent) >= CACHED:
            _recent.clear()
        _recent[id(advertised)] = entry
    return entry[1]


def union_automaton(advertisements: Iterable[Advertisement]) -> PositionAutomaton:
    """The automaton that accepts what any of `advertisements` does; without any it accepts nothing."""
    builder = PositionBuilder()
    for advertisement in advertisements:
        if isinstance(advertisement, PathAdvertisement):
            builder.add_path(advertisement)
        else:
            builder.add_graph(advertisement)
    return PositionAutomaton(tuple(builder.labels), builder.start, tuple(builder.successors), builder.accept)


_recent: dict[int, tuple[Advertised, PositionAutomaton]] = {}


@lru_cache(maxsize=CACHED)
def _compiled(advertised: Advertised) -> PositionAutomaton:
    return union_automaton(advertised if isinstance(advertised, AdvertisementSet) else (advertised,))
