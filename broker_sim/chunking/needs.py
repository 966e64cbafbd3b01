"""Filter nodes: what a chunk must hold besides its subtrees, so that predicates above the cut can be evaluated.

Section 4 of the chunking paper: where `/a/b[c]/d/e` is cut at `/a/b/d`, the chunk gets the single nodes `/a/b/c` too,
without what is inside them. The definition of a chunk calls them F, a set of simple paths.

We go beyond existence. A test on `text()` needs the text nodes directly inside the element, one on `.` (its string
value) the whole of its subtree; attributes come with every node. Predicates may hold `//`, `*` and following siblings,
so a filter path is any linear path. Leaving elements out never makes a query match, because no expression of the
language asks for absence; and a value is only ever tested where it is kept whole. That is why each query gives the same
answer on its chunk as on the document.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from broker_sim.chunking.transformation import Names, Steps
from broker_sim.xpath import CHILD, FOLLOWING_SIBLING, Path, ValueTest
from broker_sim.xpath.linear import linear_step


class Keep(IntEnum):
    """How much of an element a chunk keeps; its start tag with all attributes always."""

    NODE = 1
    TEXT = 2
    TREE = 3


@dataclass(frozen=True, slots=True)
class FilterPath:
    """A linear path, and how much to keep of the elements it leads to."""

    steps: Steps
    keep: Keep

    def __str__(self) -> str:
        return f"{Path(self.steps)}{'/text()' * (self.keep == Keep.TEXT)}{'//node()' * (self.keep == Keep.TREE)}"


def filter_paths(path: Path, prefix: Names) -> frozenset[FilterPath]:
    """What evaluating `path` needs outside the subtrees at `prefix`, the ancestors of these aside."""
    inside = tuple(linear_step(CHILD, name) for name in prefix)
    places = {place: keep for place, keep in _places((), path.steps) if place[: len(inside)] != inside}
    trunk, _ = next(_places((), path.steps))
    return frozenset(
        FilterPath(place, keep) for place, keep in places.items() if keep > Keep.NODE or place != trunk[: len(place)]
    )


def _places(before: Steps, steps: Steps) -> Iterator[tuple[Steps, Keep]]:
    """Where `steps` end, then every other place that must be kept: branch ends, left siblings, tested values."""
    aside: dict[Steps, Keep] = {}
    place = before
    for step in steps:
        if step.axis == FOLLOWING_SIBLING:
            aside.setdefault(place, Keep.NODE)
            place = (*place[:-1], linear_step(place[-1].axis, step.name))
        else:
            place = (*place, linear_step(step.axis, step.name))
        for predicate in step.predicates:
            found = [(place, _kept(predicate))] if isinstance(predicate, ValueTest) else _places(place, predicate.steps)
            for where, keep in found:
                aside[where] = max(keep, aside.get(where, Keep.NODE))
    yield place, aside.pop(place, Keep.NODE)
    yield from aside.items()


def _kept(test: ValueTest) -> Keep:
    return {".": Keep.TREE, "text()": Keep.TEXT}.get(test.subject, Keep.NODE)
