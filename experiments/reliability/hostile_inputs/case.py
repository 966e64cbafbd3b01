"""One hostile input with its documented answer, and what several of them are made of."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

Content = bytes | Callable[[], bytes]

DEEP: Final = 100_000
LONG: Final = 10_000_000
XML: Final = b"<a><b>1</b></a>"
DTD: Final = b"<!ELEMENT a (b*)>\n<!ELEMENT b (#PCDATA)>\n"
QUERY: Final = b'<r> { for $b in document("d")/a/b return <g> { $b } </g> } </r>\n'
GRAPH: Final = (
    b'<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="undirected">'
    b'<node id="1"/><node id="2"/><edge source="1" target="2"/></graph></graphml>'
)
LAUGHS: Final = b"".join(b'<!ENTITY l%d "%s">' % (n, (b"&l%d;" % (n - 1)) * 10 if n else b"lol") for n in range(10))
"""Ten entities, each ten times the one before."""


@dataclass(frozen=True, slots=True)
class Case:
    """One hostile input, and what `broker-sim` answers to it."""

    name: str
    arguments: tuple[str, ...]
    says: str
    files: Mapping[str, Content] = field(default_factory=dict)
    folders: tuple[str, ...] = ()
    code: int = 2
    writes: tuple[str, ...] = ()

    def prepare(self, folder: Path) -> None:
        """Put the input into a folder."""
        for name in self.folders:
            (folder / name).mkdir(parents=True)
        for name, content in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content())


def written(folder: Path) -> set[str]:
    """Every file and folder below a folder, links not followed."""
    return {
        os.path.relpath(os.path.join(at, name), folder)
        for at, folders, files in os.walk(folder)
        for name in (*folders, *files)
    }
