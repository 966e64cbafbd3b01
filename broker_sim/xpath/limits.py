"""How large an expression may be, so that no text exhausts the stack, the memory or anyone's patience."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

from broker_sim.errors import ConfigurationError

DEEPEST: Final = 100
"""The largest `max_depth`: the parser recurses, and this depth fits Python's stack with room to spare."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on one expression; what exceeds them is an `XPathError`.

    `max_length` counts characters, `max_steps` all steps of a path and its predicates (of each path, where `or` joins
    several, so that the text of a disjunction reads back), `max_depth` brackets and parentheses inside one another,
    `max_disjuncts` the paths that `or` and `..` may leave, also on the way.
    """

    max_length: int = 65_536
    max_steps: int = 1_000
    max_depth: int = 50
    max_disjuncts: int = 64

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value < 1:
                raise ConfigurationError(f"{field.name} is {value}, expected at least 1")
        if self.max_depth > DEEPEST:
            raise ConfigurationError(f"max_depth is {self.max_depth}, expected at most {DEEPEST}")
