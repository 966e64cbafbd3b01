"""The values that generated documents hold and generated predicates ask for.

After the message broker paper's generators: text and attributes are numbers from a range of `max_value` values, here
1 .. max_value, so that this one parameter sets the selectivity of predicates. Where a DTD restricts an
attribute the value obeys it.
"""

from __future__ import annotations

from collections.abc import Callable

from dtd_ads.content import Attribute

UNIQUE_TYPES = frozenset({"ID", "IDREF", "IDREFS"})
ENTITY_TYPES = frozenset({"ENTITY", "ENTITIES"})


def number(random: Callable[[], float], max_value: int) -> int:
    """One of 1 .. max_value."""
    return 1 + int(random() * max_value)


def plain_value(attribute: Attribute, random: Callable[[], float], max_value: int) -> str | None:
    """A value for an attribute whose value is not tied to others in its document; None for `ID`s and entities."""
    if attribute.default == "fixed" or is_namespace(attribute):
        return attribute.value
    if attribute.choices:
        return attribute.choices[int(random() * len(attribute.choices))]
    if attribute.type in UNIQUE_TYPES or attribute.type in ENTITY_TYPES:
        return None
    return str(number(random, max_value))


def is_namespace(attribute: Attribute) -> bool:
    """Whether XPath and parsers take this attribute for a namespace declaration instead."""
    return attribute.name == "xmlns" or attribute.name.startswith("xmlns:")
