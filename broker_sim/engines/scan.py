"""Each expression against each publication in turn: how the router paper's brokers find the next hops.

A linear expression is a row of segments, the runs of steps between two `//`. A segment fits where its names stand in
the publication one after the other, `*` fitting any name. The first segment of an expression that begins with `/`
fits at the root only; every other one is taken at the first place where it fits behind the one before. Taking
the first place is right because nothing that follows can need an earlier end, and because the rest of a
publication is free. One expression costs at most (names in the publication) x (steps in the expression); a document
ends the work on an expression with the first publication that matches it. There is no sharing between expressions.

Only linear expressions are accepted: a publication is a path, and a predicate asks for more of the document.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pyroaring import BitMap

from broker_sim.engines.documents import Document, parse, publications
from broker_sim.engines.engine import require_known, require_new
from broker_sim.errors import XPathError
from broker_sim.xpath import CHILD, DESCENDANT, WILDCARD, Expression
from broker_sim.xpath import Path as XPath

Segment = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Pattern:
    """The segments of one linear path; `anchored` if the first one fits at the root only."""

    anchored: bool
    segments: tuple[Segment, ...]

    def matches(self, names: Sequence[str]) -> bool:
        """Whether the segments occur in `names` in order, without overlap."""
        place = 0
        for number, segment in enumerate(self.segments):
            last = place if self.anchored and number == 0 else len(names) - len(segment)
            while place <= last and not _fits(segment, names, place):
                place += 1
            if place > last:
                return False
            place += len(segment)
        return True


class Scan:
    """The router paper's matching, one linear expression after the other."""

    def __init__(self) -> None:
        self._patterns: dict[int, list[_Pattern]] = {}

    def add(self, id: int, expression: Expression) -> None:
        """Subscribe; raises `XPathError` for an expression that is not linear."""
        require_new(self._patterns, id)
        if not expression.is_linear:
            raise XPathError("the scan engine matches only /, //, names and *", text=str(expression), column=1)
        self._patterns[id] = [_pattern(path) for path in expression.disjuncts]

    def remove(self, id: int) -> None:
        """Unsubscribe."""
        require_known(self._patterns, id)
        del self._patterns[id]

    def match(self, document: Document) -> BitMap:
        """The ids that match any publication of the document."""
        return self._matching(publications(parse(document)))

    def match_path(self, names: Sequence[str]) -> BitMap:
        """The ids that match this publication."""
        if not names:
            raise ValueError("a publication has at least one name")
        return self._matching([names])

    def __len__(self) -> int:
        return len(self._patterns)

    def __contains__(self, id: object) -> bool:
        return id in self._patterns

    def _matching(self, paths: Iterable[Sequence[str]]) -> BitMap:
        paths = list(paths)
        return BitMap(
            id
            for id, patterns in self._patterns.items()
            if any(pattern.matches(names) for pattern in patterns for names in paths)
        )


def _pattern(path: XPath) -> _Pattern:
    segments: list[list[str]] = []
    for step in path.steps:
        if step.axis == DESCENDANT or not segments:
            segments.append([])
        segments[-1].append(step.name)
    return _Pattern(path.steps[0].axis == CHILD, tuple(map(tuple, segments)))


def _fits(segment: Segment, names: Sequence[str], place: int) -> bool:
    if place + len(segment) > len(names):
        return False
    return all(want in (WILDCARD, names[place + offset]) for offset, want in enumerate(segment))
