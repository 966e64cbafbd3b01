"""Which patterns a document's values leave possible, found from the values instead of from the patterns.

A pattern with a value test can match only where the test holds at some element of the step's name. One test of each
pattern is indexed, an equality if it has one, else a test of existence: under the step's name, the subject and the
value asked for. A document then looks up each value that it has, and only if any pattern asks for that subject
there; what it costs does not grow with the number of patterns. Patterns without such a test are always possible.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from pyroaring import BitMap

from broker_sim.engines.outline import Outline
from broker_sim.engines.predicates import literal_number, number_of
from broker_sim.xpath import WILDCARD, Branch, Path, Step, ValueTest

Wanted = str | float | None
"""The text or number that a value must equal; None if it only must be there."""


class ValueIndex:
    """Patterns by the value test that they are indexed under."""

    def __init__(self) -> None:
        self._indexed = BitMap()
        self._by_name: dict[str, dict[str, dict[Wanted, BitMap]]] = {}

    def add(self, number: int, path: Path) -> None:
        """Index a pattern, if it has a test that can be."""
        place = _indexed_test(path)
        if place is not None:
            name, subject, wanted = place
            values = self._by_name.setdefault(name, {}).setdefault(subject, {})
            values.setdefault(wanted, BitMap()).add(number)
            self._indexed.add(number)

    def remove(self, number: int, path: Path) -> None:
        """Forget a pattern."""
        place = _indexed_test(path)
        if place is None:
            return
        name, subject, wanted = place
        self._indexed.discard(number)
        subjects = self._by_name[name]
        subjects[subject][wanted].discard(number)
        if not subjects[subject][wanted]:
            del subjects[subject][wanted]
            if not subjects[subject]:
                del subjects[subject]
            if not subjects:
                del self._by_name[name]

    def possible(self, candidates: BitMap, outline: Outline) -> BitMap:
        """The candidates whose indexed test holds somewhere, and those that have none."""
        asked = candidates & self._indexed
        if not asked:
            return candidates
        return (candidates - asked) | (asked & BitMap.union(BitMap(), *self._satisfied(outline)))

    def _satisfied(self, outline: Outline) -> Iterator[BitMap]:
        """For each value of the document, the patterns that ask for it."""
        anywhere = self._by_name.get(WILDCARD)
        for element, name in enumerate(outline.names):
            for subjects in (self._by_name.get(name), anywhere):
                if subjects is not None:
                    for subject, value in _values(outline, element, subjects):
                        wanted = subjects[subject]
                        yield from (wanted[key] for key in (value, number_of(value), None) if key in wanted)


def _values(outline: Outline, element: int, subjects: Container[str]) -> Iterator[tuple[str, str]]:
    """The values at an element that belong to one of the subjects."""
    for subject, value in outline.attributes[element].items():
        if subject in subjects:
            yield subject, value
    for subject in ("@*", "text()", "."):
        if subject in subjects:
            for value in outline.values(element, subject):
                yield subject, value


def _indexed_test(path: Path) -> tuple[str, str, Wanted] | None:
    found = [(step.name, test) for step, test in _tests(path.steps) if test.operator in ("=", None)]
    if not found:
        return None
    name, test = min(found, key=lambda each: (each[1].operator is None, each[0] == WILDCARD))
    literal = test.literal if test.operator is not None else None
    return name, test.subject, literal_number(literal) if isinstance(literal, float) else literal


def _tests(steps: tuple[Step, ...]) -> Iterator[tuple[Step, ValueTest]]:
    for step in steps:
        for predicate in step.predicates:
            if isinstance(predicate, Branch):
                yield from _tests(predicate.steps)
            else:
                yield step, predicate
