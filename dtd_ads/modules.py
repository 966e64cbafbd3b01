"""The files that a DTD pulls in, and which of them may be read.

A DTD may name further files (modules). Only files inside the DTD's own folder are read, symbolic links resolved,
unless the caller allows others; nothing is ever fetched from a network. All files together are bounded by
`MAX_BYTES`.

Copies of real DTDs are rarely complete, so two things are forgiven, each with a warning. A module that is not where
the DTD says is read from the DTD's own folder where a file of that name lies there. And a module that its public
identifier calls `ENTITIES` (character names, mostly) may be missing altogether; the reader then insists that
nothing else is, so that no element is lost with it.

A module's name is a URI, in which spaces, accented letters and a few other characters must be escaped. Many people
write file names instead, and XML (section 4.2.2) asks the reader to escape them. libxml2 does not, so it is done here,
for both readers.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote, urlsplit

from dtd_ads.errors import DtdError

MAX_BYTES: Final = 16 * 1024 * 1024
MAX_MODULES: Final = 2_000

_nothing: Final = b"<!-- left out -->"
_module_name: Final = re.compile(
    rb"""(<!ENTITY\s+%\s+[^\s"'<>]+\s+(?:SYSTEM|PUBLIC\s+(?:"[^"<>]*"|'[^'<>]*'))\s+)("[^"<>\n]*"|'[^'<>\n]*')"""
)
_not_in_uri: Final = re.compile(r"[ \\^`{|}]|[^\0-~]")


class Modules:
    """Reads the files of one DTD. `warnings` and `left_out` grow while it does."""

    def __init__(self, main: Path, *, allow_outside: bool) -> None:
        self.main = main
        self.folder = main.parent
        self.allow_outside = allow_outside
        self.warnings: dict[str, None] = {}
        self.left_out: dict[str, None] = {}
        self._bytes = 0
        self._reads = 0

    def afresh(self) -> Modules:
        """The same DTD for another reader, nothing read and nothing noted yet."""
        return Modules(self.main, allow_outside=self.allow_outside)

    def read_main(self) -> bytes:
        """The DTD itself."""
        data = self._read(self.main)
        if not data.strip():
            raise DtdError("the file is empty, expected element declarations", source=str(self.main))
        return data

    def read(self, uri: str, public: str | None) -> tuple[str, bytes]:
        """The base URI and the bytes of the module at an absolute URI."""
        path, trouble = self._locate(uri)
        if path is not None:
            data = self._read(path)
            if _has_markup(data):
                return path.as_uri(), data
            trouble = "holds no declarations"
        if public is None or "//ENTITIES " not in public:
            raise DtdError(f"module {uri!r} {trouble}", source=str(self.main))
        self.left_out[uri] = None
        self.warnings[f"module {uri!r} ({public}) {trouble}; left out"] = None
        return uri, _nothing

    def _locate(self, uri: str) -> tuple[Path | None, str]:
        parts = urlsplit(uri)
        local = parts.scheme in ("", "file") and parts.netloc in ("", "localhost")
        wanted = Path(unquote(parts.path))
        trouble = "is on a network, which is never asked" if not local else "was not found"
        if local and "\0" not in str(wanted):
            found = wanted.resolve()
            if found.is_file() and (self.allow_outside or found.is_relative_to(self.folder)):
                return found, ""
            if found.exists():
                trouble = "is no file" if not found.is_file() else "is outside the folder of the DTD"
        beside = (self.folder / (wanted.name.replace("\0", "") or ".")).resolve()
        if beside.is_file() and beside.is_relative_to(self.folder) and beside != self.main:
            self.warnings[f"module {uri!r} {trouble}; read {beside.name} of the folder instead"] = None
            return beside, ""
        return None, trouble

    def _read(self, path: Path) -> bytes:
        self._reads += 1
        try:
            with path.open("rb") as file:
                data = file.read(MAX_BYTES - self._bytes + 1)
        except OSError as error:
            raise DtdError(f"cannot be read: {error.strerror}", source=str(path)) from None
        self._bytes += len(data)
        if self._bytes > MAX_BYTES or self._reads > MAX_MODULES:
            bound = f"{MAX_BYTES:,} bytes or {MAX_MODULES:,} files"
            raise DtdError(f"the DTD and its modules are larger than {bound}", source=str(path))
        return _module_name.sub(_escaped, data)


def place_of(uri: str) -> str:
    """The file of a URI, as errors name it."""
    return unquote(urlsplit(uri).path) or uri


def _escaped(declared: re.Match[bytes]) -> bytes:
    before, name = declared.groups()
    try:
        text = name.decode("utf-8")
    except UnicodeDecodeError:
        text = name.decode("latin-1")
    return before + _not_in_uri.sub(lambda found: quote(found.group()), text).encode()


def _has_markup(data: bytes) -> bool:
    """False for the lone line of text that a copied link leaves behind."""
    return not data.strip() or b"<" in data or b"%" in data or b"\0" in data
