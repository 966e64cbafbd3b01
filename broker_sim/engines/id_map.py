"""From subscription ids to numbers of an engine, in four bytes an id where ids are dense.

Ids are the caller's choice of 32-bit numbers, and mostly count from 0 or 1. Those below twice the number of ids held
(and some to begin with) have their place in an array; the others are in a dictionary, at some hundred bytes each.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Final

ROOM: Final = 64
"""How many places the array may have whatever the number of ids."""

_FREE: Final = -1


class IdMap:
    """A mapping from ids to numbers of 31 bits, as far as engines need one."""

    def __init__(self) -> None:
        self._dense = array("i")
        self._sparse: dict[int, int] = {}
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def __contains__(self, id: object) -> bool:
        return isinstance(id, int) and (self._in_dense(id) or id in self._sparse)

    def __iter__(self) -> Iterator[int]:
        yield from (id for id, number in enumerate(self._dense) if number != _FREE)
        yield from self._sparse

    def __getitem__(self, id: int) -> int:
        return self._dense[id] if self._in_dense(id) else self._sparse[id]

    def __setitem__(self, id: int, number: int) -> None:
        """Enter an id that is not there yet."""
        dense = self._dense
        self._size += 1
        if id < 2 * self._size + ROOM:
            if id >= len(dense):
                dense.extend([_FREE] * (id + 1 - len(dense)))
            dense[id] = number
        else:
            self._sparse[id] = number

    def pop(self, id: int) -> int:
        """Take an id out; its number. Raises `KeyError` if it is not there."""
        if self._in_dense(id):
            number, self._dense[id] = self._dense[id], _FREE
        else:
            number = self._sparse.pop(id)
        self._size -= 1
        return number

    def _in_dense(self, id: int) -> bool:
        return 0 <= id < len(self._dense) and self._dense[id] != _FREE
