"""Tokens -> the expression as written, by recursive descent.

    expression = path ("or" path)*                 path      = ("/" | "//")? step (("/" | "//") step)*
    condition  = both ("or" both)*                 both      = test ("and" test)*
    test       = "(" condition ")" | path | path compares literal | literal compares path
    step       = ("following-sibling::")? (name | "*") ("[" condition "]")* | "@" (name | "*") | "text()" | "." | ".."

Paths in conditions are relative. Depth is counted on the way down and steps as they come, so the work is linear in
the text and the stack is bounded by `Limits.max_depth`.
"""

from __future__ import annotations

import math
from typing import Final, NoReturn, cast

from broker_sim.xpath.expression import CHILD, DESCENDANT, FOLLOWING_SIBLING, Axis, Operator
from broker_sim.xpath.limits import Limits
from broker_sim.xpath.syntax import (
    And,
    BelowStep,
    Condition,
    HavingStep,
    NameStep,
    Or,
    ParentStep,
    Test,
    WrittenStep,
)
from broker_sim.xpath.tokens import COMPARISONS, END, LITERAL, NAME_TOKEN, NUMBER, Token, syntax_error, tokens

_SLASHES: Final = ("/", "//")
_OR: Final = "operator or"
_AND: Final = "operator and"
_FLIPPED: Final[dict[str, Operator]] = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_STEP: Final = "expected a step (name, *, @name, text(), ., .. or following-sibling::name)"
_SELF: Final = "."
_SHOWN: Final = 40


def parse_expression(text: str, limits: Limits) -> tuple[Test, ...]:
    """The paths of which one must match, as written."""
    return _Parser(text, limits).expression()


class _Parser:
    def __init__(self, text: str, limits: Limits) -> None:
        self._text = text
        self._limits = limits
        self._tokens = list(tokens(text))
        self._next = 0
        self._steps = 0
        self._depth = 0

    def expression(self) -> tuple[Test, ...]:
        paths = [self._whole_path()]
        while self._take(_OR):
            paths.append(self._whole_path())
        if self._token.kind != END:
            self._refuse("expected '/', '//', '[', 'or' or the end")
        return tuple(paths)

    def _whole_path(self) -> Test:
        start = self._token
        self._steps = 0
        if start.kind in _SLASHES:
            self._next += 1
        elif self._take(_SELF) and not (self._take("/") or self._take("//")):
            self._refuse("expected '/' or '//' after '.'")
        axis: Axis = CHILD if start.kind == "/" else DESCENDANT
        steps: list[WrittenStep] = []
        subject = self._steps_from(axis, steps)
        if not steps and subject == _SELF:
            self._refuse("expected a step after '/': the document alone is no subscription", start)
        return Test(tuple(steps), subject, None, None, start.position)

    def _steps_from(self, axis: Axis, steps: list[WrittenStep]) -> str:
        """Read steps into `steps`; returns the subject at their end: `@name`, `text()` or `.`."""
        while True:
            subject = self._step(axis, steps)
            if subject is not None and self._leave_value(subject, steps):
                return subject
            slash = self._token
            if not (self._take("/") or self._take("//")):
                return _SELF
            axis = CHILD if slash.kind == "/" else DESCENDANT

    def _step(self, axis: Axis, steps: list[WrittenStep]) -> str | None:
        """Read one step; returns the subject if it leads to attributes or text."""
        token = self._counted()
        if token.kind in (_SELF, "..") and axis == DESCENDANT:
            self._refuse("expected a name, *, @name or text() after '//'")
        if self._take(_SELF):
            return None
        if self._take(".."):
            steps.append(ParentStep(token.position))
            return None
        subject = self._value_subject()
        if subject is None:
            steps.append(self._name_step(axis))
        elif axis == DESCENDANT:
            steps.append(BelowStep(token.position))
        return subject

    def _counted(self) -> Token:
        self._steps += 1
        if self._steps > self._limits.max_steps:
            self._refuse(f"expected at most {self._limits.max_steps} steps")
        return self._token

    def _value_subject(self) -> str | None:
        if self._take("@"):
            name = self._token
            if not (self._take(NAME_TOKEN) or self._take("*")):
                self._refuse("expected a name or * after '@'")
            return f"@{name.text}"
        if self._token.text == "text" and self._peek(1) == "(":
            self._next += 2
            if not self._take(")"):
                self._refuse("expected ')' after 'text('")
            return "text()"
        return None

    def _leave_value(self, subject: str, steps: list[WrittenStep]) -> bool:
        """After `@name` or `text()`: whether the path ends here; `/..` goes back to the element."""
        while self._token.kind in _SLASHES and self._peek(1) == _SELF and self._take("/"):
            self._counted()
            self._next += 1
        if self._token.kind == "[":
            self._refuse(f"a predicate cannot follow {subject}: expected a comparison, as in [{subject} = 5]")
        if self._token.kind not in _SLASHES:
            return True
        if not (self._token.kind == "/" and self._peek(1) == ".."):
            self._refuse(f"expected only '/..' after {subject}")
        self._next += 1
        steps.append(HavingStep(subject, self._counted().position))
        self._next += 1
        return False

    def _name_step(self, axis: Axis) -> NameStep:
        start = self._token
        if start.kind == NAME_TOKEN and self._peek(1) == "::":
            if start.text != "following-sibling":
                self._refuse("expected no axis but following-sibling::")
            if axis == DESCENDANT:
                self._refuse("expected a name, *, @name or text() after '//', not following-sibling::")
            axis = FOLLOWING_SIBLING
            self._next += 2
        name = self._token
        if self._peek(1) == "(" and name.kind == NAME_TOKEN:
            self._refuse("functions and node tests other than text() are outside the language: " + _STEP)
        if not (self._take(NAME_TOKEN) or self._take("*")):
            self._refuse(_STEP if axis != FOLLOWING_SIBLING else "expected a name or * after following-sibling::")
        conditions: list[Condition] = []
        while self._token.kind == "[":
            conditions.append(self._enclosed("]"))
        return NameStep(axis, name.text, tuple(conditions), start.position)

    def _enclosed(self, closing: str) -> Condition:
        """A condition between the bracket at hand and its closing one."""
        self._depth += 1
        if self._depth > self._limits.max_depth:
            self._refuse(f"expected at most {self._limits.max_depth} brackets inside one another")
        self._next += 1
        condition = self._condition()
        if not self._take(closing):
            self._refuse(f"expected 'and', 'or' or {closing!r}")
        self._depth -= 1
        return condition

    def _condition(self) -> Condition:
        parts = [self._both()]
        while self._take(_OR):
            parts.append(self._both())
        distinct = tuple(dict.fromkeys(parts))
        return distinct[0] if len(distinct) == 1 else Or(distinct)

    def _both(self) -> Condition:
        parts = [self._test()]
        while self._take(_AND):
            parts.append(self._test())
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def _test(self) -> Condition:
        start = self._token
        if start.kind == "(":
            return self._enclosed(")")
        literal = self._literal()
        if literal is not None:
            operator = self._comparison()
            if operator is None:
                self._refuse("a literal alone is no condition (positions are outside the language)", start)
            return self._path_test(start, _FLIPPED[operator], literal)
        return self._path_test(start, None, None)

    def _path_test(self, start: Token, operator: Operator | None, literal: str | float | None) -> Test:
        if self._token.kind in _SLASHES:
            self._refuse("expected a path from this element (.//name, not //name)")
        steps: list[WrittenStep] = []
        subject = self._steps_from(CHILD, steps)
        if operator is None:
            operator = self._comparison()
            literal = None if operator is None else self._literal()
            if operator is not None and literal is None:
                self._refuse("expected a string or a number")
        return Test(tuple(steps), subject, operator, literal, start.position)

    def _comparison(self) -> Operator | None:
        token = self._token
        if token.kind not in COMPARISONS:
            return None
        self._next += 1
        return cast(Operator, token.kind)

    def _literal(self) -> str | float | None:
        token = self._token
        if self._take(LITERAL):
            return token.text[1:-1]
        negative = token.kind == "-" and self._peek(1) == NUMBER and self._take("-")
        number = self._token
        if not self._take(NUMBER):
            return None
        value = float(number.text)
        if math.isinf(value):
            self._refuse("expected a number that a double can hold", number)
        return -value if negative else value

    @property
    def _token(self) -> Token:
        return self._tokens[self._next]

    def _peek(self, ahead: int) -> str:
        return self._tokens[min(self._next + ahead, len(self._tokens) - 1)].kind

    def _take(self, kind: str) -> bool:
        if self._tokens[self._next].kind != kind:
            return False
        self._next += 1
        return True

    def _refuse(self, message: str, token: Token | None = None) -> NoReturn:
        at = token or self._token
        shown = at.text if len(at.text) <= _SHOWN else f"{at.text[:_SHOWN]}..."
        found = "the end" if at.kind == END else repr(shown)
        raise syntax_error(self._text, at.position, f"{message}, found {found}")
