"""How one broker takes part in building one tree: the echo algorithm, on a flood of advertisements.

A publisher's advertisements flood the overlay; the hop that brings a broker the first one is its parent. Behind them
comes a probe. A broker that has it from its parent sends it to all others that it sent the advertisements to, and waits
for an answer of each: an echo from those that became its children, and the probe itself from those that have another
parent. Then it echoes to its parent. Since links keep the order, a broker's subscriptions, and those from below, have
gone to the parent before its echo. So when the publisher has all echoes, every broker that is connected has its place,
and no subscription is still under way: documents may follow. (E. Chang, Echo algorithms: depth parallel operations on
general graphs, IEEE Transactions on Software Engineering 8(4), 1982, is where the idea is from.)
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pyroaring import BitMap


@dataclass(slots=True)
class Growth:
    """A broker's place in a tree. `told` are the neighbours that hear its advertisements from here."""

    parent: str
    told: set[str]
    reported: bool = False
    """Whether the publisher was sent word that the tree is broken."""
    members: dict[str, BitMap] = field(default_factory=dict)
    """The brokers below each child."""
    probing: bool = False
    echoed: bool = False
    _answered: set[str] = field(default_factory=set)
    _asked: set[str] = field(default_factory=set)

    def probe_from(self, hop: str) -> list[str]:
        """A probe came; returns whom to send one."""
        if hop != self.parent:
            self._answered.add(hop)
            if not self.probing or hop in self._asked:
                return []
            self._asked.add(hop)
            return [hop]
        if self.probing:
            return []
        self.probing = True
        self._asked = self.told | self._answered
        return sorted(self._asked)

    def echo_from(self, hop: str, members: BitMap) -> None:
        """A child has all echoes from below."""
        self.members[hop] = members
        self._answered.add(hop)

    def complete(self) -> bool:
        """Whether all have answered, for the first time."""
        if self.echoed or not self.probing or not self.told <= self._answered:
            return False
        self.echoed = True
        return True

    def lose(self, hop: str) -> bool:
        """The connection to a neighbour is over; whether the tree has lost something below.

        A broker that has lost its parent need not say so: the other end of the connection does.
        """
        lost = hop in self.members or (hop in self.told and hop not in self._answered)
        self.told.discard(hop)
        return lost

    def covers(self, hop: str, covered: BitMap) -> bool:
        """Whether all brokers below a child are among those that are covered."""
        members = self.members.get(hop)
        return members is not None and members <= covered

    def below(self) -> BitMap:
        """All brokers below."""
        return BitMap.union(*self.members.values()) if self.members else BitMap()
