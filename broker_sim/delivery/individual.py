"""Individual post-processing: one plan for each query, one after the other.

Only queries that are equal once their paths are written out share a plan. A document costs the sum of all plans.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from broker_sim.delivery.groups import Groups
from broker_sim.delivery.operators import Message
from broker_sim.delivery.path_streams import PathStreams
from broker_sim.delivery.plans import Plan, Planner
from broker_sim.delivery.prepared import Prepared


class IndividualPlans:
    """The plans of all queries."""

    def __init__(self, engine: PathStreams, planner: Planner) -> None:
        self._engine: Final = engine
        self._planner: Final = planner
        self._plans: dict[Prepared, Plan] = {}

    def add(self, id: int, query: Prepared) -> None:
        """Take up a query."""
        plan = self._plans.get(query)
        if plan is None:
            plan = self._plans[query] = self._planner.plan(query)
        plan.ids[id] = None

    def remove(self, id: int, query: Prepared) -> None:
        """Forget a query, and its plan if no other has it."""
        plan = self._plans[query]
        del plan.ids[id]
        if not plan.ids:
            del self._plans[query]
            for path in plan.paths:
                self._engine.release(path)

    def run(self, message: Message) -> dict[int, Groups]:
        """The groups of every query that has any."""
        found: dict[int, Groups] = {}
        for plan in self._plans.values():
            groups = plan.run(message)
            if groups is not None:
                for id in plan.ids:
                    found[id] = groups
        return found

    def __len__(self) -> int:
        return len(self._plans)

    def operators(self) -> Counter[str]:
        """How many operators of which kind there are, and how many were removed."""
        return Counter(choice for plan in self._plans.values() for choice in plan.choices)
