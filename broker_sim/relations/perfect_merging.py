"""Whether a merger is perfect: P(merger) is exactly the union of its parts' publications.

Over any names, it is enough to look at the merger's canonical publications: its names as they are, a fresh name for
every `*`, and any number of fresh names for every `//`. A publication that the merger matches and no part does can be
turned into a canonical one: a part that does not match with the names given matches even less when a name becomes
fresh, or when the end that the merger has no use for is cut. So the search walks along the merger, at each `//` either
staying or going on, and keeps the state of the parts (`residuals`); a state met again is not searched again.

With a DTD the search walks the element graph with the states of merger and parts, at any depth, until it finds an
element that may end a path in a publication that only the merger matches. Both are exact. Their cost is the number of
states met: small for paths as people write them, exponential in the worst case (a long run of `*` behind a `//`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from broker_sim.relations.residuals import ACCEPTED, DEAD, Residuals, Steps, axis_of, name_of
from broker_sim.xpath import DESCENDANT, WILDCARD
from dtd_ads import Schema

FRESH: Final = ""
"""A name that no path can mention."""


def is_perfect(merger: Steps, parts: Iterable[Steps], schema: Schema | None = None) -> bool:
    """Whether every publication that `merger` matches is matched by one of `parts`."""
    if schema is None:
        return _included(merger, parts)
    return _included_in_schema(merger, parts, schema)


def _included(merger: Steps, parts: Iterable[Steps]) -> bool:
    residuals = Residuals()
    met = {(0, residuals.start(parts))}
    stack = list(met)
    while stack:
        position, state = stack.pop()
        if position == len(merger):
            return False
        for following, name in _canonical_moves(merger, position):
            successor = (following, residuals.step(state, name))
            if successor[1] != ACCEPTED and successor not in met:
                met.add(successor)
                stack.append(successor)
    return True


def _canonical_moves(merger: Steps, position: int) -> Iterator[tuple[int, str]]:
    step = merger[position]
    name = name_of(step)
    yield position + 1, FRESH if name == WILDCARD else name
    if axis_of(step) == DESCENDANT:
        yield position, FRESH


def _included_in_schema(merger: Steps, parts: Iterable[Steps], schema: Schema) -> bool:
    residuals = Residuals()
    root = schema.root
    begin = (root, residuals.step(residuals.start([merger]), root), residuals.step(residuals.start(parts), root))
    met = {begin}
    stack = [begin]
    while stack:
        element, whole, wanted = stack.pop()
        if whole == DEAD or wanted == ACCEPTED:
            continue
        if whole == ACCEPTED and schema.may_end(element):
            return False
        for child in schema.children(element):
            successor = (child, residuals.step(whole, child), residuals.step(wanted, child))
            if successor not in met:
                met.add(successor)
                stack.append(successor)
    return True
