"""The router paper's merging rules (section 5, Merging) for two linear paths.

1. Same length, one differing name: it becomes `*`.
2. Same length, one differing name and one differing operator: they become `*` and `//`.
3. A common prefix and a common suffix around different middles: `//` joins them. The paper applies this rule "if most
   parts are equal". Here that means: the common steps are at least half of the longer path. Both ends are non-empty;
   the operator before the suffix becomes `//`, so it need not be equal, and one middle may be empty.

One differing operator alone is no rule: then one path covers the other. A merger by any rule covers both paths over
all names, whatever the DTD: each rule only weakens steps. Where prefix and suffix of rule 3 overlap
(`/a/a/b` and `/a/a/a/b`) every split of the shorter path is a merger of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from broker_sim.relations.residuals import Steps, axis_of, name_of
from broker_sim.xpath import DESCENDANT, WILDCARD

Found = tuple[int, Steps]
"""The number of a rule and the merger it makes."""


def mergers(first: Steps, second: Steps) -> Iterator[Found]:
    """All mergers of two different paths by the rules, lowest rule first."""
    if len(first) == len(second):
        yield from _position_by_position(first, second)
    yield from _around_the_middle(first, second)


def mostly_equal(common: int, length: int) -> bool:
    """Whether `common` equal steps are most of a path of `length` steps: the policy of rule 3."""
    return 2 * common >= length


def joined(prefix: Steps, suffix: Steps) -> Steps:
    """The merger of rule 3."""
    return (*prefix, DESCENDANT + name_of(suffix[0]), *suffix[1:])


def _position_by_position(first: Steps, second: Steps) -> Iterator[Found]:
    pairs = list(zip(first, second, strict=True))
    names = sum(name_of(mine) != name_of(yours) for mine, yours in pairs)
    operators = sum(axis_of(mine) != axis_of(yours) for mine, yours in pairs)
    if names == 1 and operators <= 1:
        yield 1 + operators, tuple(_weakened(mine, yours) for mine, yours in pairs)


def _weakened(mine: str, yours: str) -> str:
    if mine == yours:
        return mine
    axis = axis_of(mine) if axis_of(mine) == axis_of(yours) else DESCENDANT
    return axis + (name_of(mine) if name_of(mine) == name_of(yours) else WILDCARD)


def _around_the_middle(first: Steps, second: Steps) -> Iterator[Found]:
    shorter, longer = sorted((first, second), key=len)
    prefix = _common(first, second)
    suffix = _common_end(first, second)
    for before in range(min(prefix, len(shorter) - 1), 0, -1):
        after = min(suffix, len(shorter) - before)
        if after and mostly_equal(before + after, len(longer)):
            yield 3, joined(longer[:before], longer[-after:])
        if before + suffix <= len(shorter):
            return


def _common(first: Steps, second: Steps) -> int:
    """The length of the longest common prefix."""
    count = 0
    for mine, yours in zip(first, second, strict=False):
        if mine != yours:
            break
        count += 1
    return count


def _common_end(first: Steps, second: Steps) -> int:
    """The length of the longest common suffix, the operator of its first step aside."""
    count = _common(first[::-1], second[::-1])
    if count == min(len(first), len(second)):
        return count
    return count + (name_of(first[-1 - count]) == name_of(second[-1 - count]))
