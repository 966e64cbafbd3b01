"""What brokers of a reliable overlay tell each other beside the messages of routing.

A tree's id holds the number of its publisher and its version: of two trees of a publisher, the one with the higher
version counts. Publications are known by document and path.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pyroaring import BitMap

from broker_sim.routing import Message
from broker_sim.routing.values import HEADER_BYTES

_PUBLISHERS: Final = 1 << 16

Part = tuple[int, int]
"""A document and one of its paths."""


def tree_id(publisher: int, version: int) -> int:
    """The id of a publisher's tree of that version."""
    return version * _PUBLISHERS + publisher


def publisher_of(tree: int) -> int:
    """The number of a tree's publisher."""
    return tree % _PUBLISHERS


def version_of(tree: int) -> int:
    """The version of a tree."""
    return tree // _PUBLISHERS


@dataclass(frozen=True, slots=True)
class Published:
    """A publication on its way down a tree; the brokers of `covered` have seen to it before."""

    message: Message
    covered: BitMap

    @property
    def part(self) -> Part:
        """Which part of which document it is."""
        return self.message.doc_id, self.message.path_id

    @property
    def size(self) -> int:
        return self.message.size + (len(self.covered.serialize()) if self.covered else 0)


@dataclass(frozen=True, slots=True)
class Done:
    """Up a tree: these publications have reached all whom they concern from here on."""

    tree: int
    parts: tuple[Part, ...]

    @property
    def size(self) -> int:
        return HEADER_BYTES + 8 * len(self.parts)


@dataclass(frozen=True, slots=True)
class Probe:
    """All advertisements of a tree have been sent: who is below?"""

    tree: int
    size: int = HEADER_BYTES


@dataclass(frozen=True, slots=True)
class Echo:
    """Up a tree: these brokers are below, and their subscriptions have been sent."""

    tree: int
    members: BitMap

    @property
    def size(self) -> int:
        return HEADER_BYTES + len(self.members.serialize())


@dataclass(frozen=True, slots=True)
class Broken:
    """Up a tree: it has lost a link, or lacks a broker that can be reached."""

    tree: int
    size: int = HEADER_BYTES


@dataclass(frozen=True, slots=True)
class Known:
    """On a new connection: the latest tree of each publisher that the sender knows of, withdrawn ones included."""

    trees: frozenset[int]

    @property
    def size(self) -> int:
        return HEADER_BYTES + 4 * len(self.trees)


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """To all brokers: the publisher of this tree advertises nothing any more."""

    tree: int
    size: int = HEADER_BYTES


Content = Message | Published | Done | Probe | Echo | Broken | Known | Withdrawn
