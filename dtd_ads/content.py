"""Content models and attributes, as a DTD declares them.

A model is a small tree: `Name` leaves under `Group` nodes, each with how often it occurs. What routing needs
of a model is only which children it names and whether it can be satisfied without any child; the generator of
valid documents needs the whole of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Occurs = Literal["", "?", "*", "+"]


@dataclass(frozen=True, slots=True)
class Name:
    """One child element."""

    name: str
    occurs: Occurs = ""


@dataclass(frozen=True, slots=True)
class Group:
    """A sequence (`,`) or choice (`|`) of particles."""

    connector: Literal[",", "|"]
    parts: tuple[Particle, ...]
    occurs: Occurs = ""


Particle = Name | Group


@dataclass(frozen=True, slots=True)
class Content:
    """What may stand inside an element.

    `MIXED` is text and, if there is a particle, any number of its names in any order; `CHILDREN` follows its
    particle; `EMPTY` and `ANY` have none.
    """

    kind: Literal["EMPTY", "ANY", "MIXED", "CHILDREN"]
    particle: Particle | None = None

    @property
    def nullable(self) -> bool:
        """Whether the element may occur without any child element."""
        return self.kind != "CHILDREN" or self.particle is None or _nullable(self.particle)

    @property
    def names(self) -> tuple[str, ...]:
        """The child names the model mentions, each once, in order of first mention."""
        return tuple(dict.fromkeys(_names(self.particle))) if self.particle is not None else ()


@dataclass(frozen=True, slots=True)
class Attribute:
    """One declared attribute; `type` is the DTD's (`CDATA`, `ID`, `NMTOKEN`, `enumeration`, ...)."""

    name: str
    type: str
    default: Literal["required", "implied", "fixed", "none"]
    value: str | None = None
    choices: tuple[str, ...] = ()


def _nullable(particle: Particle) -> bool:
    if particle.occurs in ("?", "*"):
        return True
    if isinstance(particle, Name):
        return False
    return (all if particle.connector == "," else any)(_nullable(part) for part in particle.parts)


def _names(particle: Particle) -> Iterator[str]:
    if isinstance(particle, Name):
        yield particle.name
    else:
        for part in particle.parts:
            yield from _names(part)
