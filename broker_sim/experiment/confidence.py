"""Student's t: how far a mean of few values may lie from the truth.

For whole degrees of freedom the distribution has a finite form (Abramowitz and Stegun, 26.7.3 and 26.7.4), which is
inverted by bisection. Exact to the last few digits, at a cost that grows with the degrees of freedom.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

MANY: Final = 2_000
"""Beyond so many degrees of freedom, t is taken at this many: it changes by less than a thousandth."""


@lru_cache(maxsize=10_000)
def t_quantile(confidence: float, freedom: int) -> float:
    """The t that a value stays within with probability `confidence`, on both sides."""
    if not 0 < confidence < 1 or freedom < 1:
        raise ValueError(f"expected a confidence in (0, 1) and at least 1 degree, not {confidence} and {freedom}")
    freedom = min(freedom, MANY)
    low, high = 0.0, 1.0
    while _within(high, freedom) < confidence:
        high *= 2
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, freedom) < confidence else (low, middle)
    return high


def _within(t: float, freedom: int) -> float:
    """The probability of a value between -t and t."""
    angle = math.atan2(t, math.sqrt(freedom))
    cosine = math.cos(angle)
    odd = freedom % 2
    term = cosine if odd else 1.0
    total = 0.0 if freedom == 1 else term
    for step in range(2 + odd, freedom - 1, 2):
        term *= cosine * cosine * (step - 1) / step
        total += term
    total *= math.sin(angle)
    return 2 / math.pi * (angle + total) if odd else total
