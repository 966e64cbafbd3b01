"""The value types of the subscription language.

A subscription asks one question of a document: does it match? So an expression is kept in a form where only that
matters. A `Path` is one conjunctive tree pattern: a trunk of steps from the document's root, each with predicates
that must all hold. A predicate is either a `Branch` (a relative path that must exist below the step) or a
`ValueTest` (an attribute, the text nodes or the string value of the step's own element). Spellings that ask the same
question become one value where that is cheap to see: a trailing `/@x` is `[@x]`, `[b/@x = 5]` is `[b[@x = 5]]`,
`[b[c]]` is `[b/c]`, predicates are sorted and duplicates dropped. `or` and the choices that `..` leaves behind
become a `Disjunction` of paths.

Axes are plain strings, so that hashing and comparing steps stays cheap; `str()` of every value is XPath that
parses back to an equal value. A relative expression `a/b` means anywhere, and is the same value as `//a/b`.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal

Axis = Literal["/", "//", "/following-sibling::"]
CHILD: Final = "/"
DESCENDANT: Final = "//"
FOLLOWING_SIBLING: Final = "/following-sibling::"

WILDCARD: Final = "*"

Operator = Literal["=", "!=", "<", "<=", ">", ">="]


@dataclass(frozen=True, slots=True)
class Step:
    """An axis, a name (or `*`) and the predicates that must all hold."""

    axis: Axis
    name: str
    predicates: tuple[Predicate, ...] = ()

    def __str__(self) -> str:
        return f"{self.axis}{self.name}{''.join(map(_bracketed, self.predicates))}"


@dataclass(frozen=True, slots=True)
class Branch:
    """A relative path that must exist below the element it stands at."""

    steps: tuple[Step, ...]

    def __str__(self) -> str:
        text = "".join(map(str, self.steps))
        first = self.steps[0].axis
        return f".{text}" if first == DESCENDANT else text.removeprefix("/")


@dataclass(frozen=True, slots=True)
class ValueTest:
    """A test on the element itself.

    `subject` is `@name`, `text()` or `.` (the string value). Without an operator it asks for existence. With one it
    compares as XPath 1.0 does: a number literal, or an order operator, compares numbers; otherwise strings.
    """

    subject: str
    operator: Operator | None = None
    literal: str | float | None = None

    def __str__(self) -> str:
        if self.operator is None or self.literal is None:
            return self.subject
        return f"{self.subject} {self.operator} {literal_text(self.literal)}"


Predicate = Branch | ValueTest


@dataclass(frozen=True, slots=True)
class Path:
    """One conjunctive pattern, rooted at the document."""

    steps: tuple[Step, ...]

    @property
    def disjuncts(self) -> tuple[Path, ...]:
        """The paths of which at least one must match: this one."""
        return (self,)

    @property
    def is_linear(self) -> bool:
        """Whether the path is only `/`, `//`, names and `*`: what is routed exactly."""
        return not any(step.predicates or step.axis == FOLLOWING_SIBLING for step in self.steps)

    def __str__(self) -> str:
        return "".join(map(str, self.steps))


@dataclass(frozen=True, slots=True)
class Disjunction:
    """Two or more paths of which one must match, in canonical order."""

    disjuncts: tuple[Path, ...]

    @property
    def is_linear(self) -> bool:
        """Whether every path is linear."""
        return all(path.is_linear for path in self.disjuncts)

    def __str__(self) -> str:
        return " or ".join(map(str, self.disjuncts))


Expression = Path | Disjunction


def disjunction(paths: set[Path]) -> Expression:
    """The canonical expression that matches where any of `paths` (at least one) does."""
    ordered = tuple(sorted(paths, key=str))
    return ordered[0] if len(ordered) == 1 else Disjunction(ordered)


def literal_text(literal: str | float) -> str:
    """A literal as XPath writes it: quoted, or a decimal without exponent."""
    if isinstance(literal, str):
        return f'"{literal}"' if '"' not in literal else f"'{literal}'"
    return format(Decimal(repr(literal)).normalize() + 0, "f")


def _bracketed(predicate: Predicate) -> str:
    return f"[{predicate}]"
