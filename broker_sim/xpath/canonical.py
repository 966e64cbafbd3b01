"""A finished alternative -> its canonical `Path`.

The trunk is the way from the document to where the path ended, as written. What hangs off it becomes predicates. Which
way a branch continues and which of its parts are predicates is the same question to a document (`[b[x]/c]`,
`[b[c]/x]`, `[b[x][c]]`), so the choice is ours: a branch continues into its largest part, ties by text, the last
one. Then values nest at most as deep as the logarithm of their size, whatever was written, and recursive functions
over them are safe.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from broker_sim.xpath.expression import FOLLOWING_SIBLING, Branch, Path, Predicate, Step
from broker_sim.xpath.linear import linear_step
from broker_sim.xpath.pattern import DOCUMENT, Pattern


@dataclass(slots=True)
class _Parts:
    """The branches that start at one node, each with its number of steps."""

    sizes: dict[Branch, int] = field(default_factory=dict)

    def heaviest(self) -> Branch | None:
        if not self.sizes:
            return None
        most = max(self.sizes.values())
        return max((branch for branch, size in self.sizes.items() if size == most), key=str)


def canonical_path(pattern: Pattern, end: int) -> Path:
    """The path whose trunk ends at node `end`."""
    trunk = _ancestry(pattern, end)
    on_trunk = set(trunk)
    parts = [_Parts() for _ in pattern.parents]
    for node in reversed(_downward(pattern)):
        if node not in on_trunk:
            heaviest = parts[node].heaviest()
            step = _step(pattern, node, [part for part in parts[node].sizes if part != heaviest])
            branch = Branch((step, *(heaviest.steps if heaviest else ())))
            parts[pattern.parents[node]].sizes[branch] = 1 + sum(parts[node].sizes.values())
    return Path(tuple(_step(pattern, node, list(parts[node].sizes)) for node in trunk))


def _step(pattern: Pattern, node: int, branches: list[Branch]) -> Step:
    axis, name = pattern.axes[node], pattern.names[node]
    predicates: set[Predicate] = {*branches, *pattern.tests[node]}
    if not predicates and axis != FOLLOWING_SIBLING:
        return linear_step(axis, name)
    return Step(axis, name, tuple(sorted(predicates, key=str)))


def _ancestry(pattern: Pattern, node: int) -> list[int]:
    """The nodes from the document, without it, to `node`."""
    found = []
    while node != DOCUMENT:
        found.append(node)
        node = pattern.parents[node]
    return found[::-1]


def _downward(pattern: Pattern) -> list[int]:
    """Every node but the document, parents first."""
    children: list[list[int]] = [[] for _ in pattern.parents]
    for node in range(1, len(pattern.parents)):
        children[pattern.parents[node]].append(node)
    order = children[DOCUMENT].copy()
    for node in order:
        order.extend(children[node])
    return order
