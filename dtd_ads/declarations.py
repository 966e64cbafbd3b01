"""What a DTD declares: elements with their content models and attributes, in DTD order.

Two readers see every DTD. lxml (`libxml2_reader`) goes first: it refuses what is malformed, bounds nesting and entity
expansion, and gives the attributes. expat (`expat_reader`) then gives the content models, because lxml's interface to
them drops namespace prefixes (`mml:math` becomes `math`). Both must agree on the declared names.
"""

from __future__ import annotations

import pyexpat
from dataclasses import dataclass
from typing import Final, Literal

from dtd_ads.content import Attribute, Content, Group, Name, Occurs, Particle
from dtd_ads.errors import DtdError
from dtd_ads.expat_reader import Model, read_models
from dtd_ads.libxml2_reader import read_attributes
from dtd_ads.modules import Modules

_kinds: Final[dict[int, Literal["EMPTY", "ANY", "MIXED"]]] = {
    pyexpat.model.XML_CTYPE_EMPTY: "EMPTY",
    pyexpat.model.XML_CTYPE_ANY: "ANY",
    pyexpat.model.XML_CTYPE_MIXED: "MIXED",
}
_occurs: Final[dict[int, Occurs]] = {
    pyexpat.model.XML_CQUANT_NONE: "",
    pyexpat.model.XML_CQUANT_OPT: "?",
    pyexpat.model.XML_CQUANT_REP: "*",
    pyexpat.model.XML_CQUANT_PLUS: "+",
}


@dataclass(frozen=True, slots=True)
class Declaration:
    """One element declaration with all attributes declared for it."""

    name: str
    content: Content
    attributes: tuple[Attribute, ...]


def read_declarations(modules: Modules) -> list[Declaration]:
    """Every element declared in a DTD and its modules; raises `DtdError`."""
    attributes = read_attributes(modules)
    models = read_models(modules.afresh())
    if set(models) != set(attributes):
        different = ", ".join(sorted(set(models) ^ set(attributes))[:5])
        raise DtdError(f"two readers disagree on what is declared: {different}", source=str(modules.main))
    if not models:
        raise DtdError("declares no element", source=str(modules.main))
    return [Declaration(name, _content(models[name]), found) for name, found in attributes.items()]


def _content(model: Model) -> Content:
    kind, _, _, parts = model
    if kind in _kinds:
        names = tuple(_particle(part) for part in parts)
        return Content(_kinds[kind], Group("|", names, "*") if names else None)
    return Content("CHILDREN", _particle(model))


def _particle(model: Model) -> Particle:
    kind, quantifier, name, parts = model
    if name is not None:
        return Name(name, _occurs[quantifier])
    connector: Literal[",", "|"] = "|" if kind == pyexpat.model.XML_CTYPE_CHOICE else ","
    return Group(connector, tuple(map(_particle, parts)), _occurs[quantifier])
