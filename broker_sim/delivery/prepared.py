"""A query made ready for a plan: paths written out from the root, predicates apart.

Section 3.2 of "Query Processing for High-Volume XML Message Brokering" (VLDB 2003): the engine treats all paths as
independent, so predicate and return paths are extended by the binding path. With a DTD, superfluous `//` are rewritten
first (section 5.1). Queries that are equal after this share one plan altogether, whatever their constant tags.
"""

from __future__ import annotations

from dataclasses import dataclass

from broker_sim.delivery.element_graph import ElementGraph
from broker_sim.delivery.operators import FieldTest
from broker_sim.delivery.query import Condition, Navigation, Query
from broker_sim.xpath import Step, ValueTest
from broker_sim.xpath.linear import linear_step


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a plan is made from; conditions and returns are relative to the binding path."""

    binding: Navigation
    tests: tuple[FieldTest, ...]
    conditions: tuple[Condition, ...]
    returns: tuple[Navigation, ...]

    @property
    def field(self) -> int:
        """The field of the bound element."""
        return len(self.binding) - 1


def prepare(query: Query, graph: ElementGraph | None) -> Prepared:
    """The query with its paths as they are matched; with a graph they are rewritten."""
    binding, tests = _split(_canonical(query.binding, None, graph))
    bound = binding[-1].name
    conditions = {Condition(_canonical(one.steps, bound, graph), one.tests) for one in query.conditions}
    return Prepared(
        binding,
        tests,
        tuple(sorted(conditions, key=_spelling)) if len(conditions) > 1 else tuple(conditions),
        tuple([_canonical(steps, bound, graph) for steps in query.returns]),
    )


def _spelling(condition: Condition) -> str:
    return str(condition.branch)


def _canonical(steps: tuple[Step, ...], above: str | None, graph: ElementGraph | None) -> tuple[Step, ...]:
    return steps if graph is None else graph.canonical(steps, above)


def _split(binding: tuple[Step, ...]) -> tuple[Navigation, tuple[FieldTest, ...]]:
    """The steps without their predicates, and these with the field that they look at."""
    tests = tuple(
        (field, test) for field, step in enumerate(binding) for test in step.predicates if isinstance(test, ValueTest)
    )
    return tuple([linear_step(step.axis, step.name) for step in binding]) if tests else binding, tests
