"""Routing strategies as values, named as in the router paper (section 6.3).

`no-adv` strategies flood subscriptions along a spanning tree; `with-adv` ones send them only towards
advertisements that they overlap. `with-cov` forwards, on each link, only the covering-maximal set of what must flow
that way. The merging strategies go on from there: perfect mergers only, or mergers up to an imperfect degree.

Options are written behind a name, as in `with-adv-with-cov+schema-cov+adv-cov`: `schema-cov` covers relative to what is
advertised from the other end of a link, `adv-cov` does not announce advertisements that another one covers. `reliable`
says nothing about routing: the overlay around the brokers survives faults (`broker_sim.network.reliable`), which takes
a tree for each publisher on any topology.
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
    schema_cover: bool = False
    cover_advertisements: bool = False
    reliable: bool = False
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


OPTIONS: Final = ("schema-cov", "adv-cov", "reliable")
"""What can be written behind the name of a strategy."""


def strategy_named(name: str, max_degree: float | None = None) -> Strategy:
    """The strategy of that name, with its options; `max_degree` replaces the limit of the imperfect one."""
    base, *options = name.split("+")
    strategy = STRATEGIES.get(base)
    if strategy is None:
        raise ConfigurationError(f"unknown strategy {name!r}; expected one of {', '.join(STRATEGIES)}")
    for option in options:
        strategy = _with_option(strategy, option)
    if max_degree is None or not strategy.max_degree:
        return replace(strategy, name=name)
    if not 0 <= max_degree < 1:
        raise ConfigurationError(f"the imperfect degree must be at least 0 and below 1, not {max_degree}")
    return replace(strategy, name=name, max_degree=max_degree)


def _with_option(strategy: Strategy, option: str) -> Strategy:
    if option not in OPTIONS:
        raise ConfigurationError(f"unknown option {option!r} of a strategy; expected {', '.join(OPTIONS)}")
    if not strategy.advertise:
        raise ConfigurationError(f"the option {option} needs a strategy with advertisements, not {strategy.name}")
    if option == "schema-cov" and (not strategy.cover or strategy.merge):
        raise ConfigurationError(f"the option {option} needs a strategy with covering, without merging")
    match option:
        case "schema-cov":
            return replace(strategy, schema_cover=True)
        case "adv-cov":
            return replace(strategy, cover_advertisements=True)
        case _:
            return replace(strategy, reliable=True)
