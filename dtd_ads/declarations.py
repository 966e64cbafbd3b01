"""What a DTD declares: elements with their content models and attributes, in DTD order.

Two readers see every DTD. lxml (libxml2) goes first: it refuses what is malformed, bounds nesting and entity
expansion, and gives the attributes. expat then gives the content models, because lxml's interface to them drops
namespace prefixes (`mml:math` becomes `math`). Both must agree on the declared names. Neither touches the network
or any file that `Modules` does not hand out; general entities are never expanded. A parameter entity that is used
but not declared is an error here, although XML lets a reader skip it: what it stood for would be missing from every
path.
"""

from __future__ import annotations

import pyexpat
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal, cast
from urllib.parse import unquote, urljoin, urlsplit

from lxml import etree

from dtd_ads.content import Attribute, Content, Group, Name, Occurs, Particle
from dtd_ads.errors import DtdError
from dtd_ads.modules import Modules

_document: Final = '<!DOCTYPE r SYSTEM "{}"><r/>'

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

Model = tuple[int, int, str | None, tuple["Model", ...]]


@dataclass(frozen=True, slots=True)
class Declaration:
    """One element declaration with all attributes declared for it."""

    name: str
    content: Content
    attributes: tuple[Attribute, ...]


def read_declarations(modules: Modules) -> list[Declaration]:
    """Every element declared in a DTD and its modules; raises `DtdError`."""
    main = modules.read_main()
    attributes = _read_with_lxml(modules, main)
    models = _read_with_expat(modules, main)
    if set(models) != set(attributes):
        different = ", ".join(sorted(set(models) ^ set(attributes))[:5])
        raise DtdError(f"two readers disagree on what is declared: {different}", source=str(modules.main))
    if not models:
        raise DtdError("declares no element", source=str(modules.main))
    return [Declaration(name, _content(models[name]), found) for name, found in attributes.items()]


class _Resolver(etree.Resolver):
    """Hands lxml the main file first, then whatever `Modules` allows."""

    def __init__(self, modules: Modules, main: bytes) -> None:
        self.modules = modules
        self.main: bytes | None = main

    def resolve(self, *arguments: Any) -> Any:
        system_url, public_id, context = arguments
        if self.main is not None:
            base, data, self.main = self.modules.main.as_uri(), self.main, None
        else:
            base, data = self.modules.read(system_url, public_id)
        return self.resolve_string(data or b" ", context, base_url=base)


def _read_with_lxml(modules: Modules, main: bytes) -> dict[str, tuple[Attribute, ...]]:
    parser = etree.XMLParser(load_dtd=True, no_network=True, resolve_entities=False, huge_tree=False)
    parser.resolvers.add(_Resolver(modules, main))
    base = modules.main.as_uri()
    try:
        root = etree.fromstring(_document.format(base).encode(), parser, base_url=base)
    except etree.XMLSyntaxError as error:
        raise _syntax_error(parser, error, modules) from None
    for entry in parser.error_log:
        if any(sign in entry.message for sign in ("PEReference", "not found", "not defined")):
            raise DtdError(entry.message.strip(), source=_place(entry.filename), line=entry.line, column=entry.column)
        modules.warnings[f"{_place(entry.filename)}:{entry.line}: {entry.message}"] = None
    dtd = root.getroottree().docinfo.externalDTD
    elements: Iterator[Any] = iter(()) if dtd is None else cast(Any, dtd).iterelements()
    return {
        _qualified(element): tuple(map(_attribute, element.iterattributes()))
        for element in elements
        if element.type != "undefined"
    }


def _syntax_error(parser: etree.XMLParser, error: etree.XMLSyntaxError, modules: Modules) -> DtdError:
    entries = [entry for entry in parser.error_log if entry.line] or list(parser.error_log)
    if not entries:
        return DtdError(str(error), source=str(modules.main))
    entry = entries[0]
    return DtdError(entry.message.strip(), source=_place(entry.filename), line=entry.line, column=entry.column)


def _place(uri: str) -> str:
    return unquote(urlsplit(uri).path) or uri


def _qualified(declared: Any) -> str:
    return f"{declared.prefix}:{declared.name}" if declared.prefix else str(declared.name)


def _attribute(declared: Any) -> Attribute:
    return Attribute(
        _qualified(declared),
        declared.type if declared.type == "enumeration" else declared.type.upper(),
        declared.default,
        declared.default_value,
        tuple(declared.itervalues()),
    )


def _read_with_expat(modules: Modules, main: bytes) -> dict[str, Model]:
    models: dict[str, Model] = {}
    parser = pyexpat.ParserCreate()
    parser.SetParamEntityParsing(pyexpat.XML_PARAM_ENTITY_PARSING_ALWAYS)
    parsers = [parser]
    failed: list[DtdError] = []

    def declare(name: str, model: Model) -> None:
        models.setdefault(name, model)

    def read_module(context: str, base: str | None, system: str | None, public: str | None) -> int:
        if base is None:
            uri, data = modules.main.as_uri(), main
        else:
            uri, data = modules.read(urljoin(base, system or ""), public)
        module = parsers[-1].ExternalEntityParserCreate(context)
        module.SetBase(uri)
        parsers.append(module)
        try:
            module.Parse(data, True)
        except pyexpat.ExpatError as error:
            failed.append(DtdError(str(error), source=_place(uri), line=error.lineno, column=error.offset + 1))
            raise
        parsers.pop()
        return 1

    parser.ElementDeclHandler = declare
    parser.ExternalEntityRefHandler = read_module
    try:
        parser.Parse(_document.format("main").encode(), True)
    except pyexpat.ExpatError as error:
        raise (failed or [DtdError(str(error), source=str(modules.main))])[0] from None
    return models


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
