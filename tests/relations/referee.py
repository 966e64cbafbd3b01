"""Overlap and advertisement covering by brute force: list short publications and look.

Nothing here uses positions, masks or closures. The loops of an advertisement are written out, each wildcard becomes
every name that occurs and one fresh name; a subscription is tried at every place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from broker_sim.xpath import CHILD, WILDCARD, Path, Step
from dtd_ads import Advertisement, AutomatonAdvertisement, Loop, PathAdvertisement
from dtd_ads.advertisement import Part

FRESH = "fresh"
Names = tuple[str, ...]


def matches(steps: tuple[Step, ...], names: Names) -> bool:
    """Whether a linear path matches a publication: its steps embed, from the root on."""
    if not steps:
        return True
    places = (0,) if steps[0].axis == CHILD else range(len(names))
    return any(
        place < len(names) and steps[0].name in (WILDCARD, names[place]) and matches(steps[1:], names[place + 1 :])
        for place in places
    )


def publications(advertisement: Advertisement, alphabet: Iterable[str], longest: int) -> Iterator[Names]:
    """The publications of at most `longest` names from the alphabet and a fresh one."""
    if isinstance(advertisement, AutomatonAdvertisement):
        yield from _walks(advertisement, (advertisement.root,), longest)
        return
    choices = sorted({*alphabet, FRESH})
    for labels in set(_expansions(advertisement.parts, longest)):
        yield from product(*(choices if label == WILDCARD else (label,) for label in labels))


def names_in(advertisement: Advertisement) -> set[str]:
    """The names that an advertisement mentions."""
    if isinstance(advertisement, PathAdvertisement):
        return set(_labels(advertisement.parts)) - {WILDCARD}
    return {name for parent, children in advertisement.edges for name in (parent, *children)}


def overlap(advertisement: Advertisement, path: Path, longest: int) -> bool:
    """Whether one of the short publications matches the linear path."""
    alphabet = {step.name for step in path.steps} - {WILDCARD} | names_in(advertisement)
    return any(matches(path.steps, names) for names in publications(advertisement, alphabet, longest))


def advertisement_covers(first: Advertisement, second: Advertisement, longest: int) -> bool:
    """Whether every short publication of the second is one of the first."""
    alphabet = names_in(first) | names_in(second)
    return set(publications(second, alphabet, longest)) <= set(publications(first, alphabet, longest))


def _labels(parts: tuple[Part, ...]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, Loop):
            yield from _labels(part.parts)
        else:
            yield part


def _expansions(parts: tuple[Part, ...], longest: int) -> Iterator[Names]:
    """Every way to write the parts out without loops, in at most `longest` labels."""
    if not parts:
        yield ()
        return
    for first in _written_out(parts[0], longest):
        for rest in _expansions(parts[1:], longest - len(first)):
            yield first + rest


def _written_out(part: Part, longest: int) -> Iterator[Names]:
    if longest < 1:
        return
    if isinstance(part, str):
        yield (part,)
        return
    for once in set(_expansions(part.parts, longest)):
        yield once
        for again in _written_out(part, longest - len(once)):
            yield once + again


def _walks(advertisement: AutomatonAdvertisement, walk: Names, longest: int) -> Iterator[Names]:
    if len(walk) > longest or (advertisement.max_depth is not None and len(walk) > advertisement.max_depth):
        return
    if walk[-1] in advertisement.ends:
        yield walk
    for child in dict(advertisement.edges).get(walk[-1], ()):
        yield from _walks(advertisement, (*walk, child), longest)
