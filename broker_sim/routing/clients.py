"""The clients of one broker: what each asks for, and what it has been told.

A client may subscribe to the same expression more than once, also in different spellings; it asks for it until it has
unsubscribed as often. It is notified of a document once, however many of its subscriptions and paths match.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pyroaring import BitMap


class Clients:
    """Subscriptions by client, and the documents each was notified of."""

    def __init__(self) -> None:
        self.tables: dict[str, BitMap] = {}
        self.asking: Counter[int] = Counter()
        """How many clients ask for each subscription."""
        self._times: Counter[tuple[str, int]] = Counter()
        self._notified: dict[str, BitMap] = {}

    def subscribe(self, client: str, key: int) -> bool:
        """One more subscription; whether it is the client's first to this key."""
        self._times[client, key] += 1
        if self._times[client, key] > 1:
            return False
        self.tables.setdefault(client, BitMap()).add(key)
        self.asking[key] += 1
        return True

    def unsubscribe(self, client: str, key: int) -> bool:
        """One subscription less; whether it was the client's last to this key."""
        times = self._times[client, key]
        if times != 1:
            if times:
                self._times[client, key] -= 1
            else:
                del self._times[client, key]
            return False
        del self._times[client, key]
        self._take_out(client, key)
        if not self._times:
            self._times.clear()  # An empty table may still have the memory of a full one.
            self.asking.clear()
        return True

    def _take_out(self, client: str, key: int) -> None:
        self.tables[client].remove(key)
        if not self.tables[client]:
            del self.tables[client]
            self._notified.pop(client, None)
        self.asking[key] -= 1
        if not self.asking[key]:
            del self.asking[key]

    def notified(self, client: str) -> BitMap:
        """The documents that a client has been notified of."""
        return self._notified.get(client, BitMap())

    def to_notify(self, matches: BitMap, doc_id: int) -> Iterator[str]:
        """The clients that a document is news for; from now on it is not."""
        for client, table in self.tables.items():
            if table.intersect(matches):
                notified = self._notified.setdefault(client, BitMap())
                if doc_id not in notified:
                    notified.add(doc_id)
                    yield client
