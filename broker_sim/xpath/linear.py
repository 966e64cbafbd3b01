"""The fast way through the parser: linear expressions, one regular expression and interned steps.

Nearly all subscriptions of a large workload are linear (`/`, `//`, names, `*`). They need no recursive descent: one
match checks the whole text, one `findall` splits it, and equal steps are the same object, which makes later
comparisons of paths cheap.
"""

from __future__ import annotations

import re
from functools import lru_cache

from broker_sim.xpath.expression import CHILD, DESCENDANT, Axis, Path, Step
from broker_sim.xpath.names import NAME

_linear = re.compile(rf"(?://?)?(?:{NAME}|\*)(?://?(?:{NAME}|\*))*")
_steps = re.compile(r"(/*)([^/]+)")


@lru_cache(maxsize=1 << 16)
def linear_step(axis: Axis, name: str) -> Step:
    """The one step object for this axis and name."""
    return Step(axis, name)


@lru_cache(maxsize=1 << 16)
def _written_step(slashes: str, name: str) -> Step:
    return linear_step(CHILD if slashes == "/" else DESCENDANT, name)


def parse_linear(text: str) -> Path | None:
    """The path that `text` writes, or None where it is not a plain linear expression."""
    if _linear.fullmatch(text) is None:
        return None
    return Path(tuple([_written_step(*found) for found in _steps.findall(text)]))
