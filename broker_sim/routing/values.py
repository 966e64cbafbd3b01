"""Everything a message can be about, interned to integers.

Brokers tell each other about subscriptions, advertisements and publications. Each distinct value gets a small key, the
same for all brokers of a simulation, and messages and tables hold keys. This is the naming of values and nothing
more: what follows from a value is worked out in `broker_sim.routing.knowledge`.

Without covering, two clients' equal subscriptions are two table entries, so a key stands for an expression *and* its
owner. With covering, equal expressions cover each other and the key stands for the expression alone, whatever its
spelling: it is interned in normal form (tree patterns, which have none, as they are).

A message weighs a header of 16 bytes and the text of its content; an automaton advertisement is written as the names of
its elements, each with its children.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from pyroaring import BitMap

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
        self._paths: dict[int, Path] = {}
        self._made = 0
        self._uses: Counter[int] = Counter()
        self._advertised: list[Advertisement] = []
        self._published: dict[int, Publication] = {}
        self._publication_count = 0
        self._owners: dict[int, str | None] = {}

    @property
    def subscriptions(self) -> int:
        """How many subscriptions have keys."""
        return len(self._paths)

    def subscription(self, path: Path, owner: str = "") -> int:
        """The key of `owner`'s subscription to `path`."""
        value = self._value(path, owner)
        key = self._subscriptions.get(value)
        if key is None:
            key = self._subscriptions[value] = self._made
            self._paths[key] = value[0]
            self._owners[key] = value[1]
            self._made += 1
        return key

    def _value(self, path: Path, owner: str) -> tuple[Path, str | None]:
        if self._owned:
            return path, owner
        return (normal_form(path) if path.is_linear else path), None

    def keys_of(self, path: Path) -> list[tuple[int, str | None]]:
        """The keys of all subscriptions to `path`, each with its owner where owners count."""
        if not self._owned:
            key = self._subscriptions.get(self._value(path, ""))
            return [] if key is None else [(key, None)]
        return [(key, self._owners[key]) for key, known in self._paths.items() if known == path]

    def retain(self, key: int) -> None:
        """A table has one more entry for a subscription."""
        self._uses[key] += 1

    def release(self, key: int) -> None:
        """A table has one entry less for a subscription."""
        self._uses[key] -= 1

    def unused(self) -> BitMap:
        """The subscriptions that stand in no table."""
        return BitMap(key for key in self._paths if self._uses[key] <= 0)

    def forget(self, keys: BitMap) -> None:
        """Give up the keys of subscriptions, and all publications; none of them may be on a wire."""
        for key in keys:
            del self._subscriptions[self._paths.pop(key), self._owners.pop(key)]
            del self._uses[key]
        # A table that has become small still has the memory of a large one; its copy has not.
        self._subscriptions, self._paths = dict(self._subscriptions), dict(self._paths)
        self._owners, self._uses = dict(self._owners), Counter(self._uses)
        self._publications.clear()
        self._published.clear()

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
            key = self._publications[publication] = self._publication_count
            self._published[key] = publication
            self._publication_count += 1
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
