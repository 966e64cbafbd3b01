"""Attributes of generated elements: valid for every type that a DTD can declare.

A required attribute is always written, any other with a given probability. An `ID` is the next of i1, i2, ..; an
`IDREF` names one that was written before, so a document can be written in one pass and bounded memory. Where a DTD
requires an `IDREF`, no element goes without its `ID`, and a reference that comes before any names the next one.
`ENTITY` attributes are left out: they name unparsed entities, which generated documents do not have.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Final
from xml.sax.saxutils import quoteattr

from broker_sim.errors import ConfigurationError
from broker_sim.workload.values import ENTITY_TYPES, is_namespace, plain_value
from dtd_ads.content import Attribute
from dtd_ads.schema import Schema


class AttributeWriter:
    """Writes the attributes of one document after the other; `dangling` while a reference waits for its `ID`."""

    def __init__(self, schema: Schema, random: Random, *, probability: float, max_value: int) -> None:
        self._random: Final = random.random
        self._probability: Final = probability
        self._max_value: Final = max_value
        everywhere = _declared_prefixes(schema.elements[schema.root].attributes) | {"xml"}
        self._attributes: Final = {
            name: _writable(element.attributes, everywhere) for name, element in schema.elements.items()
        }
        self._needs_ids: Final = any(
            attribute.default == "required" and attribute.type in ("IDREF", "IDREFS")
            for name in schema.reachable
            for attribute in schema.elements[name].attributes
        )
        self._ids = 0
        self.dangling = False

    def start(self) -> None:
        """Begin a document."""
        self._ids = 0
        self.dangling = False

    def write(self, element: str) -> str:
        """The attributes of one element, each after a space."""
        attributes = self._attributes[element]
        return "".join(self._written(attributes)) if attributes else ""

    def _written(self, attributes: Iterable[Attribute]) -> Iterable[str]:
        for attribute in attributes:
            if self._is_written(attribute):
                value = self._value(attribute)
                if value is not None:
                    yield f" {attribute.name}={quoteattr(value)}"

    def _is_written(self, attribute: Attribute) -> bool:
        if attribute.type in ENTITY_TYPES:
            if attribute.default == "required":
                raise ConfigurationError(
                    f"the DTD requires the attribute {attribute.name} of type {attribute.type}: "
                    "documents with unparsed entities cannot be generated"
                )
            return False
        if attribute.default == "required" or (attribute.type == "ID" and self._needs_ids):
            return True
        if is_namespace(attribute):
            return attribute.value is not None
        if attribute.type in ("IDREF", "IDREFS") and not self._ids:
            return False
        return self._random() < self._probability

    def _value(self, attribute: Attribute) -> str | None:
        if attribute.type == "ID":
            self._ids += 1
            self.dangling = False
            return f"i{self._ids}"
        if attribute.type in ("IDREF", "IDREFS"):
            self.dangling = self.dangling or not self._ids
            return f"i{1 + int(self._random() * self._ids)}"
        value = plain_value(attribute, self._random, self._max_value)
        # A parser turns line ends and tabs in values into spaces, which would no longer be the fixed value.
        return None if value is not None and any(blank in value for blank in "\n\r\t") else value


def _writable(attributes: tuple[Attribute, ...], everywhere: frozenset[str]) -> tuple[Attribute, ...]:
    """`ID`s first, so that others may name them; without optional attributes whose prefix no one declares."""
    declared = everywhere | _declared_prefixes(attributes)
    kept = (one for one in attributes if one.default == "required" or _prefix(one) in declared or is_namespace(one))
    return tuple(sorted(kept, key=lambda attribute: attribute.type != "ID"))


def _declared_prefixes(attributes: tuple[Attribute, ...]) -> frozenset[str]:
    declared = (one for one in attributes if is_namespace(one) and one.value is not None)
    return frozenset({"", *(one.name.removeprefix("xmlns:") for one in declared)})


def _prefix(attribute: Attribute) -> str:
    return attribute.name.partition(":")[0] if ":" in attribute.name else ""
