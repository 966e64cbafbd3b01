"""Which advertisements one neighbour is told: all, or only those that no other one covers.

What a broker announces to a neighbour is all that is advertised from its other hops, from clients and neighbours.
An advertisement that another one of these covers (`relations.advertisement_covering`) attracts no subscription that the
other does not, so it may be kept back; when the other is withdrawn, it is announced. Of two equal ones, as two
publishers of one DTD have, the one with the smaller text and publisher stands for both.
"""

from __future__ import annotations

from typing import Literal

from broker_sim.routing.knowledge import Knowledge

Entry = tuple[str, int]
"""An advertisement: its publisher and its key."""

Announcement = tuple[Literal["advertise", "unadvertise"], Entry]


class Announced:
    """The advertisements for one neighbour, and those of them that it knows."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._entries: set[Entry] = set()
        self.known: set[Entry] = set()

    def add(self, entry: Entry) -> list[Announcement]:
        """One more advertisement: what the neighbour must be told."""
        self._entries.add(entry)
        if any(self._above(other, entry) for other in self.known):
            return []
        replaced = sorted(other for other in self.known if self._above(entry, other))
        self.known.difference_update(replaced)
        self.known.add(entry)
        return [("advertise", entry), *(("unadvertise", other) for other in replaced)]

    def discard(self, entry: Entry) -> list[Announcement]:
        """One advertisement less: what it stood for is announced first."""
        self._entries.discard(entry)
        if entry not in self.known:
            return []
        self.known.remove(entry)
        exposed: list[Announcement] = []
        for other in sorted(self._entries - self.known):
            if self._above(entry, other):
                exposed += self.add(other)
        return [*exposed, ("unadvertise", entry)]

    def _above(self, first: Entry, second: Entry) -> bool:
        if first == second or not self._knowledge.advertisement_covers(first[1], second[1]):
            return False
        return self._rank(first) < self._rank(second) or not self._knowledge.advertisement_covers(second[1], first[1])

    def _rank(self, entry: Entry) -> tuple[str, str]:
        origin, key = entry
        return str(self._knowledge.values.advertised(key)), origin
