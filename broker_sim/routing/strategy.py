"""Routing strategies as values, named as in the router paper (section 6.3).

`no-adv` strategies flood subscriptions along a spanning tree; `with-adv` ones send them only towards
advertisements that they overlap. `with-cov` forwards, on each link, only the covering-maximal set of what must flow
that way. The merging strategies go on from there: perfect mergers only, or mergers up to an imperfect degree.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from broker_sim.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class Strategy:
    """What a broker does with what it knows.

    `max_degree` is None without merging, 0.0 for perfect mergers only. Mergers are formed at rest, and earlier on a
    link whose forwarded set has changed by more than `merge_threshold` entries since it was last merged.
    """

    name: str
    advertise: bool = False
    cover: bool = False
    max_degree: float | None = None
    merge_threshold: int = 1_000

    @property
    def merge(self) -> bool:
        """Whether subscriptions are merged."""
        return self.max_degree is not None


DEFAULT_MAX_DEGREE: Final = 0.1

STRATEGIES: Final[dict[str, Strategy]] = {
    strategy.name: strategy
    for strategy in (
        Strategy("no-adv-no-cov"),
        Strategy("no-adv-with-cov", cover=True),
        Strategy("with-adv-no-cov", advertise=True),
        Strategy("with-adv-with-cov", advertise=True, cover=True),
        Strategy("with-adv-with-cov-merge-perfect", advertise=True, cover=True, max_degree=0.0),
        Strategy("with-adv-with-cov-merge-imperfect", advertise=True, cover=True, max_degree=DEFAULT_MAX_DEGREE),
    )
}


def strategy_named(name: str, max_degree: float | None = None) -> Strategy:
    """The strategy of that name; `max_degree` replaces the limit of the imperfect one."""
    strategy = STRATEGIES.get(name)
    if strategy is None:
        raise ConfigurationError(f"unknown strategy {name!r}; expected one of {', '.join(STRATEGIES)}")
    if max_degree is None or not strategy.max_degree:
        return strategy
    if not 0 <= max_degree < 1:
        raise ConfigurationError(f"the imperfect degree must be at least 0 and below 1, not {max_degree}")
    return replace(strategy, max_degree=max_degree)
