"""Everything a message can be about, interned to integers.

Brokers tell each other about subscriptions, advertisements and publications. Each distinct value gets a small key, the
same for all brokers of a simulation, and messages and tables hold keys. This is the naming of values and nothing
more: what follows from a value is worked out in `broker_sim.routing.knowledge`.

Without covering, two clients' equal subscriptions are two table entries, so a key stands for an expression *and* its
owner. With covering, equal expressions cover each other and the key stands for the expression alone, whatever its
spelling: it is interned in normal form.

A message weighs a header of 16 bytes and the text of its content; an automaton advertisement is written as the names of
its elements, each with its children.
"""

from __future__ import annotations

from typing import Final

from broker_sim.relations import normal_form
from broker_sim.xpath import Path
from dtd_ads.advertisement import Advertisement, AutomatonAdvertisement

HEADER_BYTES: Final = 16

Publication = tuple[str, ...] | bytes
"""What is on the wire: one root-to-leaf path, or a whole document."""


class Values:
    """Keys for values and values for keys; keys count from 0 for each kind of value."""

    def __init__(self, *, owned: bool) -> None:
        self._owned = owned
        self._subscriptions: dict[tuple[Path, str | None], int] = {}
        self._advertisements: dict[Advertisement, int] = {}
        self._publications: dict[Publication, int] = {}
        self._paths: list[Path] = []
        self._advertised: list[Advertisement] = []
        self._published: list[Publication] = []

    @property
    def subscriptions(self) -> int:
        """How many subscriptions have keys."""
        return len(self._paths)

    def subscription(self, path: Path, owner: str = "") -> int:
        """The key of `owner`'s subscription to `path`."""
        value = (path, owner) if self._owned else (normal_form(path), None)
        key = self._subscriptions.get(value)
        if key is None:
            key = self._subscriptions[value] = len(self._paths)
            self._paths.append(value[0])
        return key

    def advertisement(self, advertisement: Advertisement) -> int:
        """The key of an advertisement."""
        key = self._advertisements.get(advertisement)
        if key is None:
            key = self._advertisements[advertisement] = len(self._advertised)
            self._advertised.append(advertisement)
        return key

    def publication(self, publication: Publication) -> int:
        """The key of a publication."""
        key = self._publications.get(publication)
        if key is None:
            key = self._publications[publication] = len(self._published)
            self._published.append(publication)
        return key

    def path(self, key: int) -> Path:
        """The expression of a subscription."""
        return self._paths[key]

    def advertised(self, key: int) -> Advertisement:
        """The advertisement under a key."""
        return self._advertised[key]

    def published(self, key: int) -> Publication:
        """The publication under a key."""
        return self._published[key]

    def subscription_size(self, key: int) -> int:
        """What a message about this subscription weighs, in bytes."""
        return HEADER_BYTES + len(str(self._paths[key]).encode())

    def advertisement_size(self, key: int) -> int:
        """What a message about this advertisement weighs, in bytes."""
        return HEADER_BYTES + len(_encoded(self._advertised[key]).encode())

    def publication_size(self, key: int) -> int:
        """What a message with this publication weighs, in bytes."""
        content = self._published[key]
        return HEADER_BYTES + len(content if isinstance(content, bytes) else f"/{'/'.join(content)}".encode())


def _encoded(advertisement: Advertisement) -> str:
    if isinstance(advertisement, AutomatonAdvertisement):
        return " ".join(f"{name}:{','.join(children)}" for name, children in advertisement.edges)
    return str(advertisement)
