"""Reading the paths of a query: binding path, conditions and return paths.

The grammar is in `parser`. Paths of the language have names and `*` along `/` and `//`; simple predicates may stand at
any step of the binding path and at the last step of a predicate path.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from broker_sim.delivery.query import Condition
from broker_sim.delivery.scanner import Scanner
from broker_sim.xpath import CHILD, DESCENDANT, WILDCARD, Axis, Operator, Step, ValueTest
from broker_sim.xpath.linear import linear_step

MAX_STEPS: Final = 1_000

_OPERATORS: Final[tuple[Operator, ...]] = ("!=", "<=", ">=", "=", "<", ">")
_no_predicates: Final = "a predicate can stand here only in the binding path or at the end of a predicate path"


class PathReader:
    """Reads paths at the place of a scanner; `variable` is that of the for clause, once it is known."""

    def __init__(self, scanner: Scanner) -> None:
        self._scanner = scanner
        self._steps = 0
        self.variable = ""

    def binding(self) -> tuple[Step, ...]:
        """The path of the for clause."""
        steps = []
        while (axis := self._axis()) is not None:
            name = self._step_name()
            tests = self._tests()
            steps.append(Step(axis, name, tests) if tests else linear_step(axis, name))
        if not steps:
            self._scanner.refuse("expected '/' or '//' and the binding path")
        return tuple(steps)

    def condition(self) -> Condition:
        """One part of the where clause."""
        scanner = self._scanner
        self._known_variable()
        start = bracket = scanner.place
        steps: list[Step] = []
        tests: tuple[ValueTest, ...] = ()
        subject = None
        while subject is None and (axis := self._axis()) is not None:
            subject = self._subject() if axis == CHILD else None
            if subject is None and tests:
                scanner.refuse(_no_predicates, bracket)
            if subject is None:
                steps.append(linear_step(axis, self._step_name()))
                scanner.skip_space()
                bracket = scanner.place
                tests = self._tests()
        if subject is None and not steps:
            tests = self._tests()
        operator = self._operator()
        if operator is not None:
            tests += (ValueTest(subject or ".", operator, scanner.literal()),)
        elif subject is not None:
            tests += (ValueTest(subject),)
        if not steps and not tests:
            scanner.refuse("expected a path or a comparison: the bound element always exists", start)
        return Condition(tuple(steps), ordered(tests))

    def value(self) -> tuple[Step, ...]:
        """A return path."""
        self._known_variable()
        steps = []
        while (axis := self._axis()) is not None:
            steps.append(linear_step(axis, self._step_name()))
            if self._scanner.sees("["):
                self._scanner.refuse(_no_predicates)
        return tuple(steps)

    def _known_variable(self) -> None:
        scanner = self._scanner
        scanner.expect("$", f": a path from ${self.variable}")
        start = scanner.place
        if scanner.name("the name of the variable") != self.variable:
            scanner.refuse(f"expected ${self.variable}, the variable of the for clause", start)

    def _axis(self) -> Axis | None:
        if self._scanner.take("//"):
            return DESCENDANT
        return CHILD if self._scanner.take("/") else None

    def _step_name(self) -> str:
        scanner = self._scanner
        scanner.skip_space()
        self._steps += 1
        if self._steps > MAX_STEPS:
            scanner.refuse(f"expected at most {MAX_STEPS:,} steps")
        if scanner.take(WILDCARD):
            return WILDCARD
        start = scanner.place
        name = scanner.name("a step (a name or *)")
        if scanner.sees("(") or scanner.sees("::"):
            scanner.refuse("functions and axes are outside the language: expected a name or *", start)
        return name

    def _tests(self) -> tuple[ValueTest, ...]:
        tests: list[ValueTest] = []
        while self._scanner.take("["):
            tests.append(self._test())
            while self._scanner.take_word("and"):
                tests.append(self._test())
            self._scanner.expect("]", " or 'and' after a simple predicate")
        return ordered(tests)

    def _test(self) -> ValueTest:
        subject = self._subject() or ("." if self._scanner.take(".") else None)
        if subject is None:
            self._scanner.refuse("expected @name, text() or '.' (nested paths belong in the where clause)")
        operator = self._operator()
        if operator is None:
            return ValueTest(subject)
        return ValueTest(subject, operator, self._scanner.literal())

    def _subject(self) -> str | None:
        scanner = self._scanner
        if scanner.take("@"):
            return "@*" if scanner.take(WILDCARD) else "@" + scanner.name("the name of an attribute, or *")
        start = scanner.place
        if scanner.take_word("text") and scanner.take("("):
            scanner.expect(")")
            return "text()"
        scanner.place = start
        return None

    def _operator(self) -> Operator | None:
        return next((operator for operator in _OPERATORS if self._scanner.take(operator)), None)


def ordered(tests: Iterable[ValueTest]) -> tuple[ValueTest, ...]:
    """The tests in canonical order, without duplicates; `[.]` asks nothing."""
    asking = {test for test in tests if test.subject != "." or test.operator is not None}
    return tuple(sorted(asking, key=str))
