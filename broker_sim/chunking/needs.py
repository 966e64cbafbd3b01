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

from collections.abc import Generator
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from broker_sim.chunking.transformation import Names, Steps
from broker_sim.xpath import CHILD, FOLLOWING_SIBLING, Path, ValueTest
from broker_sim.xpath.linear import linear_step


class Keep(IntEnum):
    """How much of an element a chunk keeps; its start tag with all attributes always."""

    NODE = 1
    TEXT = 2
    TREE = 3


_KEPT: Final = {".": Keep.TREE, "text()": Keep.TEXT}
"""What a test of a value needs beyond the start tag."""


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
    kept: dict[Steps, Keep] = {}
    for place, keep in _aside((), path.steps):
        if place[: len(inside)] != inside:
            kept[place] = max(keep, kept.get(place, keep))
    return frozenset(FilterPath(place, keep) for place, keep in kept.items())


def _aside(before: Steps, steps: Steps) -> Generator[tuple[Steps, Keep], None, Steps]:
    """What `steps` need besides the elements on their way: left siblings, tested texts, branches. Returns their end.

    A branch may lead to where the path itself goes, and be answered by another element than the path passes: it is
    always needed to its end.
    """
    place = before
    for number, step in enumerate(steps):
        if step.axis == FOLLOWING_SIBLING:
            if number:
                yield place, Keep.NODE
            place = (*place[:-1], linear_step(place[-1].axis, step.name))
        else:
            place = (*place, linear_step(step.axis, step.name))
        for predicate in step.predicates:
            if not isinstance(predicate, ValueTest):
                end = yield from _aside(place, predicate.steps)
                yield end, Keep.NODE
            elif (keep := _KEPT.get(predicate.subject)) is not None:
                yield place, keep
    return place
