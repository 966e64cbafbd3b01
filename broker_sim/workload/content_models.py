"""Content models, prepared for writing valid documents.

An element's height is the number of levels that its smallest subtree needs. Heights are a least fixpoint over the
content models, so they exist for recursive DTDs too; an element without a finite height (it always contains itself, or
an undeclared one) can occur in no document. Knowing heights, a generator with `room` levels left chooses only
what still fits, and never runs into a corner. Fixpoint and sizes cost O(elements x size of the DTD) at worst.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from dtd_ads.content import Content, Group, Name, Particle
from dtd_ads.schema import Schema

NEVER: Final = 1 << 60
"""The height of what no finite document can contain."""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A particle with all that a choice about it needs.

    One occurrence needs `height` levels; `least` is 0 where the part may be left out. It occurs at most `repeats`
    times, a `repeatable` one more often where a size is asked for. `grows` says that what it expands to has no
    largest size.
    """

    kind: Literal["name", "sequence", "choice"]
    name: str
    parts: tuple[Part, ...]
    optional: bool
    repeatable: bool
    repeats: int
    height: int
    grows: bool

    @property
    def least(self) -> int:
        """The levels that the part needs at least."""
        return 0 if self.optional else self.height

    @property
    def shallowest(self) -> Part:
        """Of a choice, the option that needs the fewest levels; of several the first."""
        return min(self.parts, key=lambda part: part.least)


@dataclass(frozen=True, slots=True)
class Models:
    """The prepared model of every element that can occur; None where it has no child elements."""

    heights: Mapping[str, int]
    sizes: Mapping[str, int]
    parts: Mapping[str, Part | None]


def prepare_models(schema: Schema, repeats: Callable[[str | None], int]) -> Models:
    """Prepare every model; `repeats` gives the bound of an element, and with None that of anything else."""
    heights = _heights(schema)
    growing = _growing(schema, heights)
    builder = _Builder(heights, growing, repeats)
    parts = {
        name: builder.model(schema, name) for name in sorted(heights, key=heights.__getitem__) if heights[name] < NEVER
    }
    sizes: dict[str, int] = {}
    for name, part in parts.items():
        sizes[name] = 1 + (_least_size(part, sizes) if part is not None else 0)
    return Models(heights, sizes, parts)


@dataclass(frozen=True, slots=True)
class _Builder:
    heights: Mapping[str, int]
    growing: frozenset[str]
    repeats: Callable[[str | None], int]

    def model(self, schema: Schema, name: str) -> Part | None:
        element = schema.elements[name]
        if element.content.kind == "CHILDREN" and element.content.particle is not None:
            return self._part(element.content.particle)
        names = tuple(Name(child) for child in element.children if self.heights[child] < NEVER)
        return self._part(Group("|", names, "*")) if names else None

    def _part(self, particle: Particle) -> Part:
        optional = particle.occurs in ("?", "*")
        repeatable = particle.occurs in ("*", "+")
        height = _height(particle, self.heights)
        if isinstance(particle, Name):
            bound = self.repeats(particle.name) if repeatable else 1
            grows = height < NEVER and (repeatable or particle.name in self.growing)
            return Part("name", particle.name, (), optional, repeatable, bound, height, grows)
        parts = tuple(map(self._part, particle.parts))
        bound = max([self.repeats(part.name or None) for part in parts]) if repeatable else 1
        grows = height < NEVER and (repeatable or any(part.grows for part in parts))
        kind: Literal["sequence", "choice"] = "sequence" if particle.connector == "," else "choice"
        return Part(kind, "", parts, optional, repeatable, bound, height, grows)


def _heights(schema: Schema) -> dict[str, int]:
    heights = dict.fromkeys(schema.elements, NEVER)
    changed = True
    while changed:
        changed = False
        for name, element in schema.elements.items():
            height = min(NEVER, 1 + _content_height(element.content, heights))
            if height < heights[name]:
                heights[name] = height
                changed = True
    return heights


def _content_height(content: Content, heights: Mapping[str, int]) -> int:
    return 0 if content.nullable or content.particle is None else _least(content.particle, heights)


def _least(particle: Particle, heights: Mapping[str, int]) -> int:
    return 0 if particle.occurs in ("?", "*") else _height(particle, heights)


def _height(particle: Particle, heights: Mapping[str, int]) -> int:
    if isinstance(particle, Name):
        return heights.get(particle.name, NEVER)
    return (max if particle.connector == "," else min)([_least(part, heights) for part in particle.parts], default=0)


def _growing(schema: Schema, heights: Mapping[str, int]) -> frozenset[str]:
    """The elements whose subtree has no largest size: something in it may repeat."""
    growing = {name for name, element in schema.elements.items() if _repeats_itself(element.content, heights)}
    changed = True
    while changed:
        more = {name for name in schema.elements if not growing.isdisjoint(schema.children(name))} - growing
        changed = bool(more)
        growing |= more
    return frozenset(growing)


def _repeats_itself(content: Content, heights: Mapping[str, int]) -> bool:
    if content.kind == "ANY":
        return True
    if content.particle is None:
        return False
    return content.kind == "MIXED" or _has_repeat(content.particle, heights)


def _has_repeat(particle: Particle, heights: Mapping[str, int]) -> bool:
    if particle.occurs in ("*", "+") and _height(particle, heights) < NEVER:
        return True
    return isinstance(particle, Group) and any(_has_repeat(part, heights) for part in particle.parts)


def _least_size(part: Part, sizes: Mapping[str, int]) -> int:
    """Elements in the shallowest completion; those of smaller height are in `sizes` already."""
    if part.optional:
        return 0
    if part.kind == "name":
        return sizes[part.name]
    if part.kind == "choice":
        return _least_size(part.shallowest, sizes)
    return sum(_least_size(one, sizes) for one in part.parts)
