"""Comparing values as XPath 1.0 does, the way libxml2 (and so lxml) does it.

A number literal or an order operator compares numbers, anything else strings. libxml2 reads more numbers than XPath 1.0
allows, and we follow it, because lxml is the referee: an exponent may follow, its digits may even be missing (`5e` is
5), only twenty digits of a fraction count after its leading zeros, and digits are added up in doubles one after
the other, which may differ in the last bit from the nearest double. The table of odd strings was
found by experiment with libxml2 2.14 and is a test. What reads as no number is NaN, which equals nothing.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from broker_sim.xpath.expression import Operator, literal_text

_BLANK: Final = " \t\r\n"
_FRACTION_DIGITS: Final = 20
_EXACT_DIGITS: Final = 15
_LARGEST_EXPONENT: Final = 1_000_000

_number = re.compile(r"(-?)(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))(?:[eE]([+-]?)([0-9]*))?")
_compare: Final[dict[Operator, Callable[[float, float], bool]]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@lru_cache(maxsize=1 << 14)
def to_number(text: str) -> float:
    """The number that `text` writes, or NaN."""
    found = _number.fullmatch(text.strip(_BLANK))
    if found is None:
        return math.nan
    sign, whole, after_whole, after_point, exponent_sign, exponent = found.groups()
    value = _digits(whole or "") + _fraction(after_whole or after_point or "")
    if sign:
        value = -value
    return value * _power(_exponent(exponent_sign, exponent)) if exponent else value


def holds(test: Operator, value: str, literal: str | float) -> bool:
    """Whether one node with string value `value` passes the comparison."""
    wanted = compared_literal(test, literal)
    if isinstance(wanted, str):
        return (value == wanted) == (test == "=")
    return _compare[test](to_number(value), wanted)


def compared_literal(test: Operator, literal: str | float) -> str | float:
    """What a comparison with `literal` compares with: a string only if it asks whether strings are equal."""
    return literal if isinstance(literal, str) and test in ("=", "!=") else literal_number(literal)


@lru_cache(maxsize=1 << 12)
def literal_number(literal: str | float) -> float:
    """The number a comparison takes for `literal`: a number is read from its text too, to agree to the last bit."""
    return to_number(literal if isinstance(literal, str) else literal_text(literal))


def _digits(text: str) -> float:
    if len(text) <= _EXACT_DIGITS:
        return float(text or "0")
    value = 0.0
    for digit in text:
        value = value * 10 + float(digit)
    return value


def _fraction(text: str) -> float:
    counted = text.lstrip("0")[:_FRACTION_DIGITS]
    places = len(text) - len(text.lstrip("0")) + len(counted)
    return _digits(counted) / _power(places)


def _exponent(sign: str, digits: str) -> int:
    significant = digits.lstrip("0")[: len(str(_LARGEST_EXPONENT))]
    size = min(int(significant or "0"), _LARGEST_EXPONENT)
    return -size if sign == "-" else size


def _power(exponent: int) -> float:
    try:
        return 10.0**exponent
    except OverflowError:
        return math.inf
