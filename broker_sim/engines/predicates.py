"""Checking a tree pattern exactly, at the elements where its trunk may end.

The automaton says at which elements the names of a trunk end. From there the trunk is followed upwards, a set of
elements for each step, and the predicates of a step must hold at each element that stays. A nested path is followed
downwards in the same way. Sets keep the cost of one path at (steps) x (elements), whatever the number of embeddings.

What a comparison means is said in `broker_sim.xpath.values`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from broker_sim.engines.outline import Outline
from broker_sim.xpath import CHILD, DESCENDANT, WILDCARD, Axis, Step, ValueTest
from broker_sim.xpath.values import holds


def matches_at(outline: Outline, steps: Sequence[Step], ends: Iterable[int]) -> bool:
    """Whether the trunk `steps` has an embedding that ends at one of the elements `ends`."""
    here = list(ends)
    names, parents = outline.names, outline.parents
    for step in steps[:0:-1]:
        name = step.name
        if name != WILDCARD:
            here = [element for element in here if names[element] == name]
        if step.predicates:
            here = [element for element in here if _all_hold(outline, step, element)]
        if not here:
            return False
        if step.axis == CHILD:
            here = list({parents[element] for element in here if element})
        else:
            here = list({before for element in here for before in _before(outline, step.axis, element)})
    first = steps[0]
    if first.axis == CHILD:
        return 0 in here and fits(outline, first, 0)
    return any(fits(outline, first, element) for element in here)


def embeddings(outline: Outline, steps: Sequence[Step], end: int) -> Iterator[tuple[int, ...]]:
    """Every way to place the trunk `steps` so that it ends at the element `end`."""
    *above, step = steps
    if not fits(outline, step, end):
        return
    if not above:
        if step.axis == DESCENDANT or end == 0:
            yield (end,)
        return
    for before in _before(outline, step.axis, end):
        for places in embeddings(outline, above, before):
            yield (*places, end)


def fits(outline: Outline, step: Step, element: int) -> bool:
    """Whether name and predicates of a step hold at an element."""
    if step.name != WILDCARD and step.name != outline.names[element]:
        return False
    return _all_hold(outline, step, element)


def _all_hold(outline: Outline, step: Step, element: int) -> bool:
    for predicate in step.predicates:
        if isinstance(predicate, ValueTest):
            if not _value_holds(outline.values(element, predicate.subject), predicate):
                return False
        elif not _leads(outline, predicate.steps, (element,)):
            return False
    return True


def _leads(outline: Outline, steps: Iterable[Step], here: Collection[int]) -> bool:
    """Whether the steps can be followed from one of the elements."""
    for step in steps:
        here = _after(outline, step, here)
        if step.predicates:
            here = [element for element in here if _all_hold(outline, step, element)]
        if not here:
            return False
    return bool(here)


def _value_holds(values: list[str], test: ValueTest) -> bool:
    if test.operator is None or test.literal is None:
        return bool(values)
    operator, literal = test.operator, test.literal
    return any(holds(operator, value, literal) for value in values)


def _before(outline: Outline, axis: Axis, element: int) -> Iterator[int]:
    """From where a step along `axis` leads to the element; nothing above the root."""
    parent = outline.parents[element]
    if axis == CHILD:
        if parent >= 0:
            yield parent
    elif axis == DESCENDANT:
        while parent >= 0:
            yield parent
            parent = outline.parents[parent]
    else:
        yield from (sibling for sibling in outline.siblings(element) if sibling < element)


def _after(outline: Outline, step: Step, here: Collection[int]) -> set[int]:
    """The elements of the step's name to which it leads from any of the elements."""
    name, names = step.name, outline.names
    if step.axis == DESCENDANT:
        return outline.inside(here, name)
    if step.axis == CHILD:
        near = [child for element in here for child in outline.children[element]]
    else:
        near = [sibling for element in here for sibling in outline.siblings(element) if sibling > element]
    return set(near) if name == WILDCARD else {element for element in near if names[element] == name}
