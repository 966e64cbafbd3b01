"""Table sizes over time, in bounded space.

One sample for a number of changes; when there are too many samples, every second one is dropped and the number
doubles. So a short run is drawn change by change and a long one evenly, with at most `LIMIT` samples of each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

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
        self.srt_total = 0
        self.prt_total = 0
        self._stride = 1
        self._changes = 0

    def change(self, time: float, srt: int, prt: int) -> None:
        """A broker's tables have grown by so much."""
        if not srt and not prt:
            return
        self.srt_total += srt
        self.prt_total += prt
        self._changes += 1
        if self._changes % self._stride == 0:
            self.record(time)

    def record(self, time: float) -> None:
        """Take a sample now."""
        self.samples.append(Sample(time, self.srt_total, self.prt_total))
        if len(self.samples) >= LIMIT:
            del self.samples[::2]
            self._stride *= 2
