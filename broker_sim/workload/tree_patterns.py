"""Predicates for generated paths: value tests and nested paths.

A nested path is a walk by the same rule, from the element where it is put, down to the same level bound. A value test
compares an attribute of the element, or its text, with a value that generated documents may hold there. A step has at
most one test of each subject, and an element that offers nothing to test gets none. The trunk and every nested path
alone can be satisfied; all together need not be, since a content model may offer its children only as a choice.
"""

from __future__ import annotations

from random import Random
from typing import Final

from broker_sim.workload.query_walk import QueryWalker, Walk, Written
from broker_sim.workload.values import is_namespace, number, plain_value
from broker_sim.xpath import CHILD, DESCENDANT, Branch, Predicate, Step, ValueTest
from broker_sim.xpath.linear import linear_step
from dtd_ads.content import Attribute
from dtd_ads.schema import Schema


def linear_steps(written: Written) -> tuple[Step, ...]:
    """The steps of a walk as expression values."""
    return tuple([_step(text) for text in written])


class Decorator:
    """Puts `predicates` value tests on a walk, and a nested path on each step with probability `branching`."""

    def __init__(
        self, schema: Schema, walker: QueryWalker, random: Random, *, predicates: int, branching: float, max_value: int
    ) -> None:
        self._schema: Final = schema
        self._walker: Final = walker
        self._random: Final = random.random
        self._predicates: Final = predicates
        self._branching: Final = branching
        self._max_value: Final = max_value

    def decorate(self, walk: Walk) -> tuple[Step, ...]:
        """The steps of a walk with their predicates, in canonical order."""
        chosen: list[set[Predicate]] = [set() for _ in walk.written]
        for index, (element, level) in enumerate(walk.places):
            if self._branching and self._random() < self._branching:
                nested = self._walker.below(element, level)
                if nested is not None:
                    chosen[index].add(Branch(linear_steps(nested.written)))
        for _ in range(self._predicates):
            index = int(self._random() * len(chosen))
            test = self._value_test(walk.places[index][0])
            if test is not None and not any(_same_subject(test, other) for other in chosen[index]):
                chosen[index].add(test)
        return tuple(
            Step(step.axis, step.name, tuple(sorted(predicates, key=str))) if predicates else step
            for step, predicates in zip(linear_steps(walk.written), chosen, strict=True)
        )

    def _value_test(self, name: str) -> ValueTest | None:
        element = self._schema.elements[name]
        text = element.content.kind in ("MIXED", "ANY")
        attributes = [attribute for attribute in element.attributes if not is_namespace(attribute)]
        index = int(self._random() * (len(attributes) + text))
        if index < len(attributes):
            return self._attribute_test(attributes[index])
        if text:
            return ValueTest("text()", "=", float(number(self._random, self._max_value)))
        return None

    def _attribute_test(self, attribute: Attribute) -> ValueTest:
        value = plain_value(attribute, self._random, self._max_value)
        subject = f"@{attribute.name}"
        if value is None or ('"' in value and "'" in value):
            return ValueTest(subject)
        return ValueTest(subject, "=", float(value) if _is_number(attribute) else value)


def _same_subject(test: ValueTest, other: Predicate) -> bool:
    return isinstance(other, ValueTest) and other.subject == test.subject


def _is_number(attribute: Attribute) -> bool:
    return attribute.default != "fixed" and not attribute.choices


def _step(text: str) -> Step:
    return linear_step(DESCENDANT, text[2:]) if text.startswith("//") else linear_step(CHILD, text[1:])
