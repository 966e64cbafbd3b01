"""All the value tests on one subject, such as `@id` of one element name: which of them does a value pass?

Tests are kept by operator and literal. The equalities that a value passes take one lookup. The others that it passes
are a union over many literals: for an order a slice of the sorted literals, found by bisection, for `!=` all but the
equal ones. Unions are remembered until a test comes or goes, at most `MAX_UNIONS` of them.

What is compared follows XPath, by `broker_sim.xpath.values`: strings where `=` or `!=` has a string literal, numbers
elsewhere. What reads as no number is NaN, which differs from every number and has no order.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from typing import Final

from pyroaring import BitMap

from broker_sim.xpath import Operator, ValueTest
from broker_sim.xpath.values import compared_literal, to_number

MAX_UNIONS: Final = 256

Key = str | float | None
"""What a test compares with; None for existence."""


class Comparisons:
    """Numbered tests on one subject."""

    __slots__ = ("_sorted", "_tests", "_unions")

    def __init__(self) -> None:
        self._tests: Final[dict[Operator | None, dict[Key, BitMap]]] = {}
        self._sorted: Final[dict[Operator, list[float]]] = {}
        self._unions: Final[dict[tuple[Operator, object], BitMap]] = {}

    def __bool__(self) -> bool:
        return bool(self._tests)

    @property
    def remembered(self) -> int:
        """How many unions are remembered."""
        return len(self._unions)

    def add(self, number: int, test: ValueTest) -> None:
        """Take up a test."""
        self._forget_unions()
        tests = self._tests.setdefault(test.operator, {})
        tests.setdefault(_key(test), BitMap()).add(number)

    def remove(self, number: int, test: ValueTest) -> None:
        """Forget it."""
        self._forget_unions()
        tests, key = self._tests[test.operator], _key(test)
        tests[key].discard(number)
        if not tests[key]:
            del tests[key]
            if not tests:
                del self._tests[test.operator]

    def passed(self, value: str) -> Iterator[BitMap]:
        """The tests that a value passes."""
        for operator, tests in self._tests.items():
            if operator is None:
                yield tests[None]
            elif operator == "=":
                yield from [tests[key] for key in (value, to_number(value)) if key in tests]
            elif operator == "!=":
                equal = [key for key in (value, to_number(value)) if key in tests]
                yield self._union(operator, tuple(equal), (key for key in tests if key not in equal))
            else:
                literals = self._literals(operator)
                first, last = _passed(literals, operator, to_number(value))
                yield self._union(operator, (first, last), literals[first:last])

    def _union(self, operator: Operator, name: object, keys: Iterable[Key]) -> BitMap:
        """The tests with any of these keys, remembered by name."""
        found = self._unions.get((operator, name))
        if found is None:
            if len(self._unions) >= MAX_UNIONS:
                self._unions.clear()
            found = BitMap.union(BitMap(), *[self._tests[operator][key] for key in keys])
            self._unions[operator, name] = found
        return found

    def _literals(self, operator: Operator) -> list[float]:
        """The numbers with which an order compares, sorted; no value passes a comparison with NaN."""
        found = self._sorted.get(operator)
        if found is None:
            numbers = [key for key in self._tests[operator] if isinstance(key, float) and key == key]
            found = self._sorted[operator] = sorted(numbers)
        return found

    def _forget_unions(self) -> None:
        self._sorted.clear()
        self._unions.clear()


def _key(test: ValueTest) -> Key:
    return None if test.operator is None or test.literal is None else compared_literal(test.operator, test.literal)


def _passed(literals: list[float], operator: Operator, number: float) -> tuple[int, int]:
    """Where the sorted literals begin and end with which a number compares so."""
    if number != number:
        return 0, 0
    if operator in ("<", "<="):
        return (bisect_right if operator == "<" else bisect_left)(literals, number), len(literals)
    return 0, (bisect_left if operator == ">" else bisect_right)(literals, number)
