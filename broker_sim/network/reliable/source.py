"""The publisher's side: its tree, and its documents until everyone who asked for them has them.

A publisher advertises by building a tree. When its tree is broken, it builds one of the next version. It sends
publications down a tree that is built, and keeps each until it has been done in trees that together hold *all* brokers
of the overlay, which it knows by configuration. So what is published while brokers are down or cut off reaches them
when they are back, and brokers that were served before are passed by. A broker that is gone for good makes publishers
keep their documents for it until somebody takes it out of the configuration.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from pyroaring import BitMap

from broker_sim.errors import DocumentError
from broker_sim.network.reliable.contents import Content, Part, Probe, Published, Withdrawn, tree_id
from broker_sim.routing import Message


@dataclass(slots=True)
class _Kept:
    message: Message
    covered: BitMap = field(default_factory=BitMap)


class Source:
    """One publisher. `tell` hands something to its broker, `later` does something a little later."""

    def __init__(
        self,
        number: int,
        everyone: BitMap,
        tell: Callable[[Content], None],
        later: Callable[[Callable[[], None]], None],
    ) -> None:
        self.rebuilt: list[tuple[float, float]] = []
        """When the publisher heard that a tree was broken, and when the next one was built."""
        self._number = number
        self._everyone = everyone
        self._tell = tell
        self._later = later
        self._version = -1
        self._advertisements: dict[int, Message] = {}
        self._members: BitMap | None = None
        """The brokers of the current tree, if it is built."""
        self.rebuild_due = False
        """Whether a new tree will be begun soon."""
        self._broken_at: float | None = None
        self._kept: dict[Part, _Kept] = {}

    @property
    def tree(self) -> int:
        """The current tree."""
        return tree_id(self._number, max(self._version, 0))

    @property
    def kept(self) -> int:
        """How many publications may not have reached everyone."""
        return len(self._kept)

    def advertise(self, message: Message) -> None:
        """Advertise one more thing; what is advertised at the same moment shares a tree."""
        self._advertisements[message.key] = message
        self._build_soon()

    def unadvertise(self, message: Message) -> None:
        """Advertise one thing less; with the last one the publisher leaves, and gives up what it keeps."""
        self._advertisements.pop(message.key, None)
        self._build_soon()

    def publish(self, message: Message) -> None:
        """Publish a document, or a part of it."""
        if not self._advertisements:
            raise DocumentError(
                f"publisher {message.origin} advertises nothing; advertise before you publish",
                source=f"document {message.doc_id}",
            )
        kept = self._kept[message.doc_id, message.path_id] = _Kept(message)
        if self._members is not None:
            self._send(kept)

    def _send(self, kept: _Kept) -> None:
        self._tell(Published(replace(kept.message, tree=self.tree), kept.covered))

    def _build_soon(self) -> None:
        if not self.rebuild_due:
            self.rebuild_due = True
            self._later(self._build_if_due)

    def _build_if_due(self) -> None:
        if self.rebuild_due:
            self._build()

    def _build(self) -> None:
        """Begin a tree of the next version."""
        self.rebuild_due = False
        self._version += 1
        self._members = None
        if not self._advertisements:
            self._kept.clear()
            self._tell(Withdrawn(self.tree))
            return
        for message in self._advertisements.values():
            self._tell(replace(message, tree=self.tree))
        self._tell(Probe(self.tree))

    def broken(self, tree: int, now: float) -> None:
        """The tree has lost a link or lacks a broker; until the next one, it serves whom it reaches."""
        if tree == self.tree and self._advertisements:
            if self._broken_at is None:
                self._broken_at = now
            self._build_soon()

    def restarted(self, now: float, *, lost: bool) -> None:
        """The publisher's broker is back."""
        if self._version < 0 and not self.rebuild_due:
            return
        if lost or self._members is None or self.rebuild_due:
            if self._broken_at is None:
                self._broken_at = now
            self._build()
        else:
            self._send_kept()

    def grown(self, tree: int, members: BitMap, now: float) -> None:
        """The tree is built: publish in it what has not reached everyone, unless it is already broken again."""
        if tree != self.tree or self.rebuild_due:
            return
        self._members = members
        if self._broken_at is not None:
            self.rebuilt.append((self._broken_at, now))
            self._broken_at = None
        self._send_kept()

    def _send_kept(self) -> None:
        assert self._members is not None
        for kept in list(self._kept.values()):
            if not self._members <= kept.covered:
                self._send(kept)

    def done(self, tree: int, part: Part) -> None:
        """A publication has reached all brokers of a tree that it concerns."""
        kept = self._kept.get(part)
        if kept is None or tree != self.tree or self._members is None:
            return
        kept.covered = kept.covered | self._members
        if self._everyone <= kept.covered:
            del self._kept[part]
