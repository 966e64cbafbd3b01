"""When a run ends before the overlay is at rest, and why.

A broker has an unbounded queue. Where more arrives than it can handle, the queue grows as long as that goes on; a run
then takes simulated days and real memory to tell what was clear early. So an experiment may bound the longest queue,
the simulated time and the number of messages. All three depend on the input alone, never on this machine: a stopped
run stops again at the same message. The last one bounds every run, whatever the brokers do, since each event of a
simulation is the arrival of a message.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from broker_sim.errors import ConfigurationError

if TYPE_CHECKING:
    from broker_sim.network.wire import Station


class Stopped(Exception):
    """A stop condition holds; the text says which, where and when."""


@dataclass(frozen=True, slots=True)
class StopConditions:
    """Messages at one broker, waiting or being handled; simulated seconds; messages that arrive at all brokers."""

    max_queue: int | None = None
    max_seconds: float | None = None
    max_messages: int | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None and value <= 0:
                raise ConfigurationError(f"must be more than 0, not {value}", source=field.name)

    def __bool__(self) -> bool:
        return any(getattr(self, field.name) is not None for field in fields(self))


class Watch:
    """Looks at every arrival."""

    def __init__(self, conditions: StopConditions) -> None:
        self._conditions = conditions
        self._messages = 0

    def arrived(self, station: Station, now: float) -> None:
        """Raise `Stopped` if this arrival at a station is one too many."""
        conditions = self._conditions
        self._messages += 1
        if conditions.max_messages is not None and self._messages > conditions.max_messages:
            raise Stopped(f"more than {conditions.max_messages:,} messages at {now:.6g} s (network.stop.max_messages)")
        if conditions.max_seconds is not None and now > conditions.max_seconds:
            raise Stopped(f"messages after {conditions.max_seconds:g} s (network.stop.max_seconds)")
        if conditions.max_queue is not None and station.queue > conditions.max_queue:
            raise Stopped(
                f"overload: broker {station.broker.name} has more than {conditions.max_queue:,} messages to handle "
                f"at {now:.6g} s (network.stop.max_queue)"
            )
