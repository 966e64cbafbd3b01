"""Plans of single queries: PathSharing-F, -FW and -FWR.

Section 3 of "Query Processing for High-Volume XML Message Brokering" (VLDB 2003). The approaches differ in what the
shared engine matches: binding paths alone (F), predicate paths too (FW), and return paths as well (FWR). The rest is
done by operators, chosen by the claims: a DupElim that can have nothing to do is left out, and scan and merge operators
take the place of hash operators where their streams are known to be ordered. Without optimisation every DupElim is
there, and all that needs an order hashes, except that a binding stream is always ordered by the bound element.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

from broker_sim.delivery.claims import Claims
from broker_sim.delivery.groups import Groups
from broker_sim.delivery.joins import (
    HashOuterJoinSelect,
    HashSemijoin,
    MergeOuterJoinSelect,
    MergeSemijoin,
    ReturnSelect,
    ReturnStream,
)
from broker_sim.delivery.operators import (
    HashDupElim,
    Last,
    Message,
    Operator,
    ScanDupElim,
    Selection,
    WhereFilter,
)
from broker_sim.delivery.path_streams import PathStreams
from broker_sim.delivery.prepared import Prepared
from broker_sim.delivery.profile import Profile, TimedLast, TimedOperator
from broker_sim.delivery.query import Condition, Navigation

Approach = Literal["F", "FW", "FWR"]


@dataclass(slots=True, eq=False)
class Plan:
    """A pipeline on the stream of the binding path; `choices` names the operators chosen, `paths` those it holds."""

    binding: int
    operators: list[Operator]
    last: Last
    paths: list[int]
    choices: list[str]
    ids: dict[int, None] = field(default_factory=dict)

    def run(self, message: Message) -> Groups | None:
        """The groups for a document; None if there are none."""
        tuples = message.streams.get(self.binding)
        if not tuples:
            return None
        for operator in self.operators:
            tuples = operator.apply(tuples, message)
            if not tuples:
                return None
        return self.last.finish(tuples, message)


class Planner:
    """Builds plans whose paths are held by one engine; `claims` is None without optimisation."""

    def __init__(
        self, engine: PathStreams, approach: Approach, claims: Claims | None, profile: Profile | None = None
    ) -> None:
        self._engine: Final = engine
        self._approach: Final = approach
        self._claims: Final = claims
        self._profile: Final = profile

    def plan(self, query: Prepared) -> Plan:
        """A new plan."""
        binding = self._engine.add(query.binding)
        plan = Plan(binding, [], ReturnSelect(query.returns), [binding], [])
        if query.tests:
            plan.operators.append(self._timed(Selection(query.tests)))
        if self._claims is None or not self._claims.distinct(query.binding):
            plan.operators.append(self._timed(ScanDupElim(query.field, query.field)))
            plan.choices.append("DupElim scan")
        else:
            plan.choices.append("DupElim removed")
        self._add_conditions(plan, query)
        if self._approach == "FWR":
            plan.last = self._outer_join(plan, query)
        if self._profile is not None:
            plan.last = TimedLast(plan.last, self._profile)
        return plan

    def _add_conditions(self, plan: Plan, query: Prepared) -> None:
        if self._approach == "F":
            if query.conditions:
                plan.operators.append(self._timed(WhereFilter(query.conditions)))
                plan.choices.append("Where-Filter")
            return
        for condition in query.conditions:
            plan.operators.append(self._timed(self._semijoin(plan, query, condition)))

    def _semijoin(self, plan: Plan, query: Prepared, condition: Condition) -> Operator:
        path = query.binding + condition.steps
        number = self._held(plan, path)
        selection = Selection([(len(path) - 1, test) for test in condition.tests]) if condition.tests else None
        timed = None if selection is None else self._timed(selection)
        if self._ordered(path, query.field):
            plan.choices.append("Semijoin merge")
            return MergeSemijoin(number, query.field, timed)
        plan.choices.append("Semijoin hash")
        return HashSemijoin(number, query.field, timed)

    def _outer_join(self, plan: Plan, query: Prepared) -> Last:
        inputs = [self._return_stream(plan, query, steps) for steps in query.returns]
        if all(self._ordered(query.binding + steps, query.field) for steps in query.returns):
            plan.choices.append("OuterJoin-Select merge")
            return MergeOuterJoinSelect(inputs, query.field)
        plan.choices.append("OuterJoin-Select hash")
        return HashOuterJoinSelect(inputs, query.field)

    def _return_stream(self, plan: Plan, query: Prepared, steps: Navigation) -> ReturnStream:
        path = query.binding + steps
        number = self._held(plan, path)
        if self._claims is not None and self._claims.distinct_pairs(path, query.field):
            plan.choices.append("DupElim removed")
            return ReturnStream(number, None)
        if self._ordered(path, query.field):
            plan.choices.append("DupElim scan")
            return ReturnStream(number, self._timed(ScanDupElim(query.field, -1)))
        plan.choices.append("DupElim hash")
        return ReturnStream(number, self._timed(HashDupElim(query.field, -1)))

    def _ordered(self, path: Navigation, bound: int) -> bool:
        return self._claims is not None and self._claims.ordered(path, bound)

    def _held(self, plan: Plan, path: Navigation) -> int:
        number = self._engine.add(path)
        plan.paths.append(number)
        return number

    def _timed(self, operator: Operator) -> Operator:
        return operator if self._profile is None else TimedOperator(operator, self._profile)
