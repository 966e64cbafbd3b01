"""A document as blocks of UTF-8, whatever its own encoding: chunks are then UTF-8 without a declaration."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import IO, Final

from broker_sim.errors import DocumentError

_declaration = re.compile(rb"""<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_STARTS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (b"<\x00", "utf-16-le"),
    (b"\x00<", "utf-16-be"),
)
_PLAIN: Final = ("utf-8", "ascii")


def utf8_blocks(source: IO[bytes], size: int) -> Iterator[bytes]:
    """The content of `source` in blocks of about `size` bytes; raises `DocumentError` for an unknown encoding."""
    block = source.read(size)
    encoding = _encoding(block)
    if encoding in _PLAIN:
        while block:
            yield block
            block = source.read(size)
        return
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        while block:
            yield decoder.decode(block).encode()
            block = source.read(size)
        yield decoder.decode(b"", True).encode()
    except UnicodeError as error:
        raise DocumentError(f"is not {encoding}, as it says: {error}") from error


def _encoding(start: bytes) -> str:
    for mark, name in _STARTS:
        if start.startswith(mark):
            return name
    declared = _declaration.match(start.removeprefix(codecs.BOM_UTF8))
    if declared is None:
        return "utf-8"
    try:
        return codecs.lookup(declared[1].decode()).name
    except LookupError as error:
        raise DocumentError(f"has the unknown encoding {declared[1].decode()}") from error
