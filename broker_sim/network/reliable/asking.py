"""The subscriber's side: what it has asked for, kept so that it can ask again."""

from __future__ import annotations

from collections import deque

from broker_sim.routing import Message


class Asking:
    """The subscriptions of one client that stand, and what its broker has not handled yet."""

    def __init__(self) -> None:
        self.waiting: deque[Message] = deque()
        self._standing: dict[int, list[Message]] = {}

    def ask(self, message: Message) -> None:
        """Subscribe or unsubscribe."""
        self.waiting.append(message)
        if message.kind == "subscribe":
            self._standing.setdefault(message.key, []).append(message)
        elif self._standing.get(message.key):
            self._standing[message.key].pop()

    def handled(self, message: Message) -> None:
        """The broker has handled this."""
        self.waiting.remove(message)

    def restarted(self, *, lost: bool) -> list[Message]:
        """The broker is back: what to hand it."""
        if lost:
            self.waiting = deque(message for messages in self._standing.values() for message in messages)
        return list(self.waiting)
