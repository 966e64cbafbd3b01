"""Which paths might a pattern cover? Those that show every feature the pattern asks for.

A feature of a path is a name it mentions, two names joined by `/`, or a name at a known depth (as far as only `/` leads
from the root). For each feature there is a bitmap of the paths that show it, as in an inverted index. A pattern's
candidates are the intersection of its features' bitmaps. They hold all that it covers, and often nothing else: where
the features say all there is to say about the pattern, the candidates are the answer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

from pyroaring import BitMap

from broker_sim.relations.embedding import Pattern, Segment, Target
from broker_sim.xpath import WILDCARD

Feature = str | tuple[str, str] | tuple[int, str]


class Postings:
    """Feature -> bitmap of the ids whose paths show it."""

    def __init__(self) -> None:
        self._bitmaps: defaultdict[Feature, BitMap] = defaultdict(BitMap)

    def add(self, identifier: int, target: Target) -> None:
        """Enter a path under all its features."""
        for feature in _shown(target):
            self._bitmaps[feature].add(identifier)

    def remove(self, identifier: int, target: Target) -> None:
        """Take out what `add` entered."""
        for feature in set(_shown(target)):
            bitmap = self._bitmaps[feature]
            bitmap.discard(identifier)
            if not bitmap:
                del self._bitmaps[feature]

    def candidates(self, pattern: Pattern, within: BitMap) -> BitMap:
        """The ids in `within` whose paths show all that `pattern` asks for."""
        bitmaps = [within]
        for feature in _asked(pattern):
            bitmap = self._bitmaps.get(feature)
            if bitmap is None:
                return BitMap()
            bitmaps.append(bitmap)
        bitmaps.sort(key=len)
        found = bitmaps[0]
        for bitmap in bitmaps[1:]:
            found = found & bitmap
            if not found:
                break
        return BitMap(found)


def is_exact(pattern: Pattern) -> bool:
    """Whether the candidates of `pattern` are just what it covers: one segment, tied to the root or of one or two names."""
    if pattern.trailing or len(pattern.segments) != 1:
        return False
    distance, names, wild = pattern.segments[0]
    return distance == 0 or (distance == 1 and len(names) <= 2 and not wild)


def _shown(target: Target) -> Iterator[Feature]:
    names = target.names
    for index, name in enumerate(names):
        if name == WILDCARD:
            continue
        yield name
        if index < target.root_reach:
            yield index, name
        if index + 1 < target.reach[index] and names[index + 1] != WILDCARD:
            yield name, names[index + 1]


def _asked(pattern: Pattern) -> set[Feature]:
    return {feature for segment in pattern.segments for feature in _asked_by(segment)}


def _asked_by(segment: Segment) -> Iterator[Feature]:
    names = segment.names
    if segment.distance == 0:
        yield from ((depth, name) for depth, name in enumerate(names) if name != WILDCARD)
        return
    if len(names) == 1:
        yield names[0]
    for left, right in pairwise(names):
        if WILDCARD not in (left, right):
            yield left, right
        elif left != WILDCARD:
            yield left
        elif right != WILDCARD:
            yield right
