"""The expression as it was written, before `or` and `..` are worked out."""

from __future__ import annotations

from dataclasses import dataclass, field

from broker_sim.xpath.expression import Axis, Operator

_place = field(compare=False)


@dataclass(frozen=True, slots=True)
class NameStep:
    """To the elements of a name along an axis, where every condition holds."""

    axis: Axis
    name: str
    conditions: tuple[Condition, ...]
    position: int = _place


@dataclass(frozen=True, slots=True)
class ParentStep:
    """`..`"""

    position: int = _place


@dataclass(frozen=True, slots=True)
class BelowStep:
    """To the element itself and all below it: what `//` means before `@name` or `text()`."""

    position: int = _place


@dataclass(frozen=True, slots=True)
class HavingStep:
    """`@name/..` or `text()/..`: stay, if the element has one."""

    subject: str
    position: int = _place


WrittenStep = NameStep | ParentStep | BelowStep | HavingStep


@dataclass(frozen=True, slots=True)
class Test:
    """A path, and what is asked of the element it ends at: as in `ValueTest`, where `.` alone asks nothing."""

    steps: tuple[WrittenStep, ...]
    subject: str
    operator: Operator | None
    literal: str | float | None
    position: int = _place


@dataclass(frozen=True, slots=True)
class And:
    """Every part holds."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Some part holds; no two parts are equal."""

    parts: tuple[Condition, ...]


Condition = Test | And | Or
