"""PREPTOOL, first half: the weighted query tree, and where to cut.

Section 4 and figure 6 of the chunking paper. A node of the query tree is a prefix; its weight is the number of paths
that may be cut there or below. Cutting points are chosen one after the other: the heaviest node, of equal ones the
deepest. Its weight is then taken off the nodes above it; a node chosen before that is now lighter than the new one is
removed again, since most of its queries have found a better place. The root is never chosen: its subtree is the
document.

Where figure 6 is broken we do what the worked example (figures 5 and 7) and the table of appendix A3 show:

- the weight of a node is what its chunk would have to answer: the paths below it that no chosen node further down
  answers. The figure subtracts a weight from all ancestors, again and again for nodes on one way, and never gives back
  what belonged to a removed node;
- the loop ends when no node has weight left, and not when every node is chosen;
- the figure collects the visited nodes `V` and never uses them. A removed node may be chosen again (its rest may be the
  heaviest thing left) but is then removed a second time only if nothing is left of it, so the loop ends.

A choice costs one pass over the tree: O(n x N) for n cuts and N nodes, twice that at worst with removals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from broker_sim.chunking.transformation import Names

Weights = dict[Names, int]


class QueryTree:
    """Prefixes with the number of paths that may be cut there or below."""

    def __init__(self) -> None:
        self.weights: Counter[Names] = Counter()
        self.total = 0

    def add(self, cut: Names) -> None:
        """Count one path that may be cut at `cut` or any prefix of it."""
        self.total += 1
        for end in range(1, len(cut) + 1):
            self.weights[cut[:end]] += 1

    def remove(self, cut: Names) -> None:
        """Count one path less."""
        self.total -= 1
        for end in range(1, len(cut) + 1):
            prefix = cut[:end]
            self.weights[prefix] -= 1
            if not self.weights[prefix]:
                del self.weights[prefix]

    def cuts(self, number: int) -> tuple[Names, ...]:
        """At most `number` cutting points, in order of their text."""
        chosen: tuple[Names, ...] = ()
        for chosen in self.growing_cuts():
            if len(chosen) == number:
                break
        return chosen if number else ()

    def growing_cuts(self) -> Iterator[tuple[Names, ...]]:
        """The cutting points after every step of the algorithm, none first; removals make a set smaller again."""
        chosen: set[Names] = set()
        visited: set[Names] = set()
        yield ()
        while (heaviest := self._heaviest(chosen)) is not None:
            u, weight = heaviest
            chosen.add(u)
            left = remaining(self.weights, chosen)
            above = {e for e in chosen if e == u[: len(e)] and left[e] < weight}
            lighter = {e for e in above if e not in visited or not left[e]}
            visited |= lighter
            chosen -= lighter
            yield tuple(sorted(chosen))

    def _heaviest(self, chosen: set[Names]) -> tuple[Names, int] | None:
        left = remaining(self.weights, chosen)
        candidates = [node for node in left if len(node) > 1 and left[node] > 0 and node not in chosen]
        if not candidates:
            return None
        u = min(candidates, key=lambda node: (-left[node], -len(node), node))
        return u, left[u]


def remaining(weights: Weights, chosen: set[Names]) -> Weights:
    """For each node, the paths below it that no chosen node further down answers."""
    left = dict(weights)
    for node in chosen:
        for end in range(len(node) - 1, 0, -1):
            above = node[:end]
            left[above] -= weights[node]
            if above in chosen:
                break
    return left
