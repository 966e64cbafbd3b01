"""Table sizes over time, in bounded space.

One sample a number of handled messages; when there are too many samples, every second one is dropped and the number
doubles. So a short run is drawn message by message and a long one evenly, with at most `LIMIT` samples of each.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from broker_sim.network.wire import Station

LIMIT: Final = 512


@dataclass(frozen=True, slots=True)
class Sample:
    """Total table sizes at one moment."""

    time: float
    srt_total: int
    prt_total: int


class Timeline:
    """Samples, thinned out as they become many."""

    def __init__(self) -> None:
        self.samples: list[Sample] = []
        self._stride = 1
        self._ticks = 0

    def tick(self, time: float, stations: Iterable[Station]) -> None:
        """A message was handled."""
        self._ticks += 1
        if self._ticks % self._stride == 0:
            self.record(time, stations)

    def record(self, time: float, stations: Iterable[Station]) -> None:
        """Take a sample now."""
        brokers = [station.broker for station in stations]
        srt, prt = sum(broker.srt_size for broker in brokers), sum(broker.prt_size for broker in brokers)
        self.samples.append(Sample(time, srt, prt))
        if len(self.samples) >= LIMIT:
            del self.samples[::2]
            self._stride *= 2
