"""Where clients attach: brokers chosen from a topology, the same for the same seed."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from itertools import cycle, islice
from typing import Final, Literal, get_args

from broker_sim.errors import ConfigurationError
from broker_sim.network import Topology
from broker_sim.workload.expectations import expect_number, expect_whole
from broker_sim.workload.randomness import Seed, as_random, zipf_bounds

Placement = Literal["leaves", "all", "zipf", "explicit"]

MAX_CLIENTS: Final = 10_000_000


def place(
    topology: Topology,
    placement: Placement = "leaves",
    *,
    number: int | None = None,
    brokers: Sequence[str] = (),
    theta: float = 1.0,
    seed: Seed = 0,
) -> tuple[str, ...]:
    """The broker of each client.

    `leaves` (all brokers where there are none), `all` and `explicit` (`brokers`) go round their brokers in order: by
    default one client each, else `number` clients. `zipf` draws each client's broker by Zipf(theta) over the brokers in
    random order, by default as many clients as brokers.
    """
    if placement not in get_args(Placement):
        expected = ", ".join(get_args(Placement))
        raise ConfigurationError(f"expected one of {expected}, not {placement!r}", source="placement")
    if number is not None:
        expect_whole("number", number, 0, MAX_CLIENTS)
    chosen = _candidates(topology, placement, brokers)
    count = len(chosen) if number is None else number
    if placement == "zipf":
        return _by_zipf(chosen, count, theta, seed)
    return tuple(islice(cycle(chosen), count))


def _candidates(topology: Topology, placement: Placement, brokers: Sequence[str]) -> tuple[str, ...]:
    if placement != "explicit":
        if brokers:
            raise ConfigurationError(f"only explicit placement names brokers, not {placement}", source="brokers")
        return topology.leaves or topology.brokers if placement == "leaves" else topology.brokers
    known = set(topology.brokers)
    for broker in brokers:
        if broker not in known:
            raise ConfigurationError(f"topology {topology.name} has no broker {broker!r}", source="brokers")
    if not brokers:
        raise ConfigurationError("explicit placement needs at least one broker", source="brokers")
    return tuple(brokers)


def _by_zipf(brokers: tuple[str, ...], number: int, theta: float, seed: Seed) -> tuple[str, ...]:
    expect_number("theta", theta, 0, 100)
    random = as_random(seed).random
    ranked = [broker for _, broker in sorted((random(), broker) for broker in brokers)]
    bounds = zipf_bounds(len(ranked), theta)
    return tuple(ranked[bisect(bounds, random())] for _ in range(number))
