"""The content models of a DTD, read with expat: its interface keeps namespace prefixes, which lxml's drops.

expat also knows the place of a problem inside parameter entities: the outermost reference, in its file. libxml2 does
not, so that `failing_place` asks expat where a DTD breaks that libxml2 has refused.

A DTD that libxml2 has accepted is bounded in nesting and expansion. One that it refused is not, and nested entities and
nested content models are walked on the stack: there the number of entities is bounded, and with it how deep they can
nest, and content models are not asked for.
"""

from __future__ import annotations

import pyexpat
from typing import Final
from urllib.parse import urljoin

from dtd_ads.errors import DtdError
from dtd_ads.modules import Modules, place_of

MAX_REFUSED_ENTITIES: Final = 2_000

Model = tuple[int, int, str | None, tuple["Model", ...]]
"""A content model as expat hands it out: kind, quantifier, name, parts."""

_document: Final = b'<!DOCTYPE r SYSTEM "main"><r/>'


def read_models(modules: Modules) -> dict[str, Model]:
    """The content model of every declared element, for a DTD that libxml2 has accepted; raises `DtdError`."""
    models: dict[str, Model] = {}
    reader = _Reader(modules)
    reader.main.ElementDeclHandler = models.setdefault
    reader.run()
    return models


def failing_place(modules: Modules) -> DtdError | None:
    """What expat says about a DTD that libxml2 has refused, with its place; None if it cannot tell."""
    reader = _Reader(modules)
    reader.main.EntityDeclHandler = _EntityLimit(MAX_REFUSED_ENTITIES, str(modules.main))
    try:
        reader.run()
    except DtdError as error:
        return None if error.line is None else error
    return None


class _Reader:
    """One pass over a DTD. `parsers` is the chain of files that are being read, the innermost last."""

    def __init__(self, modules: Modules) -> None:
        self.modules = modules
        self.main = pyexpat.ParserCreate()
        self.main.SetParamEntityParsing(pyexpat.XML_PARAM_ENTITY_PARSING_ALWAYS)
        self.main.ExternalEntityRefHandler = self._read_module
        self.parsers = [self.main]

    def run(self) -> None:
        try:
            self.main.Parse(_document, True)
        except pyexpat.ExpatError as error:
            raise DtdError(str(error), source=str(self.modules.main)) from None

    def _read_module(self, context: str, base: str | None, system: str | None, public: str | None) -> int:
        parser = self.parsers[-1]
        if base is None:
            uri, data = self.modules.main.as_uri(), self.modules.read_main()
        else:
            uri, data = self._module(parser, base, urljoin(base, system or ""), public)
        module = parser.ExternalEntityParserCreate(context)
        module.SetBase(uri)
        self.parsers.append(module)
        try:
            module.Parse(data, True)
        except pyexpat.ExpatError as error:
            message = pyexpat.ErrorString(error.code)
            raise DtdError(message, source=place_of(uri), line=error.lineno, column=error.offset + 1) from None
        self.parsers.pop()
        return 1

    def _module(self, parser: pyexpat.XMLParserType, base: str, uri: str, public: str | None) -> tuple[str, bytes]:
        try:
            return self.modules.read(uri, public)
        except DtdError as error:
            line, column = parser.CurrentLineNumber, parser.CurrentColumnNumber + 1
            raise DtdError(error.message, source=place_of(base), line=line, column=column) from None


class _EntityLimit:
    """Counts declared entities and stops the reader when there are too many."""

    def __init__(self, left: int, source: str) -> None:
        self.left = left
        self.source = source

    def __call__(self, *_declared: object) -> None:
        self.left -= 1
        if self.left < 0:
            raise DtdError("has too many entities to look for the place of an error", source=self.source)
