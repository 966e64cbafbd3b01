"""What can go wrong in an overlay, and what is wrong at a moment.

A plan lists faults with their times in seconds from the first document on: brokers that crash and restart, links that
are cut and mended, brokers that are slow for a while; and how likely any message is to be lost or doubled on a link. A
fault without an end is for good. Faults of one place may overlap: a broker is up again when the last of its crashes is
over, and has lost its state if one of them lost it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, prod
from random import Random
from typing import Literal

import networkx as nx

from broker_sim.errors import ConfigurationError
from broker_sim.network.graph import Topology

State = Literal["lost", "journal"]
"""What a broker knows when it restarts: nothing, or all that it had handled."""


def _check_times(at: float, until: float) -> None:
    if at < 0:
        raise ConfigurationError(f"expected a time from 0, not {at}", source="at")
    if until <= at:
        raise ConfigurationError(f"expected a time after {at:g}, not {until:g}", source="until")


@dataclass(frozen=True, slots=True)
class Crash:
    """A broker is down, and then restarts."""

    broker: str
    at: float
    until: float = inf
    state: State = "lost"

    def __post_init__(self) -> None:
        _check_times(self.at, self.until)


@dataclass(frozen=True, slots=True)
class Cut:
    """A link carries nothing, in either direction."""

    link: tuple[str, ...]
    at: float
    until: float = inf

    def __post_init__(self) -> None:
        _check_times(self.at, self.until)
        if len(self.link) != 2:
            raise ConfigurationError(f"expected two brokers, not {list(self.link)}", source="link")


@dataclass(frozen=True, slots=True)
class Slowdown:
    """A broker needs `factor` times as long for every message."""

    broker: str
    at: float
    until: float = inf
    factor: float = 10.0

    def __post_init__(self) -> None:
        _check_times(self.at, self.until)
        if self.factor <= 0:
            raise ConfigurationError(f"must be more than 0, not {self.factor:g}", source="factor")


@dataclass(frozen=True, slots=True)
class FaultPlan:
    """All that will go wrong in a run."""

    crashes: tuple[Crash, ...] = ()
    cuts: tuple[Cut, ...] = ()
    slowdowns: tuple[Slowdown, ...] = ()
    loss: float = 0.0
    duplication: float = 0.0

    def __bool__(self) -> bool:
        return bool(self.crashes or self.cuts or self.slowdowns or self.loss or self.duplication)

    def check(self, topology: Topology) -> None:
        """Raise an error if a fault names something that `topology` does not have."""
        for name in (*(crash.broker for crash in self.crashes), *(slow.broker for slow in self.slowdowns)):
            if name not in topology.graph:
                raise ConfigurationError(f"{topology.name} has no broker {name!r}", source="faults")
        for first, second in (cut.link for cut in self.cuts):
            if not topology.graph.has_edge(first, second):
                raise ConfigurationError(f"{topology.name} has no link {first!r} - {second!r}", source="faults.cuts")

    def left(self, topology: Topology) -> Iterator[frozenset[str]]:
        """The parts of an overlay that are connected when all that ends has ended."""
        graph = nx.Graph(topology.graph)
        graph.remove_edges_from((cut.link[0], cut.link[1]) for cut in self.cuts if cut.until == inf)
        graph.remove_nodes_from(crash.broker for crash in self.crashes if crash.until == inf)
        return map(frozenset, nx.connected_components(graph))


class Faults:
    """What is wrong right now."""

    def __init__(self, plan: FaultPlan, random: Random) -> None:
        self.plan = plan
        self._random = random
        self._down: Counter[str] = Counter()
        self._cut: Counter[frozenset[str]] = Counter()
        self._factors: defaultdict[str, list[float]] = defaultdict(list)

    def is_up(self, broker: str) -> bool:
        """Whether a broker runs."""
        return not self._down[broker]

    def joins(self, first: str, second: str) -> bool:
        """Whether the link between two brokers carries messages."""
        return not self._cut[frozenset((first, second))]

    def slowness(self, broker: str) -> float:
        """By how much a broker's service times are longer."""
        return prod(self._factors[broker])

    def copies(self) -> int:
        """How often a message that is put on a link arrives."""
        plan = self.plan
        if plan.loss and self._random.random() < plan.loss:
            return 0
        return 2 if plan.duplication and self._random.random() < plan.duplication else 1

    def crash(self, broker: str) -> bool:
        """A broker goes down; whether it was up."""
        self._down[broker] += 1
        return self._down[broker] == 1

    def restart(self, broker: str) -> bool:
        """One crash of a broker is over; whether it is up now."""
        self._down[broker] -= 1
        return not self._down[broker]

    def cut(self, link: tuple[str, ...]) -> None:
        """A link goes down."""
        self._cut[frozenset(link)] += 1

    def mend(self, link: tuple[str, ...]) -> None:
        """One cut of a link is over."""
        self._cut[frozenset(link)] -= 1

    def slow(self, broker: str, factor: float) -> None:
        """A broker becomes slower."""
        self._factors[broker].append(factor)

    def recover(self, broker: str, factor: float) -> None:
        """A slowdown is over."""
        self._factors[broker].remove(factor)
