"""Numbers of XPath as integers that compare alike, so that databases need no floating point.

XPath compares doubles, and libxml2 has its own way to read them from text (see `xpath.values`); a database that casts
text to a number has another. So every number, in documents and in literals, is read here and stored as the integer
whose order is that of the double: the bits of a positive double already grow with its value, those of a negative one
fall. Minus zero becomes zero. What is not a number has no integer (NULL), which SQL finds neither equal, smaller nor
larger.
"""

from __future__ import annotations

import math
import struct
from functools import lru_cache
from typing import Final

from broker_sim.xpath.values import literal_number, to_number

_SIGN: Final = 1 << 63


def ordered_integer(number: float) -> int | None:
    """A 64-bit integer that compares as `number` does; None for NaN."""
    if math.isnan(number):
        return None
    (bits,) = struct.unpack("<Q", struct.pack("<d", number + 0.0))
    return -(bits - _SIGN) if bits >= _SIGN else int(bits)


@lru_cache(maxsize=1 << 14)
def text_number(text: str) -> int | None:
    """The number that XPath reads from a text of a document."""
    return ordered_integer(to_number(text))


@lru_cache(maxsize=1 << 14)
def wanted_number(literal: str | float) -> int | None:
    """The number that XPath reads from a literal."""
    return ordered_integer(literal_number(literal))
