"""When things happen that happen at random, at a rate."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random


def poisson(rate: float, span: float, random: Random) -> Iterator[float]:
    """The moments within `span` seconds at which something happens that happens so often a second."""
    time = random.expovariate(rate) if rate else span
    while time < span:
        yield time
        time += random.expovariate(rate)
