"""What each operator costs, measured on request.

Section 6 of "Query Processing for High-Volume XML Message Brokering" (VLDB 2003) reports the cost of each operator from
a profiler, and total times with the profiler off. So here: plans are built with timed operators only where a `Profile`
is given. Times are processor times, and exclusive: what an operator spends inside another one counts for the other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time

from broker_sim.delivery.groups import Groups
from broker_sim.delivery.operators import Last, Message, Operator
from broker_sim.delivery.path_streams import Stream

PATH_MATCHING = "Path matching"
EXECUTOR = "Executor"
TREE_SEARCH = "Tree search"


class Profile:
    """Seconds by kind of operator, since the last `clear`."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._open: list[str] = []
        self._since = 0.0

    def clear(self) -> None:
        """Begin anew."""
        self.seconds.clear()

    @contextmanager
    def time(self, kind: str) -> Iterator[None]:
        """Count what happens inside for `kind`."""
        self._charge()
        self._open.append(kind)
        try:
            yield
        finally:
            self._charge()
            self._open.pop()

    def _charge(self) -> None:
        now = process_time()
        if self._open:
            self.seconds[self._open[-1]] += now - self._since
        self._since = now


class TimedOperator:
    """An operator under the profiler."""

    __slots__ = ("_operator", "_profile", "kind")

    def __init__(self, operator: Operator, profile: Profile) -> None:
        self.kind = operator.kind
        self._operator, self._profile = operator, profile

    def apply(self, tuples: Stream, message: Message) -> Stream:
        with self._profile.time(self.kind):
            return self._operator.apply(tuples, message)


class TimedLast:
    """The end of a pipeline under the profiler."""

    __slots__ = ("_last", "_profile", "kind")

    def __init__(self, last: Last, profile: Profile) -> None:
        self.kind = last.kind
        self._last, self._profile = last, profile

    def finish(self, tuples: Stream, message: Message) -> Groups:
        with self._profile.time(self.kind):
            return self._last.finish(tuples, message)
