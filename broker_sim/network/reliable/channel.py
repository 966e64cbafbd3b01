"""One end of a reliable link: nothing is lost, doubled or overtaken while the connection lasts.

Contents are numbered and kept until the other end says that it has handled them; what has not arrived in time is sent
again, at once where something later has; what arrives twice is dropped, and what arrives too early is held back. Every
frame says what has arrived and what was handled, so acknowledgements travel for free where there is traffic in both
directions. An end acknowledges what its broker has *handled*: what a crash catches in the broker's queue is sent again.

A connection is a pair of epochs, one for each end, and each frame carries both. An end that gives its neighbour up, or
restarts with nothing, goes on with a higher epoch; the other end sees it and starts anew as well. So both ends agree
on what was said in one connection, and each knows when it is over. Frames of an earlier epoch are ignored.

Pure: time comes in as an argument, frames go out as values.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from broker_sim.network.reliable.contents import Content
from broker_sim.routing.values import HEADER_BYTES

FRAME_BYTES: Final = 16
"""Two epochs, a number, what has arrived and what was handled."""

MAX_DOUBLINGS: Final = 2
"""How often the patience with one content doubles."""

Connection = tuple[int, int]
"""The epochs of this end and of the other one."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What a wire carries: at most one content, on its way through `hops` brokers."""

    epoch: int
    peer: int
    """The epoch of the other end, as far as the sender knows."""
    handled: int
    """How many contents were handled."""
    arrived: int
    """How many have arrived, without a gap."""
    early: frozenset[int] = frozenset()
    """Those that have arrived behind a gap."""
    number: int = -1
    content: Content | None = None
    hops: int = 0
    ask: bool = False
    """Whether the sender wants an answer at once."""

    @property
    def size(self) -> int:
        """Its weight on a wire."""
        content = HEADER_BYTES if self.content is None else self.content.size
        return FRAME_BYTES + 4 * len(self.early) + content


@dataclass(slots=True)
class _Sent:
    number: int
    content: Content
    hops: int
    left_at: float = 0.0
    tries: int = 0


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a frame did: closed the connection, opened one, brought something new, calls for an answer now.

    `contents`, each with its hops, can be handled now that the frame is there.
    """

    closed: bool = False
    opened: bool = False
    new: bool = False
    contents: tuple[tuple[Content, int], ...] = ()
    answer: bool = False


@dataclass(slots=True)
class Channel:
    """One end. What was not acknowledged is sent again after `patience`, behind a gap after a `round_trip`."""

    epoch: int
    peer: int
    patience: float
    round_trip: float
    open: bool = True
    heard_at: float = 0.0
    sent_at: float = 0.0
    owes: bool = False
    """Whether the other end should hear what has arrived and was handled."""
    _numbered: int = 0
    _unhandled: deque[_Sent] = field(default_factory=deque)
    _there: int = 0
    _there_early: frozenset[int] = frozenset()
    _arrived: int = 0
    _early: dict[int, tuple[Content, int]] = field(default_factory=dict)
    _handled: int = 0

    @property
    def connection(self) -> Connection:
        """What a content belongs to."""
        return self.epoch, self.peer

    @property
    def gap(self) -> bool:
        """Whether the other end lacks something while it has something later."""
        return bool(self._there_early)

    @property
    def waiting(self) -> bool:
        """Whether something was sent that the other end has not handled."""
        return bool(self._unhandled)

    def close(self) -> None:
        """Give the connection up, and all that was under way in it."""
        if self.open:
            self.epoch += 1
        self.open = self.owes = False
        self._numbered = self._there = self._arrived = self._handled = 0
        self._unhandled.clear()
        self._early.clear()
        self._there_early = frozenset()

    def restart(self) -> None:
        """Come back with what was journaled: all but what was waiting to be handled."""
        self._arrived = self._handled
        self._early.clear()

    def enclose(self, content: Content, hops: int) -> tuple[Frame, _Sent]:
        """A frame for a new content, and the note to fill in when it has left."""
        sent = _Sent(self._numbered, content, hops)
        self._numbered += 1
        self._unhandled.append(sent)
        return self._frame(sent), sent

    def sign(self) -> Frame:
        """A frame without content."""
        return self._frame(None)

    def _frame(self, sent: _Sent | None) -> Frame:
        self.owes = False
        state = (self.epoch, self.peer, self._handled, self._arrived, frozenset(self._early))
        return Frame(*state) if sent is None else Frame(*state, sent.number, sent.content, sent.hops)

    def overdue(self, now: float) -> Iterator[tuple[Frame, _Sent]]:
        """Frames to send again now; the note is to be filled in. A neighbour that is silent gets only the first."""
        silent = now - self.heard_at > 2 * self.patience
        latest = max(self._there_early, default=-1)
        for sent in self._unhandled:
            missing = sent.number >= self._there and sent.number not in self._there_early
            wait = self.round_trip if sent.number < latest else self.patience * 2 ** min(sent.tries, MAX_DOUBLINGS)
            if missing and now - sent.left_at >= wait - 1e-9:
                sent.tries += 1
                yield self._frame(sent), sent
                if silent:
                    return

    def receive(self, frame: Frame, now: float) -> Receipt:
        """Take in a frame."""
        if frame.epoch < self.peer:
            return Receipt()
        self.heard_at = now
        closed = frame.epoch > self.peer and self.open
        if frame.epoch > self.peer:
            self.close()
            self.peer = frame.epoch
        if frame.peer != self.epoch:
            return Receipt(closed, answer=True)
        opened = not self.open
        self.open = True
        self._acknowledged(frame)
        new = frame.number >= self._arrived and frame.number not in self._early
        contents = () if frame.content is None else tuple(self._in_order(frame))
        return Receipt(closed, opened, new, contents, answer=opened or frame.ask or (new and not contents))

    def _acknowledged(self, frame: Frame) -> None:
        while self._unhandled and self._unhandled[0].number < frame.handled:
            self._unhandled.popleft()
        self._there, self._there_early = frame.arrived, frame.early

    def _in_order(self, frame: Frame) -> Iterator[tuple[Content, int]]:
        """The contents that can be handled now that this one is there."""
        assert frame.content is not None
        self.owes = True
        if frame.number >= self._arrived:
            self._early[frame.number] = frame.content, frame.hops
        while self._arrived in self._early:
            yield self._early.pop(self._arrived)
            self._arrived += 1

    def handle(self) -> None:
        """One more content was handled."""
        assert self._handled < self._arrived, "what was handled must have arrived in this connection"
        self._handled += 1
        self.owes = True
