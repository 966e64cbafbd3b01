"""Embedding one linear path into another, which decides covering.

`first` covers `second` exactly if `first` embeds into `second`: names go to the same names, `*` to anything, `/` to
`/`, and a loose run of wildcards (see `normal_form`) to any stretch that is at least as long. A `Pattern` is a
path made ready to be embedded, a `Target` one made ready to be embedded into.

A pattern is a list of rigid segments, each with the least distance from the end of the one before. Greedy search is
exact: the leftmost place for a segment leaves the most room to those behind it. No recursion; the cost is the product
of the lengths at worst and one failed look-up of a name in most cases.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from broker_sim.relations.normal_form import is_loose, run_end
from broker_sim.xpath import CHILD, WILDCARD, Path


class Segment(NamedTuple):
    """Steps joined by `/`. `distance` is the least one from the last node matched; 0 ties it to the root."""

    distance: int
    names: tuple[str, ...]
    wild: bool


@dataclass(frozen=True, slots=True)
class Pattern:
    """A path as rigid segments, and how many further nodes its trailing run of `*` asks for."""

    segments: tuple[Segment, ...]
    trailing: int


@dataclass(frozen=True, slots=True)
class Target:
    """The node names of a path; `reach[i]` is the index behind the last node to which only `/` leads from node `i`."""

    names: tuple[str, ...]
    reach: tuple[int, ...]
    root_reach: int


def pattern_of(path: Path) -> Pattern:
    """`path`, a linear one, ready to be embedded."""
    steps = path.steps
    segments: list[Segment] = []
    names: list[str] = []
    distance = at = 0
    while (end := run_end(steps, at)) < len(steps):
        if is_loose(steps, at, end):
            if names:
                segments.append(_segment(distance, names))
            names = []
            distance = end - at + 1
        else:
            names += [WILDCARD] * (end - at)
        names.append(steps[end].name)
        at = end + 1
    if names:
        segments.append(_segment(distance, names))
    return Pattern(tuple(segments), end - at)


def _segment(distance: int, names: list[str]) -> Segment:
    return Segment(distance, tuple(names), WILDCARD in names)


def target_of(path: Path) -> Target:
    """`path`, a linear one, ready to be embedded into."""
    steps = path.steps
    reach = [len(steps)] * (len(steps) + 1)
    for index in range(len(steps) - 1, -1, -1):
        reach[index] = reach[index + 1] if steps[index].axis == CHILD else index
    return Target(tuple([step.name for step in steps]), tuple(reach[1:]), reach[0])


def embeds(pattern: Pattern, target: Target) -> bool:
    """Whether the pattern's path covers the target's."""
    names = target.names
    free = 0
    for distance, wanted, wild in pattern.segments:
        size = len(wanted)
        if distance == 0:
            if size > target.root_reach or not _fits(wanted, wild, names[:size]):
                return False
            free = size
            continue
        at = free + distance - 1
        while True:
            try:
                at = names.index(wanted[0], at)
            except ValueError:
                return False
            if at + size <= target.reach[at] and _fits(wanted, wild, names[at : at + size]):
                break
            at += 1
        free = at + size
    return free + pattern.trailing <= len(names)


def _fits(wanted: tuple[str, ...], wild: bool, found: tuple[str, ...]) -> bool:
    if not wild:
        return wanted == found
    return all(name in (WILDCARD, other) for name, other in zip(wanted, found, strict=True))
