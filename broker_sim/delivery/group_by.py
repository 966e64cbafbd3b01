"""GroupBy: the elements at the end of a path by bound element, once for all queries.

Section 5.2 of "Query Processing for High-Volume XML Message Brokering" (VLDB 2003): every OuterJoin-Select on a return
path would hash or scan the same stream; a shared GroupBy does it once a document. Duplicates are neighbours within a
group, since streams are ordered by the last element, so removing them is a scan. Ours serves predicate paths too: the
bound elements of a predicate path with what was found below each are the join with the binding path, because a
predicate path begins with it. It is made when first asked for, so a return path that no result needs costs nothing.
"""

from __future__ import annotations

from broker_sim.delivery.joins import group_by_hash
from broker_sim.delivery.operators import Message
from broker_sim.delivery.path_streams import Stream
from broker_sim.delivery.profile import Profile

Table = dict[int, list[int]]


class GroupBy:
    """One path grouped by one of its fields; `users` counts the operators that read it."""

    __slots__ = ("_distinct", "_made_for", "_profile", "_table", "field", "ordered", "path", "users")

    kind = "GroupBy"

    def __init__(self, path: int, field: int, *, ordered: bool, distinct: bool, profile: Profile) -> None:
        self.path, self.field = path, field
        self.ordered = ordered
        self._distinct = distinct
        self._profile = profile
        self._made_for: Message | None = None
        self._table: Table = {}
        self.users = 0

    def table(self, message: Message) -> Table:
        """The groups for this document; they must not be changed."""
        if self._made_for is not message:
            with self._profile.time(self.kind):
                self._table = self._grouped(message.streams.get(self.path, ()))
            self._made_for = message
        return self._table

    def _grouped(self, stream: Stream) -> Table:
        table = _group_by_scan(stream, self.field) if self.ordered else group_by_hash(stream, self.field)
        if not self._distinct:
            for bound, found in table.items():
                if len(found) > 1:
                    table[bound] = list(dict.fromkeys(found))
        return table


def _group_by_scan(stream: Stream, field: int) -> Table:
    table: Table = {}
    before, found = -1, list[int]()
    for places in stream:
        if places[field] != before:
            before = places[field]
            table[before] = found = [places[-1]]
        else:
            found.append(places[-1])
    return table
