"""Covering over the publications of one schema only.

The publications are the walks of the element graph from the root to an element that may end, of any length. `first`
covers `second` here exactly if none of them is matched by `second` alone. We look for such a walk in the product of
the element graph and the paths' automaton (`path_automaton`): a breadth-first search over pairs of an element and a
state. A walk is given up as soon as `first` accepts, for acceptance is for ever, or `second` no longer can.

Several paths on either side are taken as their union, so disjunctions are exact too. The cost is the number of elements
times the states that arise, times the children of an element. Most pairs meet few states; in the worst case they are
exponential in the rigid wildcards of a path, as they are for any automaton of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from broker_sim.relations.path_automaton import PathAutomaton
from broker_sim.xpath import Path
from dtd_ads import Schema


def schema_covers(first: Sequence[Path], second: Sequence[Path], schema: Schema) -> bool:
    """Whether each publication of `schema` that some path of `second` matches is matched by one of `first`."""
    return all(witness(first, path, schema) is None for path in second)


def witness(first: Sequence[Path], second: Path, schema: Schema) -> tuple[str, ...] | None:
    """A shortest publication of `schema` that `second` matches and no path of `first` does, if there is one."""
    ours = PathAutomaton([second])
    theirs = PathAutomaton(first)
    start = (schema.root, ours.step(ours.start, schema.root), theirs.step(theirs.start, schema.root))
    reached: dict[tuple[str, int, int], tuple[str, int, int] | None] = {start: None}
    queue = [start]
    for node in queue:
        element, wanted, other = node
        if not wanted or theirs.accepted(other):
            continue
        if schema.may_end(element) and ours.accepted(wanted):
            return _walk(node, reached)
        for child in schema.children(element):
            following = (child, ours.step(wanted, child), theirs.step(other, child))
            if following not in reached:
                reached[following] = node
                queue.append(following)
    return None


def _walk(
    last: tuple[str, int, int], reached: dict[tuple[str, int, int], tuple[str, int, int] | None]
) -> tuple[str, ...]:
    names: list[str] = []
    node: tuple[str, int, int] | None = last
    while node is not None:
        names.append(node[0])
        node = reached[node]
    return tuple(reversed(names))
