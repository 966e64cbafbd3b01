"""Wires and stations: where simulated time is spent.

A wire is one direction of a link. It sends one message after the other: each occupies it for size / bandwidth, and
arrives after the latency. A station is a broker with one server and an unbounded queue in order of arrival: each
message occupies it for the service time of its kind. Both keep only the moments at which they are free again, and
what leaves a station is known when a message arrives there. So a message costs one event, whatever the load.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from broker_sim.errors import ConfigurationError
from broker_sim.network.graph import Link
from broker_sim.routing import KINDS, Broker, Kind


@dataclass(frozen=True, slots=True)
class ServiceModel:
    """Seconds of a broker's time for one message of each kind."""

    advertise: float = 50e-6
    unadvertise: float = 50e-6
    subscribe: float = 50e-6
    unsubscribe: float = 50e-6
    publish: float = 100e-6

    def __post_init__(self) -> None:
        for kind in KINDS:
            if getattr(self, kind) < 0:
                raise ConfigurationError(f"must not be negative, not {getattr(self, kind)}", source=kind)

    def seconds(self) -> dict[Kind, float]:
        """By kind."""
        return {kind: getattr(self, kind) for kind in KINDS}


@dataclass(frozen=True, slots=True)
class LinkModel:
    """Seconds and bytes a second for links whose topology gives none."""

    latency: float = 0.01
    bandwidth: float = 1.25e6

    def __post_init__(self) -> None:
        if self.latency < 0:
            raise ConfigurationError(f"must not be negative, not {self.latency}", source="latency")
        if self.bandwidth <= 0:
            raise ConfigurationError(f"must be above 0, not {self.bandwidth}", source="bandwidth")

    def wire(self, link: Link, sender: str, receiver: Station) -> Wire:
        """One direction of `link`."""
        latency = self.latency if link.latency is None else link.latency
        bandwidth = self.bandwidth if link.bandwidth is None else link.bandwidth
        return Wire(sender, receiver, latency, bandwidth)


@dataclass(slots=True)
class Wire:
    """One direction of a link between two brokers."""

    sender: str
    receiver: Station
    latency: float
    bandwidth: float
    free_at: float = 0.0
    messages: int = 0
    bytes: int = 0
    busy: float = 0.0

    def arrival(self, now: float, size: int) -> float:
        """When a message handed over now will be there."""
        duration = size / self.bandwidth
        self.free_at = max(now, self.free_at) + duration
        self.busy += duration
        self.messages += 1
        self.bytes += size
        return self.free_at + self.latency


@dataclass(slots=True)
class Station:
    """A broker, its queue, and what it has received."""

    broker: Broker
    service: dict[Kind, float]
    free_at: float = 0.0
    queue_peak: int = 0
    busy: float = 0.0
    received: dict[Kind, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    overhead: int = 0
    """Frames that brought no new message of any kind: acknowledgements, signs of life, repetitions, care of trees."""
    _completions: deque[float] = field(default_factory=deque)

    @property
    def queue(self) -> int:
        """Messages that wait or are being handled, as of the last arrival."""
        return len(self._completions)

    def completion(self, now: float, kind: Kind) -> float:
        """When a message that arrives now will have been handled."""
        self.received[kind] += 1
        return self.occupy(now, self.service[kind])

    def occupy(self, now: float, duration: float) -> float:
        """When something that arrives now and takes so long will have been handled."""
        self.busy += duration
        self.free_at = done = max(now, self.free_at) + duration
        waiting = self._completions
        while waiting and waiting[0] <= now:
            waiting.popleft()
        waiting.append(done)
        if len(waiting) > self.queue_peak:
            self.queue_peak = len(waiting)
        return done

    def rest(self) -> None:
        """Nothing is on its way any more."""
        self._completions.clear()

    def lose(self, now: float) -> None:
        """What was waiting is gone."""
        self._completions.clear()
        self.free_at = now
