"""A byte for each subscription, as engines keep them while a document passes."""

from __future__ import annotations

import re
from collections.abc import Iterator

_set = re.compile(rb"\x01")


def positions(flags: bytearray) -> Iterator[int]:
    """The positions of the bytes that are 1; those that are 0 are skipped at the speed of a search."""
    return (found.start() for found in _set.finditer(flags))
