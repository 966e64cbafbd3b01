"""The attributes of a DTD, read with lxml (libxml2), which also refuses what is malformed, nests or expands too far.

Nothing is loaded that `Modules` does not hand out, and general entities are never expanded. What libxml2 reports as a
warning becomes a warning; everything else is an error, and so is an entity that is used but not declared or whose file
has no usable name, although XML lets a reader skip it: what it stood for would be missing from every path.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, cast

from lxml import etree

from dtd_ads.content import Attribute
from dtd_ads.errors import DtdError
from dtd_ads.expat_reader import failing_place
from dtd_ads.modules import Modules, place_of

_document: Final = '<!DOCTYPE r SYSTEM "{}"><r/>'
_losses: Final = (
    etree.ErrorTypes.ERR_UNDECLARED_ENTITY,
    etree.ErrorTypes.WAR_UNDECLARED_ENTITY,
    etree.ErrorTypes.ERR_INVALID_URI,
)


def read_attributes(modules: Modules) -> dict[str, tuple[Attribute, ...]]:
    """Every declared element, in DTD order, with its attributes; raises `DtdError`."""
    parser = etree.XMLParser(load_dtd=True, no_network=True, resolve_entities=False, huge_tree=False)
    parser.resolvers.add(_Resolver(modules))
    base = modules.main.as_uri()
    try:
        root = etree.fromstring(_document.format(base).encode(), parser, base_url=base)
    except etree.XMLSyntaxError as error:
        raise _syntax_error(parser, error, modules) from None
    except DtdError as error:
        raise _with_line(error, modules) from None
    for entry in parser.error_log:
        if entry.level != etree.ErrorLevels.WARNING or entry.type in _losses:
            raise _placed(entry, modules)
        modules.warnings[f"{place_of(entry.filename)}:{entry.line}: {entry.message}"] = None
    dtd = root.getroottree().docinfo.externalDTD
    elements: Iterator[Any] = iter(()) if dtd is None else cast(Any, dtd).iterelements()
    return {
        _qualified(element): tuple(map(_attribute, element.iterattributes()))
        for element in elements
        if element.type != "undefined"
    }


class _Resolver(etree.Resolver):
    """Hands lxml the main file first, then whatever `Modules` allows."""

    def __init__(self, modules: Modules) -> None:
        self.modules = modules
        self.begun = False

    def resolve(self, *arguments: Any) -> Any:
        system_url, public_id, context = arguments
        if self.begun:
            base, data = self.modules.read(system_url, public_id)
        else:
            base, data = self.modules.main.as_uri(), self.modules.read_main()
            self.begun = True
        return self.resolve_string(data or b" ", context, base_url=base)


def _syntax_error(parser: etree.XMLParser, error: etree.XMLSyntaxError, modules: Modules) -> DtdError:
    entries = [entry for entry in parser.error_log if entry.line] or list(parser.error_log)
    return _placed(entries[0], modules) if entries else DtdError(str(error), source=str(modules.main))


def _placed(entry: Any, modules: Modules) -> DtdError:
    """An entry of the log as an error; inside nested parameter entities libxml2 has no file, and expat is asked."""
    message = entry.message.strip()
    if entry.filename.startswith("file:"):
        return DtdError(message, source=place_of(entry.filename), line=entry.line, column=entry.column)
    place = failing_place(modules.afresh())
    if place is None:
        return DtdError(message, source=str(modules.main))
    return DtdError(message, source=place.source, line=place.line, column=place.column)


def _with_line(error: DtdError, modules: Modules) -> DtdError:
    """An error of `Modules` with the place of the reference, if expat stumbles over the same one."""
    place = failing_place(modules.afresh()) if error.line is None else None
    return place if place is not None and place.message == error.message else error


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
