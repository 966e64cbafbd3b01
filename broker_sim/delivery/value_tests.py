"""Simple predicates on elements, each value of a document read once.

Comparisons are those of subscriptions: numbers are read as libxml2 reads them (see `xpath.values`).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Literal

from broker_sim.engines.outline import Outline
from broker_sim.xpath import ValueTest
from broker_sim.xpath.values import literal_number, to_number

Kind = Literal["string", "number"]
"""As what a test compares values."""

COMPARE: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def kind_of(test: ValueTest) -> Kind:
    """A string literal under `=` or `!=` compares strings, all else numbers; existence looks at strings."""
    return "number" if test.operator not in ("=", "!=", None) or isinstance(test.literal, float) else "string"


def constant_of(test: ValueTest) -> str | float | None:
    """What values are compared with; None where only existence is asked."""
    if test.operator is None or test.literal is None:
        return None
    return literal_number(test.literal) if kind_of(test) == "number" else test.literal


class Values:
    """The values of one document by subject, as strings and as numbers."""

    def __init__(self, outline: Outline) -> None:
        self._outline: Final = outline
        self._known: dict[tuple[str, Kind], dict[int, Sequence[str | float]]] = {}

    def of(self, subject: str, kind: Kind) -> dict[int, Sequence[str | float]]:
        """The values that were read so far, by element; `read` fills it."""
        return self._known.setdefault((subject, kind), {})

    def read(self, subject: str, kind: Kind, element: int) -> Sequence[str | float]:
        """The values of one element, which are then known."""
        texts = self._outline.values(element, subject)
        found: Sequence[str | float] = [to_number(text) for text in texts] if kind == "number" else texts
        self.of(subject, kind)[element] = found
        return found


class ReadyTest:
    """A test with all that is known before a document comes."""

    __slots__ = ("_compare", "_wanted", "kind", "subject")

    def __init__(self, test: ValueTest) -> None:
        self.subject = test.subject
        self.kind = kind_of(test)
        self._compare = None if test.operator is None else COMPARE[test.operator]
        self._wanted = constant_of(test)

    def passing(self, values: Values, elements: Iterable[int]) -> set[int]:
        """Those of the elements that have a value which passes."""
        known, compare, wanted = values.of(self.subject, self.kind), self._compare, self._wanted
        found: set[int] = set()
        for element in elements:
            here = known.get(element)
            if here is None:
                here = values.read(self.subject, self.kind, element)
            for value in here:
                if compare is None or compare(value, wanted):
                    found.add(element)
                    break
        return found

    def holds(self, values: Values, element: int) -> bool:
        """Whether some value of the element passes."""
        return bool(self.passing(values, (element,)))
