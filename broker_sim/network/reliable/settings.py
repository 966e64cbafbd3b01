"""The times that reliable links and failure detection go by."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from broker_sim.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class Reliability:
    """In simulated seconds.

    A broker that has sent a neighbour nothing for `heartbeat` sends a sign of life, and gives a neighbour up that it
    has not heard for `timeout`. Acknowledgements wait for up to `acknowledge` for others to go with. A publisher waits
    for `rebuild` between the first word of a broken tree and a new one, since faults come in groups.
    """

    heartbeat: float = 0.5
    timeout: float = 2.0
    acknowledge: float = 0.5
    rebuild: float = 0.05

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if not 0.001 <= getattr(self, name) < inf:
                raise ConfigurationError(f"expected a number from 0.001, not {getattr(self, name)}", source=name)
        if self.timeout < 2 * self.heartbeat:
            raise ConfigurationError(
                f"expected at least two heartbeats ({2 * self.heartbeat:g}), not {self.timeout:g}", source="timeout"
            )
