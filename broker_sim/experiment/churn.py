"""Who comes and goes while documents flow, drawn before the run so that every strategy sees the same.

Arrivals, departures and moves are Poisson processes in simulated time, over the span in which documents are published.
An arriving subscriber is new, and so is an arriving publisher; who departs or moves is drawn from those who are there.
One publisher always stays. A moving subscriber disconnects, is away for a while and comes back at another broker: its
old broker keeps its subscriptions and documents for `keep` seconds, and for `handover` seconds after it has come back
elsewhere, so that nothing is lost while the new ones are installed. Whoever is away for longer has lost what was kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from heapq import merge
from random import Random
from typing import Literal

from broker_sim.experiment.scenario import Absence, Publisher, Stay, Subscriber
from broker_sim.experiment.spec import ChurnSpec
from broker_sim.workload.moments import poisson

Kind = Literal["arrival", "departure", "move", "publisher arrival", "publisher departure"]
Event = tuple[float, Kind]


def events(spec: ChurnSpec, span: float, random: Random) -> Iterator[Event]:
    """What happens within `span` seconds, in order."""
    rates: dict[Kind, float] = {
        "arrival": spec.arrivals,
        "departure": spec.departures,
        "move": spec.moves,
        "publisher arrival": spec.publisher_arrivals,
        "publisher departure": spec.publisher_departures,
    }
    drawn: list[list[Event]] = [[(time, kind) for time in poisson(rate, span, random)] for kind, rate in rates.items()]
    return merge(*drawn)


class Churn:
    """Draws the coming and going of clients; `broker` draws a place."""

    def __init__(
        self,
        spec: ChurnSpec,
        random: Random,
        broker: Callable[[], str],
        new_subscriber: Callable[[int], Subscriber],
        new_publisher: Callable[[int], Publisher],
    ) -> None:
        self._spec = spec
        self._random = random
        self._broker = broker
        self._new_subscriber = new_subscriber
        self._new_publisher = new_publisher

    def play(
        self, subscribers: tuple[Subscriber, ...], publishers: tuple[Publisher, ...], span: float
    ) -> tuple[tuple[Subscriber, ...], tuple[Publisher, ...]]:
        """All who are ever there, with their times."""
        clients = {each.name: each for each in subscribers}
        sources = {each.name: each for each in publishers}
        for time, kind in events(self._spec, span, self._random):
            if kind == "arrival":
                one = self._new_subscriber(len(clients) + 1)
                clients[one.name] = replace(one, stays=(Stay(one.broker, since=time),))
            elif kind == "publisher arrival":
                source = self._new_publisher(len(sources) + 1)
                sources[source.name] = replace(source, since=time)
            elif kind == "publisher departure":
                there = [each for each in sources.values() if each.since < time < each.until]
                if len(there) > 1:
                    source = self._random.choice(there)
                    sources[source.name] = replace(source, until=time)
            else:
                present = [each for each in clients.values() if _is_there(each, time)]
                if present:
                    one = self._random.choice(present)
                    clients[one.name] = _gone(one, time) if kind == "departure" else self._moved(one, time)
        return tuple(clients.values()), tuple(sources.values())

    def _moved(self, client: Subscriber, time: float) -> Subscriber:
        spec, (*before, last) = self._spec, client.stays
        back = time + spec.away
        kept = spec.away <= spec.keep
        old = replace(last, until=back + spec.handover) if kept else replace(last, until=time + spec.keep, lost=time)
        new = Stay(self._broker(), since=back)
        return replace(client, stays=(*before, old, new), absences=(*client.absences, Absence(time, back, kept=kept)))


def _is_there(client: Subscriber, time: float) -> bool:
    """Connected, and not moving any more."""
    *before, last = client.stays
    return last.since < time < last.until and all(stay.until < time for stay in before)


def _gone(client: Subscriber, time: float) -> Subscriber:
    *before, last = client.stays
    return replace(client, stays=(*before, replace(last, until=time)))
