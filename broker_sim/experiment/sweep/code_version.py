"""Which code made a result: the version, and a digest of the modules and DTDs that it follows from.

The command line and the report are left out: they change no row. The digest is the same for a checkout, an installed
wheel and a wheel that is imported as a zip file, so that a cluster can be held to the code of its driver. It costs a
few milliseconds, once a process.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from broker_sim import __version__

PACKAGES: Final = ("dtd_ads", "broker_sim")
LEFT_OUT: Final = {"cli", "report", "experiments", "topologies", "__pycache__"}
SUFFIXES: Final = (".py", ".dtd")


@cache
def code_version() -> str:
    """The version and twelve hexadecimal digits."""
    digest = sha256()
    for package in PACKAGES:
        for name, data in _sources(files(package), package):
            digest.update(f"{name}\0{len(data)}\0".encode() + data)
    return f"{__version__}+{digest.hexdigest()[:12]}"


def _sources(folder: Traversable, name: str) -> Iterator[tuple[str, bytes]]:
    for entry in sorted(folder.iterdir(), key=lambda each: each.name):
        inner = f"{name}/{entry.name}"
        if entry.is_dir():
            if entry.name not in LEFT_OUT:
                yield from _sources(entry, inner)
        elif entry.name.endswith(SUFFIXES):
            yield inner, entry.read_bytes()
