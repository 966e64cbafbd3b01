"""Advertisements: what a publisher says its documents' paths will look like.

A `PathAdvertisement` is the router paper's: names, wildcards and groups `( ... )+` that may follow and nest, written
`/a/*/c(/e/d)+/*/c/e`. It matches publications of exactly its expanded length. An `AutomatonAdvertisement`
carries the element graph itself and is exact for every DTD, where path lists explode or cannot be exact.
An `AdvertisementSet` is all that one publisher advertises, and knows whether it is exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from dtd_ads.errors import AdvertisementError

WILDCARD: Final = "*"
MAX_NESTING: Final = 100

Kind = Literal["non-recursive", "simple", "series", "embedded", "automaton"]
KINDS: Final[tuple[Kind, ...]] = ("non-recursive", "simple", "series", "embedded", "automaton")


@dataclass(frozen=True, slots=True)
class Loop:
    """`( ... )+`: the parts occur, in order, one or more times."""

    parts: tuple[Part, ...]

    def __str__(self) -> str:
        return f"({_text(self.parts)})+"


Part = str | Loop


@dataclass(frozen=True, slots=True)
class PathAdvertisement:
    """`/t1/../tn`, with loops."""

    parts: tuple[Part, ...]

    @property
    def kind(self) -> Kind:
        """The paper's class: by the number of loops and whether they nest."""
        loops = [part for part in self.parts if isinstance(part, Loop)]
        if any(isinstance(part, Loop) for loop in loops for part in loop.parts):
            return "embedded"
        return ("non-recursive", "simple", "series")[min(len(loops), 2)]

    def __str__(self) -> str:
        return _text(self.parts)


@dataclass(frozen=True, slots=True)
class AutomatonAdvertisement:
    """An element graph: every walk from `root` to an element in `ends`, of at most `max_depth` elements."""

    root: str
    edges: tuple[tuple[str, tuple[str, ...]], ...]
    ends: frozenset[str]
    max_depth: int | None = None

    @property
    def kind(self) -> Kind:
        """Always `automaton`."""
        return "automaton"

    def __str__(self) -> str:
        bound = "" if self.max_depth is None else f", depth <= {self.max_depth}"
        return f"automaton({self.root}: {len(self.edges)} elements{bound})"


Advertisement = PathAdvertisement | AutomatonAdvertisement

EVERYTHING: Final = PathAdvertisement((Loop((WILDCARD,)),))
"""`(/*)+`, what a publisher without a DTD advertises."""


@dataclass(frozen=True, slots=True)
class AdvertisementSet:
    """All that one publisher advertises; `exact` if it is neither more nor less than the DTD's paths."""

    advertisements: tuple[Advertisement, ...]
    form: Literal["paths", "automaton"]
    exact: bool

    def __iter__(self) -> Iterator[Advertisement]:
        return iter(self.advertisements)

    def __len__(self) -> int:
        return len(self.advertisements)

    @property
    def counts(self) -> dict[Kind, int]:
        """How many advertisements there are of each kind."""
        found = Counter(advertisement.kind for advertisement in self.advertisements)
        return {kind: found[kind] for kind in KINDS}


def parse_advertisement(text: str) -> PathAdvertisement:
    """Read an advertisement as the paper writes it; raises `AdvertisementError` with the column."""
    stack: list[list[Part]] = [[]]
    position = 0
    while position < len(text):
        character = text[position]
        if character == "/":
            end = position + 1
            while end < len(text) and text[end] not in "/()+ \t\r\n":
                end += 1
            name = text[position + 1 : end]
            if not name or ("*" in name and name != WILDCARD):
                raise _error(text, position + 1, "expected a name or *")
            stack[-1].append(name)
            position = end
        elif character == "(":
            if len(stack) > MAX_NESTING:
                raise _error(text, position, f"groups nest deeper than {MAX_NESTING}")
            stack.append([])
            position += 1
        elif character == ")":
            parts = stack.pop()
            if not stack or not parts or text[position + 1 : position + 2] != "+":
                raise _error(text, position, "expected '( ... )+' around at least one step")
            stack[-1].append(Loop(tuple(parts)))
            position += 2
        else:
            raise _error(text, position, "expected '/' or '('")
    if len(stack) > 1 or not stack[0]:
        raise _error(text, position, "expected ')+'" if len(stack) > 1 else "expected '/' or '('")
    return PathAdvertisement(tuple(stack[0]))


def _error(text: str, position: int, expected: str) -> AdvertisementError:
    shown = text if len(text) <= 200 else text[:200] + "..."
    return AdvertisementError(f"{expected} in advertisement {shown!r}", column=position + 1)


def _text(parts: tuple[Part, ...]) -> str:
    return "".join(f"/{part}" if isinstance(part, str) else str(part) for part in parts)
