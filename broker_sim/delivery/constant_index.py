"""The index over constants: selections that differ in their constants alone, answered together.

Section 5.2 of "Query Processing for High-Volume XML Message Brokering" (VLDB 2003): selections of one signature become
one shared selection with an output for each constant. A signature with several tests has a level for each. Under `=`
the constants are a hash table, under an order operator a sorted list of which a prefix or suffix passes, under `!=` all
but one pass. So an element costs what it finds, and no more for constants that it does not meet.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar

from broker_sim.xpath import Operator

Output = TypeVar("Output")
Constant = str | float | None
Values = Sequence[str | float]


class ConstantIndex(Generic[Output]):
    """Outputs by the constants of their tests, one for each operator (None asks for existence).

    A constant None under an order operator is no number and passes for no value. Where the signature is one `=`, the
    common case, `equal` has the outputs by their constant, to be looked up directly.
    """

    def __init__(self, operators: tuple[Operator | None, ...]) -> None:
        self._operators = operators
        self._outputs: dict[tuple[Constant, ...], Output] = {}
        self._root: _Level = _Level(operators[0]) if operators else _Level(None)
        self.equal: dict[Constant, Output] | None = {} if operators == ("=",) else None

    def __len__(self) -> int:
        return len(self._outputs)

    def get(self, constants: tuple[Constant, ...]) -> Output | None:
        """The output for exactly these constants."""
        return self._outputs.get(constants)

    def add(self, constants: tuple[Constant, ...], output: Output) -> None:
        """Enter a new output."""
        self._outputs[constants] = output
        if self.equal is not None:
            self.equal[constants[0]] = output
        level = self._root
        for depth, key in enumerate(constants, 1):
            level = level.grow(key, self._operators[depth] if depth < len(constants) else None)

    def remove(self, constants: tuple[Constant, ...]) -> None:
        """Forget an output."""
        del self._outputs[constants]
        if self.equal is not None:
            del self.equal[constants[0]]
        way = [self._root]
        for key in constants:
            way.append(way[-1].after[key])
        for level, key in zip(reversed(way[:-1]), reversed(constants), strict=True):
            if level.after[key].after:
                return
            level.prune(key)

    def passed(self, values: Sequence[Values]) -> Iterator[Output]:
        """The outputs all of whose tests pass, given the values for each test."""
        for keys in _passed(self._root, values, ()) if self._outputs else ():
            yield self._outputs[keys]


class _Level:
    """One test: what comes after each constant."""

    __slots__ = ("_operator", "_sorted", "after")

    def __init__(self, operator: Operator | None) -> None:
        self._operator = operator
        self._sorted: list[float] = []
        self.after: dict[Constant, _Level] = {}

    def grow(self, key: Constant, operator: Operator | None) -> _Level:
        level = self.after.get(key)
        if level is None:
            level = self.after[key] = _Level(operator)
            if isinstance(key, float) and self._operator not in ("=", "!=", None):
                insort(self._sorted, key)
        return level

    def prune(self, key: Constant) -> None:
        del self.after[key]
        if isinstance(key, float) and self._sorted:
            del self._sorted[bisect_left(self._sorted, key)]

    def passing(self, values: Values) -> Iterator[Constant]:
        """The constants for which some value passes, each once."""
        if self._operator == "=":
            yield from (value for value in dict.fromkeys(values) if value in self.after)
        elif self._operator is None:
            yield from self.after if values else ()
        elif self._operator == "!=":
            yield from (key for key in self.after if any(value != key for value in values))
        else:
            yield from self._in_order(values)

    def _in_order(self, values: Values) -> Iterator[float]:
        numbers = [value for value in values if isinstance(value, float) and value == value]
        if not numbers:
            return
        keys = self._sorted
        if self._operator == "<":
            yield from keys[bisect_right(keys, min(numbers)) :]
        elif self._operator == "<=":
            yield from keys[bisect_left(keys, min(numbers)) :]
        elif self._operator == ">":
            yield from keys[: bisect_left(keys, max(numbers))]
        else:
            yield from keys[: bisect_right(keys, max(numbers))]


def _passed(level: _Level, values: Sequence[Values], keys: tuple[Constant, ...]) -> Iterator[tuple[Constant, ...]]:
    if len(keys) == len(values):
        yield keys
        return
    for key in level.passing(values[len(keys)]):
        yield from _passed(level.after[key], values, (*keys, key))
