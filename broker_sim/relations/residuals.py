"""What is left to match: a deterministic automaton whose states are sets of unmatched rests of paths.

After a prefix of a publication, each way to embed a linear path leaves a rest of its steps (its derivative by that
prefix). The set of rests decides everything that follows, so it is the state. A path is one member of the first set, a
union of paths is several, and reading a name takes every rest one step on; a rest that begins with `//` also stays. The
empty rest means that some path is matched, and the rest of a publication is free: acceptance is for ever.

`PathAutomaton` answers one question about a few paths and is thrown away. Here a state is a value that does not
know which path it came from, so paths with equal ends share states, and what was counted for one (see
`publication_count`) serves all others. Rests that another one makes needless are dropped: a longer rest whose prefix is
there, and one that ends in another rest that begins with `//`. Without them a single path has few states: at most one
per set of partial matches of the segment it looks for.

A step is written as a string, axis and name (`/a`, `//*`), which hashes and compares fast.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, cast

from broker_sim.xpath import CHILD, DESCENDANT, WILDCARD, Axis, Path
from broker_sim.xpath.linear import linear_step

Steps = tuple[str, ...]

DEAD: Final = 0
"""The state from which no path can be matched any more."""

ACCEPTED: Final = 1
"""The state in which a path is matched."""


def written(path: Path) -> Steps:
    """The steps of a linear path as strings."""
    if not path.is_linear:
        raise ValueError(f"expected a linear path, got {path}")
    return tuple([step.axis + step.name for step in path.steps])


def path_of(steps: Steps) -> Path:
    """The path that these steps write."""
    return Path(tuple([linear_step(axis_of(step), name_of(step)) for step in steps]))


def axis_of(step: str) -> Axis:
    """`/` or `//`."""
    return DESCENDANT if step.startswith(DESCENDANT) else CHILD


def name_of(step: str) -> str:
    """The name, or `*`."""
    return step.lstrip("/")


class Residuals:
    """States are numbers; `moves[state]` are its transitions by name, `others[state]` that of any name not in there."""

    def __init__(self) -> None:
        self.moves: list[dict[str, int]] = [{}, {}]
        self.others: list[int] = [DEAD, ACCEPTED]
        self._rests: list[frozenset[Steps] | None] = [None, None]
        self._numbers: dict[frozenset[Steps], int] = {frozenset(): DEAD}

    def __len__(self) -> int:
        return len(self.moves)

    def start(self, paths: Iterable[Steps]) -> int:
        """The state that looks for any of `paths` from the root on."""
        return self._number(set(paths))

    def expand(self, state: int) -> None:
        """Make sure that the transitions of `state` are there."""
        rests = self._rests[state]
        if rests is None:
            return
        staying = {rest for rest in rests if rest[0].startswith(DESCENDANT)}
        matched: dict[str, set[Steps]] = {}
        for rest in rests:
            matched.setdefault(name_of(rest[0]), set()).add(rest[1:])
        staying |= matched.pop(WILDCARD, cast("set[Steps]", set()))
        self.others[state] = self._number(staying)
        self.moves[state] = {name: self._number(staying | found) for name, found in matched.items()}
        self._rests[state] = None

    def step(self, state: int, name: str) -> int:
        """The state after reading `name`."""
        self.expand(state)
        return self.moves[state].get(name, self.others[state])

    def _number(self, rests: set[Steps]) -> int:
        if () in rests:
            return ACCEPTED
        needed = frozenset(rests) if len(rests) < 2 else frozenset(rest for rest in rests if not _needless(rest, rests))
        number = self._numbers.get(needed)
        if number is None:
            number = self._numbers[needed] = len(self.moves)
            self.moves.append({})
            self.others.append(DEAD)
            self._rests.append(needed)
        return number


def _needless(rest: Steps, rests: set[Steps]) -> bool:
    """Whether another of `rests` is matched wherever `rest` is: a prefix of it, or a suffix that begins with `//`."""
    return any(
        rest[:cut] in rests or (rest[cut].startswith(DESCENDANT) and rest[cut:] in rests) for cut in range(1, len(rest))
    )
