"""tpLists: what a shared operator hands on, read by all that come after it.

Section 5.3 of "Query Processing for High-Volume XML Message Brokering" (VLDB 2003): instead of copying tuples to each
successor, an operator has a list for each output, and successors remember which list they read. Of a tuple only the
bound element is needed beyond a selection, so that is what the lists hold, in document order and without duplicates.
Lists are filled lazily, and only those that were filled are looked at afterwards: the paper's executor checks every
successor, ours none whose list is empty.
"""

from __future__ import annotations

from broker_sim.delivery.group_by import GroupBy

Returns = tuple[GroupBy, ...]


class TupleList:
    """Bound elements for one document, and the plans that end here: queries by their return paths."""

    __slots__ = ("_readers", "bound", "meetings", "plans")

    def __init__(self) -> None:
        self.bound: list[int] = []
        self.plans: dict[Returns, dict[int, None]] = {}
        self.meetings: dict[tuple[TupleList, ...], TupleList] = {}
        self._readers = 0

    @property
    def used(self) -> bool:
        """Whether any query still reads this list."""
        return bool(self.plans or self._readers)

    def enter(self, id: int, returns: Returns) -> bool:
        """Let a query end here; returns whether its plan is new."""
        ids = self.plans.get(returns)
        if ids is None:
            self.plans[returns] = {id: None}
            return True
        ids[id] = None
        return False

    def leave(self, id: int, returns: Returns) -> bool:
        """Let a query go; returns whether its plan is gone with it."""
        ids = self.plans[returns]
        del ids[id]
        if not ids:
            del self.plans[returns]
        return not ids

    def meeting(self, others: tuple[TupleList, ...]) -> TupleList:
        """The list of the elements that this list and all the others hold."""
        met = self.meetings.get(others)
        if met is None:
            met = self.meetings[others] = TupleList()
            for one in (self, *others):
                one._readers += 1
        return met

    def part(self, others: tuple[TupleList, ...]) -> None:
        """Forget a meeting."""
        del self.meetings[others]
        for one in (self, *others):
            one._readers -= 1

    def meet(self, others: tuple[TupleList, ...]) -> list[int]:
        """The elements that this list and all the others hold, in order."""
        common = set(self.bound).intersection(*(other.bound for other in others))
        return [element for element in self.bound if element in common] if common else []
