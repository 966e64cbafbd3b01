"""One query on one document by tree search alone: what is left where path-tuples are too many to write down.

`//a//a//a` matches a chain of n elements in about n^3 / 6 ways, though it binds at most n of them. Path-tuples are the
base of the paper's approaches, and a deep recursive document could exhaust the memory with them. Sets of elements need
no more room than the document: here each step of the binding path takes one set to the next, in O(elements) a step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from broker_sim.delivery.groups import Groups
from broker_sim.delivery.joins import ReturnSelect
from broker_sim.delivery.operators import Message, WhereFilter
from broker_sim.delivery.query import Query
from broker_sim.delivery.value_tests import ReadyTest
from broker_sim.engines.outline import Outline
from broker_sim.xpath import CHILD, WILDCARD, Step, ValueTest

_DOCUMENT = -1


def groups_by_search(query: Query, message: Message) -> Groups | None:
    """The groups of a query; None if there are none."""
    bound = [(element,) for element in sorted(_bound(query.binding, message))]
    kept = WhereFilter(query.conditions).apply(bound, message)
    return ReturnSelect(query.returns).finish(kept, message) if kept else None


def _bound(steps: Iterable[Step], message: Message) -> set[int]:
    names = message.outline.names
    here = {_DOCUMENT}
    for step in steps:
        reached = _children(message.outline, here) if step.axis == CHILD else _below(message.outline, here)
        here = {element for element in reached if step.name in (WILDCARD, names[element])}
        for test in step.predicates:
            if isinstance(test, ValueTest):
                here = ReadyTest(test).passing(message.values, here)
    return here


def _children(outline: Outline, above: set[int]) -> Iterator[int]:
    for element in above:
        yield from outline.children[element] if element != _DOCUMENT else (0,)


def _below(outline: Outline, above: set[int]) -> Iterator[int]:
    """Every element below any of those above, once."""
    done = 0
    for element in sorted(above):
        last = outline.last[element] if element != _DOCUMENT else len(outline) - 1
        yield from range(max(element + 1, done), last + 1)
        done = max(done, last + 1)
