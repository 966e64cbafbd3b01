"""What goes wrong in a run: the faults that an experiment lists, and more drawn from rates.

Drawn faults are Poisson processes in simulated time over the span in which documents are published, at brokers and
links chosen at random; how long each lasts is drawn from an exponential distribution. So every drawn fault ends. They
are drawn before the run, and every strategy meets the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Final

from broker_sim.errors import ConfigurationError
from broker_sim.network.faults import Crash, Cut, FaultPlan, Slowdown
from broker_sim.network.graph import Topology
from broker_sim.workload.moments import poisson

MOST: Final = 1_000_000
"""The largest rate, duration or factor: beyond it no run would end."""


@dataclass(frozen=True, slots=True)
class FaultRates:
    """Faults a simulated second over the whole overlay, and how long each lasts on average, in seconds.

    `journal` is the share of crashes after which the broker restarts with its journal; the others have lost it.
    """

    crashes: float = 0.0
    downtime: float = 3.0
    journal: float = 0.5
    cuts: float = 0.0
    cut_time: float = 3.0
    slowdowns: float = 0.0
    slow_time: float = 3.0
    slow_factor: float = 10.0

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if not 0 <= getattr(self, name) <= MOST:
                raise ConfigurationError(
                    f"expected a number from 0 to {MOST:,}, not {getattr(self, name):g}", source=name
                )
        for name in ("downtime", "cut_time", "slow_time", "slow_factor"):
            if not getattr(self, name):
                raise ConfigurationError("expected a number above 0, not 0", source=name)
        if self.journal > 1:
            raise ConfigurationError(f"expected a share from 0 to 1, not {self.journal}", source="journal")


@dataclass(frozen=True, slots=True)
class FaultSpec:
    """Faults at given times, drawn ones, and the probability that a link loses or doubles a message."""

    loss: float = 0.0
    duplication: float = 0.0
    crashes: tuple[Crash, ...] = ()
    cuts: tuple[Cut, ...] = ()
    slowdowns: tuple[Slowdown, ...] = ()
    rates: FaultRates = field(default_factory=FaultRates)

    def __post_init__(self) -> None:
        for name in ("loss", "duplication"):
            if not 0 <= getattr(self, name) < 1:
                raise ConfigurationError(
                    f"expected a probability from 0 and below 1, not {getattr(self, name)}", source=name
                )

    def plan(self, topology: Topology, span: float, random: Random) -> FaultPlan:
        """All that will go wrong while documents are published for `span` seconds."""
        rates = self.rates
        links = [(link.first, link.second) for link in topology.links]
        crashes = [
            Crash(random.choice(topology.brokers), at, until, "journal" if random.random() < rates.journal else "lost")
            for at, until in _times(rates.crashes, rates.downtime, span, random)
        ]
        cuts = [Cut(random.choice(links), at, until) for at, until in _times(rates.cuts, rates.cut_time, span, random)]
        slowdowns = [
            Slowdown(random.choice(topology.brokers), at, until, rates.slow_factor)
            for at, until in _times(rates.slowdowns, rates.slow_time, span, random)
        ]
        plan = FaultPlan(
            (*self.crashes, *crashes),
            (*self.cuts, *cuts),
            (*self.slowdowns, *slowdowns),
            self.loss,
            self.duplication,
        )
        plan.check(topology)
        return plan


def _times(rate: float, mean: float, span: float, random: Random) -> Iterator[tuple[float, float]]:
    """When faults of one sort begin and end."""
    for at in poisson(rate, span, random):
        yield at, at + max(random.expovariate(1 / mean), 1e-3)
