"""Overlap of advertisements and subscriptions: can a publication be both advertised and asked for?

Linear subscriptions are decided exactly, in one of two ways.

- A path without loops: the segment before the first `//` is compared place by place (router paper, Alg. 1), each
  later one is put at the earliest place after the one before (what Alg. 4 means to do). Earliest is best: what follows
  has the more room. A segment is searched by `kmp` where neither side has a wildcard, else by `shift_and`.
- Loops, element graphs and sets: the product of the advertisement's position automaton with the subscription. The set
  of positions that a publication can stand at, after it has satisfied the steps so far, goes through the steps: a child
  step moves to the successors, `//` to all that is below, and a name keeps the positions labelled so and the
  wildcards. Each step of the walk is one name of the publication, chosen on its own, so the set is exact; the
  automaton is trimmed and the rest of a publication is free, so there is overlap if the set is not empty at the end.
  The paper expands loops instead (Alg. 5 to 7, whose printed form returns within the first turn of its loop).

Tree patterns are decided by conditions that every matching document meets, so no document is lost, and some traffic may
be needless. Value tests and the order of siblings are left out; a sibling is a child of the same parent.

- One path advertisement speaks of one path, and a document has many, each of which another advertisement may stand for:
  overlap if any root-to-leaf branch of the pattern overlaps.
- A set is all that a publisher sends: every root-to-leaf branch must overlap.
- Where an element can stand at one position only (an element graph, or a set of paths without wildcards: the automaton
  is deterministic), the pattern is evaluated on the graph, which is tighter: a position satisfies a step only if it has
  positions for all of the step's branches below it.

A disjunction overlaps if any of its paths does.

Cost, once the masks are warm: two look-ups and one `and` for each step of a linear path.
"""

from __future__ import annotations

from collections.abc import Iterator

from broker_sim.relations import kmp, shift_and
from broker_sim.xpath import CHILD, DESCENDANT, FOLLOWING_SIBLING, WILDCARD, Axis, Branch, Expression, Path, Step
from dtd_ads.advertisement import PathAdvertisement
from dtd_ads.automaton import Advertised, PositionAutomaton, automaton_of

Steps = tuple[Step, ...]


def overlaps(advertised: Advertised, expression: Expression) -> bool:
    """Whether a document of the publisher that sent `advertised` may match `expression`; exact for linear paths."""
    automaton = automaton_of(advertised)
    one_path = isinstance(advertised, PathAdvertisement)
    return any(_overlaps(automaton, path, one_path) for path in expression.disjuncts)


def _overlaps(automaton: PositionAutomaton, path: Path, one_path: bool) -> bool:
    if path.is_linear:
        return _linear_overlaps(automaton, path.steps)
    if one_path:
        return any(_linear_overlaps(automaton, branch) for branch in branches((), path.steps))
    if automaton.is_deterministic:
        return _graph_overlaps(automaton, path.steps)
    return all(_linear_overlaps(automaton, branch) for branch in branches((), path.steps))


def _linear_overlaps(automaton: PositionAutomaton, steps: Steps) -> bool:
    return _chain_overlaps(automaton, steps) if automaton.is_chain else _product_overlaps(automaton, steps)


def _product_overlaps(automaton: PositionAutomaton, steps: Steps) -> bool:
    forward, by_name, wildcards = automaton.forward, automaton.by_name, automaton.wildcards
    mask = automaton.start if steps[0].axis == CHILD else automaton.everywhere
    for number, step in enumerate(steps):
        if number:
            mask = forward.step(mask) if step.axis == CHILD else forward.closure(mask)
        if step.name != WILDCARD:
            mask &= by_name.get(step.name, wildcards)
        if not mask:
            return False
    return True


def _chain_overlaps(chain: PositionAutomaton, steps: Steps) -> bool:
    place = 0
    for axis, segment in _segments(steps):
        if axis == CHILD:
            place = 0 if _fits_at_root(segment, chain.labels) else -1
        elif WILDCARD in segment or chain.wildcards:
            place = shift_and.find(segment, chain, place)
        else:
            place = kmp.find(segment, chain.labels, place)
        if place < 0:
            return False
        place += len(segment)
    return True


def _fits_at_root(segment: tuple[str, ...], labels: tuple[str, ...]) -> bool:
    return len(segment) <= len(labels) and all(
        name in (label, WILDCARD) or label == WILDCARD for name, label in zip(segment, labels, strict=False)
    )


def _segments(steps: Steps) -> Iterator[tuple[Axis, tuple[str, ...]]]:
    """The runs of names between `//`, each with the axis it begins with."""
    begin = 0
    for end in range(1, len(steps) + 1):
        if end == len(steps) or steps[end].axis == DESCENDANT:
            yield steps[begin].axis, tuple([step.name for step in steps[begin:end]])
            begin = end


def branches(above: Steps, steps: Steps) -> Iterator[Steps]:
    """The root-to-leaf branches of a tree pattern as linear steps; `above` leads to the element `steps` stand at.

    A sibling has the parent of the step before it, so it takes the place of that step, and its axis.
    """
    for step in steps:
        if step.axis == FOLLOWING_SIBLING:
            yield above
            above = (*above[:-1], Step(above[-1].axis, step.name))
        else:
            above = (*above, Step(step.axis, step.name))
        for predicate in step.predicates:
            if isinstance(predicate, Branch):
                yield from branches(above, predicate.steps)
    yield above


def _graph_overlaps(automaton: PositionAutomaton, steps: Steps) -> bool:
    satisfied = _satisfying(automaton, steps)
    return bool(satisfied & (automaton.start if steps[0].axis == CHILD else automaton.everywhere))


def _satisfying(automaton: PositionAutomaton, steps: Steps) -> int:
    """The positions that satisfy the first of `steps`, with its branches and all that comes after it."""
    mask = automaton.everywhere
    for number in range(len(steps) - 1, -1, -1):
        step = steps[number]
        if step.name != WILDCARD:
            mask &= automaton.by_name.get(step.name, automaton.wildcards)
        for predicate in step.predicates:
            if isinstance(predicate, Branch):
                mask &= _standing_at(automaton, predicate.steps[0].axis, _satisfying(automaton, predicate.steps))
        if number:
            mask = _standing_at(automaton, step.axis, mask)
    return mask


def _standing_at(automaton: PositionAutomaton, axis: Axis, mask: int) -> int:
    """The positions from which a step along `axis` can reach one of `mask`."""
    if axis == CHILD:
        return automaton.backward.step(mask)
    if axis == DESCENDANT:
        return automaton.backward.closure(mask)
    return automaton.forward.step(automaton.backward.step(mask))
