"""Does passing one value test mean passing another?

A comparison holds for an element if some node of the subject passes it (an attribute and `.` are one node, `text()` and
`@*` may be many). So it is enough to ask about one string: does every string that passes the first test pass
the second? Then the node that passes the one passes the other, however many there are. That question is decided
exactly; what several tests imply only together is not seen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from broker_sim.xpath import Operator, ValueTest
from broker_sim.xpath.values import holds, literal_number


def implies(known: ValueTest, asked: ValueTest) -> bool:
    """Whether an element that passes `known` surely passes `asked`."""
    if known.subject != asked.subject and not (asked.subject == "@*" and known.subject.startswith("@")):
        return False
    if asked.operator is None or asked.literal is None:
        return True
    if known.operator is None or known.literal is None:
        return False
    return _comparison_implies(known.operator, known.literal, asked.operator, asked.literal)


def _comparison_implies(known: Operator, known_to: str | float, asked: Operator, asked_to: str | float) -> bool:
    if _compares_strings(known, known_to) and known == "=":
        return holds(asked, str(known_to), asked_to)
    if _compares_strings(asked, asked_to) and asked == "!=":
        return not holds(known, str(asked_to), known_to)
    if _compares_strings(known, known_to):
        return False
    if known == "!=":
        return _inequality_implies(literal_number(known_to), asked, asked_to)
    interval = _interval(known, literal_number(known_to))
    if interval.is_empty:
        return True
    return not _compares_strings(asked, asked_to) and interval.passes(asked, literal_number(asked_to))


def _compares_strings(operator: Operator, literal: str | float) -> bool:
    return isinstance(literal, str) and operator in ("=", "!=")


def _inequality_implies(number: float, asked: Operator, asked_to: str | float) -> bool:
    """What `!= number` implies: strings that are no number pass it, so only the same inequality."""
    return asked == "!=" and not isinstance(asked_to, str) and literal_number(asked_to) == number


@dataclass(frozen=True, slots=True)
class _Interval:
    """The numbers, infinities included, that pass a comparison other than `!=`."""

    low: float
    high: float
    low_open: bool = False
    high_open: bool = False

    @property
    def is_empty(self) -> bool:
        if math.isnan(self.low) or math.isnan(self.high) or self.low > self.high:
            return True
        return self.low == self.high and (self.low_open or self.high_open)

    def passes(self, operator: Operator, number: float) -> bool:
        """Whether all of the interval, which is not empty, passes the comparison with `number`."""
        match operator:
            case "=":
                return self.low == self.high == number
            case "!=":
                return math.isnan(number) or self.passes("<", number) or self.passes(">", number)
            case "<":
                return self.high < number or (self.high == number and self.high_open)
            case "<=":
                return self.high <= number
            case ">":
                return self.low > number or (self.low == number and self.low_open)
            case ">=":
                return self.low >= number


def _interval(operator: Operator, number: float) -> _Interval:
    match operator:
        case "<" | "<=":
            return _Interval(-math.inf, number, high_open=operator == "<")
        case ">" | ">=":
            return _Interval(number, math.inf, low_open=operator == ">")
        case _:
            return _Interval(number, number)
