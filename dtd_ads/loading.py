"""`load_schema`: a DTD file, or a name of the catalogue, becomes a `Schema`.

The root of a DTD is nowhere declared. It is taken to be the element that is never a child of another one; of
several such elements, the one from which everything inside the others can be reached as well. Where that leaves
none or more than one, the caller must choose.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from dtd_ads.declarations import Declaration, read_declarations
from dtd_ads.errors import DtdError
from dtd_ads.modules import Modules
from dtd_ads.packaged import packaged_folder
from dtd_ads.schema import Element, Schema

MAX_EDGES: Final = 1_000_000
CATALOG: Final = packaged_folder("dtd_ads", "catalog") or Path(__file__).parent / "catalog"


def catalog_names() -> tuple[str, ...]:
    """The DTDs that we ship."""
    return tuple(sorted(path.stem for path in CATALOG.glob("*.dtd")))


def load_schema(
    path_or_catalog_name: str | os.PathLike[str], root: str | None = None, *, allow_outside: bool = False
) -> Schema:
    """Read a DTD with its modules; raises `DtdError` with the place.

    Text that is a name of the catalogue means that DTD; write `./name` for a file of that name. Modules outside the
    DTD's folder are read only with `allow_outside`, those on a network never.
    """
    path = _find(path_or_catalog_name)
    modules = Modules(path, allow_outside=allow_outside)
    declarations = read_declarations(modules)
    _check_size(declarations, str(path))
    elements, undeclared = _link(declarations)
    if undeclared and modules.left_out:
        names, lost = ", ".join(list(undeclared)[:5]), ", ".join(modules.left_out)
        raise DtdError(f"elements are declared nowhere ({names}) and modules are missing ({lost})", source=str(path))
    warnings = [*modules.warnings, *(_undeclared_text(*entry) for entry in undeclared.items())]
    return Schema(path.stem, _choose_root(elements, root, str(path)), elements, tuple(warnings))


def _find(given: str | os.PathLike[str]) -> Path:
    text = os.fspath(given)
    if text in catalog_names() and isinstance(given, str):
        return CATALOG / f"{text}.dtd"
    if not text or "\0" in text:
        raise DtdError(f"{text!r} is no file name")
    try:
        path = Path(text).resolve()
        if path.is_file():
            return path
        trouble = "is a folder" if path.is_dir() else "no such file" if not path.exists() else "is no regular file"
    except (OSError, RuntimeError) as error:
        trouble = f"cannot be read: {error}"
    names = ", ".join(catalog_names())
    raise DtdError(f"{trouble}; expected a DTD file or a name of the catalogue ({names})", source=text)


def _check_size(declarations: list[Declaration], source: str) -> None:
    """Bound the element graph: a few thousand elements of content ANY would exhaust memory."""
    each = (len(declarations) if one.content.kind == "ANY" else len(one.content.names) for one in declarations)
    edges = sum(each)
    if edges > MAX_EDGES:
        raise DtdError(f"{edges:,} pairs of parent and child are more than the limit of {MAX_EDGES:,}", source=source)


def _link(declarations: Iterable[Declaration]) -> tuple[dict[str, Element], dict[str, list[str]]]:
    """The element graph, and the children that are declared nowhere with the elements that name them."""
    declared = {declaration.name: declaration for declaration in declarations}
    everything = tuple(declared)
    undeclared: dict[str, list[str]] = {}
    elements = {}
    for name, declaration in declared.items():
        named = everything if declaration.content.kind == "ANY" else declaration.content.names
        for child in named:
            if child not in declared:
                undeclared.setdefault(child, []).append(name)
        children = tuple(child for child in named if child in declared)
        elements[name] = Element(name, declaration.content, children, declaration.attributes)
    return elements, undeclared


def _undeclared_text(child: str, parents: list[str]) -> str:
    shown = ", ".join(parents[:3]) + (", ..." if len(parents) > 3 else "")
    return f"element {child!r} is declared nowhere; left out of {shown}"


def _choose_root(elements: Mapping[str, Element], root: str | None, source: str) -> str:
    if root is not None:
        if root not in elements:
            near = get_close_matches(root, elements) or list(elements)[:5]
            raise DtdError(f"element {root!r} is not declared; near: {', '.join(near)}", source=source)
        return root
    inner = {child for element in elements.values() for child in element.children if child != element.name}
    candidates = [name for name in elements if name not in inner]
    if not candidates:
        raise DtdError("every element is a child of another one; choose a root", source=source)
    found = candidates if len(candidates) == 1 else _widest(elements, candidates)
    if len(found) != 1:
        raise DtdError(f"several elements may be the root, choose one: {_listed(candidates)}", source=source)
    return found[0]


def _widest(elements: Mapping[str, Element], candidates: list[str]) -> list[str]:
    """The candidates that reach all that stands inside the other ones."""
    below = {name: _below(elements, name) for name in candidates}
    content = frozenset().union(*below.values())
    return [name for name in candidates if content <= below[name] | {name}]


def _below(elements: Mapping[str, Element], name: str) -> frozenset[str]:
    seen = {name}
    queue = [name]
    for current in queue:
        for child in elements[current].children:
            if child not in seen:
                seen.add(child)
                queue.append(child)
    return frozenset(seen - {name})


def _listed(names: list[str]) -> str:
    return ", ".join(names[:20]) + (f", ... ({len(names)} in all)" if len(names) > 20 else "")
