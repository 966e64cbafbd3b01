"""Linear paths as one automaton over the names of a publication, run bit-parallel.

A state is one Python integer, a set of positions. Position `i` of a path says "its first `i` steps are matched".
Reading a name moves every position whose next step accepts the name; a position before a `//` step also stays, and so
does the last one: the rest of a publication is free, so acceptance is for ever. This is bit-parallel Shift-And, laid
over several paths at once: a name costs one `&`, one shift and one `|`.

A position that stays makes the earlier ones of its path needless, for whatever they may still reach it reaches too.
They are dropped, so that few different states arise and the automaton can be explored as if it were deterministic:
a set of positions is one number, equal sets are equal numbers. Transitions are remembered in a dictionary; names that
no path mentions share theirs. The memory is the number of states met times the names mentioned; the automaton is
meant to live as long as one question.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from broker_sim.xpath import DESCENDANT, WILDCARD, Path


class PathAutomaton:
    """Runs `paths` (linear ones) over the names of a publication, from its root on."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self.start = 0
        self._moves: dict[str, int] = {}
        self._other = 0
        self._stays = 0
        self._earlier: dict[int, int] = {}
        self._finals: list[int] = []
        self._known: dict[tuple[int, str | None], int] = {}
        offset = 0
        for path in paths:
            offset = self._lay(path, offset)
        for name in self._moves:
            self._moves[name] |= self._other

    def _lay(self, path: Path, offset: int) -> int:
        if not path.is_linear:
            raise ValueError(f"expected a linear path, got {path}")
        first = bit = 1 << offset
        self.start |= first
        for step in path.steps:
            if step.axis == DESCENDANT:
                self._stay(bit, first)
            if step.name == WILDCARD:
                self._other |= bit
            else:
                self._moves[step.name] = self._moves.get(step.name, 0) | bit
            bit <<= 1
        self._stay(bit, first)
        self._finals.append(bit)
        return bit.bit_length()

    def _stay(self, bit: int, first: int) -> None:
        self._stays |= bit
        self._earlier[bit] = bit - first

    @property
    def names(self) -> frozenset[str]:
        """The names that some path mentions; all others behave alike."""
        return frozenset(self._moves)

    def step(self, state: int, name: str) -> int:
        """The state after reading `name`; 0 is the state from which nothing can be accepted any more."""
        key = (state, name if name in self._moves else None)
        known = self._known.get(key)
        if known is None:
            moved = (state & self._moves.get(name, self._other)) << 1
            known = self._known[key] = self._pruned(moved | (state & self._stays))
        return known

    def _pruned(self, state: int) -> int:
        staying = state & self._stays
        while staying:
            bit = staying & -staying
            state &= ~self._earlier[bit]
            staying ^= bit
        return state

    def matches(self, names: Iterable[str]) -> bool:
        """Whether any path matches this publication."""
        state = self.start
        for name in names:
            state = self.step(state, name)
        return bool(self.accepted(state))

    def accepted(self, state: int) -> int:
        """Which paths are matched: bit `i` stands for `paths[i]`."""
        return sum(1 << index for index, final in enumerate(self._finals) if state & final)
