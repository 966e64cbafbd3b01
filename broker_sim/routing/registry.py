"""What depends on values alone, worked out once and shared by all brokers of a simulation.

A thousand brokers that ask whether the same subscription overlaps the same advertisement need the answer once. So
expressions, advertisements and publications are interned to integer keys, and everything a broker decides is an
intersection of bitmaps of keys: which advertisements a subscription overlaps, which subscriptions cover it or are
covered by it, and which subscriptions a publication matches (through one engine for all brokers). The answers are
those that each broker would find alone: a broker may as well have a registry of its own.

Without covering, two clients' equal subscriptions are two table entries, so a key stands for an expression *and* its
owner. With covering, equal expressions cover each other and the key stands for the expression alone, whatever its
spelling: it is interned in normal form.
"""

from __future__ import annotations

from typing import Final

from pyroaring import BitMap

from broker_sim.engines import Engine
from broker_sim.relations import CoveringIndex, merge_set, normal_form, overlaps
from broker_sim.routing.message import HEADER_BYTES
from broker_sim.xpath import Path
from dtd_ads import Advertisement, Schema

Publication = tuple[str, ...] | bytes
"""What is on the wire: one root-to-leaf path, or a whole document."""

MATCH_CACHE: Final = 100_000
"""How many publications' matches are kept."""


class Registry:
    """Interned values, and the relations between them."""

    def __init__(self, engine: Engine, *, cover: bool = False, schema: Schema | None = None) -> None:
        self._engine = engine
        self._schema = schema
        self._index = CoveringIndex() if cover else None
        self._paths: list[Path] = []
        self._keys: dict[tuple[Path, str | None], int] = {}
        self._sizes: list[int] = []
        self._overlapping: list[BitMap] = []
        self._advertisements: list[Advertisement] = []
        self._advertisement_keys: dict[Advertisement, int] = {}
        self._publications: list[Publication] = []
        self._publication_keys: dict[Publication, int] = {}
        self._matches: dict[int, BitMap] = {}
        self._mergers: dict[tuple[bytes, float], dict[int, BitMap]] = {}

    def subscription(self, path: Path, owner: str) -> int:
        """The key of `owner`'s subscription to `path`."""
        value = (path, owner) if self._index is None else (normal_form(path), None)
        key = self._keys.get(value)
        if key is None:
            key = self._keys[value] = len(self._paths)
            self._add_subscription(key, value[0])
        return key

    def _add_subscription(self, key: int, path: Path) -> None:
        self._paths.append(path)
        self._sizes.append(0)
        self._engine.add(key, path)
        self._matches.clear()
        if self._index is not None:
            self._index.add(key, path)
        self._overlapping.append(
            BitMap(other for other, each in enumerate(self._advertisements) if overlaps(each, path))
        )

    def path(self, key: int) -> Path:
        """The expression of a subscription."""
        return self._paths[key]

    def subscription_size(self, key: int) -> int:
        """What a message about this subscription weighs, in bytes."""
        size = self._sizes[key]
        if not size:
            size = self._sizes[key] = HEADER_BYTES + len(str(self._paths[key]).encode())
        return size

    def coverers(self, key: int) -> BitMap:
        """The subscriptions that cover this one, itself included."""
        assert self._index is not None
        return self._index.coverers(self._paths[key])

    def covered(self, key: int, within: BitMap) -> BitMap:
        """The subscriptions of `within` that this one covers, itself included if it is there."""
        assert self._index is not None
        return self._index.covered(self._paths[key], within)

    def mergers(self, keys: BitMap, max_degree: float) -> dict[int, BitMap]:
        """How `keys`, a covering-maximal set, merges: the keys to forward, and which ones each stands for."""
        memo = (keys.serialize(), max_degree)
        found = self._mergers.get(memo)
        if found is None:
            of_path = {self._paths[key]: key for key in keys}
            merged = merge_set(list(of_path), self._schema, max_degree)
            found = self._mergers[memo] = {
                self.subscription(entry.expression, ""): BitMap(of_path[part] for part in entry.parts)
                for entry in merged
            }
        return found

    def advertisement(self, advertisement: Advertisement) -> int:
        """The key of an advertisement."""
        key = self._advertisement_keys.get(advertisement)
        if key is None:
            key = self._advertisement_keys[advertisement] = len(self._advertisements)
            self._advertisements.append(advertisement)
            for path, overlapping in zip(self._paths, self._overlapping, strict=True):
                if overlaps(advertisement, path):
                    overlapping.add(key)
        return key

    def overlapping(self, key: int) -> BitMap:
        """The advertisements that a subscription overlaps."""
        return self._overlapping[key]

    def publication(self, publication: Publication) -> int:
        """The key of a publication."""
        key = self._publication_keys.get(publication)
        if key is None:
            key = self._publication_keys[publication] = len(self._publications)
            self._publications.append(publication)
        return key

    def matches(self, key: int) -> BitMap:
        """The subscriptions that a publication matches."""
        found = self._matches.get(key)
        if found is None:
            if len(self._matches) >= MATCH_CACHE:
                self._matches.clear()
            content = self._publications[key]
            engine = self._engine
            found = engine.match(content) if isinstance(content, bytes) else engine.match_path(content)
            self._matches[key] = found
        return found

    def unadvertised(self, key: int, advertisements: BitMap) -> tuple[str, ...] | None:
        """A path of the publication that none of `advertisements` allows, or None if all are allowed."""
        memo = (key, advertisements.serialize())
        if memo not in self._allowed:
            automaton = self._union(advertisements)
            content = self._publications[key]
            paths = publications(parse_document(content)) if isinstance(content, bytes) else [content]
            self._allowed[memo] = next((path for path in paths if not automaton.accepts(path)), None)
        return self._allowed[memo]
