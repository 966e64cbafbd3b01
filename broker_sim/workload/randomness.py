"""Seeds, and the Zipf choice.

Every generator takes a seed or a `random.Random`. Draws go through `random.random()` alone, whose sequence for a seed
Python promises to keep between versions; no result depends on the order of a set or on the hash seed.
"""

from __future__ import annotations

from itertools import accumulate
from random import Random

Seed = int | Random


def as_random(seed: Seed) -> Random:
    """The generator for a seed; one that is a generator already continues where it stands."""
    return seed if isinstance(seed, Random) else Random(seed)


def zipf_bounds(count: int, theta: float) -> tuple[float, ...]:
    """The inner bounds that cut [0, 1) into `count` parts, part k of a size in proportion to 1 / (k + 1) ** theta.

    `bisect(bounds, random())` is then a draw from 0 .. count - 1, in O(log count). `theta` = 0 is uniform.
    """
    sums = list(accumulate((rank + 1) ** -theta for rank in range(count)))
    return tuple(part / sums[-1] for part in sums[:-1])
