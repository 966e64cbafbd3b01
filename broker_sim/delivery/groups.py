"""The groupSequence-listSequence form: what query processing hands to the message factory.

Section 2.2 of "Query Processing for High-Volume XML Message Brokering" (VLDB 2003): a result is a sequence of groups,
one for each bound element, and a group is a sequence of lists, one for each return path, of elements in document order.
We keep it by columns: for each return path the lists of all groups. The content is the same, and queries that have
bound elements and a return path in common can share a column.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

Column = Sequence[Sequence[int]]
"""One list for each group."""


class Groups(NamedTuple):
    """The bound elements, one for each group, and the lists of each return path, all as element numbers."""

    bound: Sequence[int]
    columns: tuple[Column, ...]

    def rows(self) -> Iterator[tuple[int, tuple[Sequence[int], ...]]]:
        """Group by group: the bound element and its lists."""
        if not self.columns:
            yield from ((element, ()) for element in self.bound)
        yield from zip(self.bound, zip(*self.columns, strict=True), strict=False)
