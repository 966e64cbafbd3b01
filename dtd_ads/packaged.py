"""Data folders of a package, as folders of the file system wherever the package was imported from.

Spark ships packages as zip files and imports them from there. Then the folder is unpacked once a process, to where
Spark keeps what it throws away (`SPARK_LOCAL_DIRS`, which it sets for its workers), or to a temporary folder that goes
with the process.
"""

from __future__ import annotations

import atexit
import os
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp


@cache
def packaged_folder(package: str, name: str) -> Path | None:
    """The folder `name` of a package; None if there is none."""
    folder = files(package) / name
    if not folder.is_dir():
        return None
    return folder if isinstance(folder, Path) else _unpacked(folder, _scratch() / name)


def _scratch() -> Path:
    given = os.environ.get("SPARK_LOCAL_DIRS", "").partition(",")[0]
    scratch = Path(mkdtemp(prefix="packaged-", dir=given if Path(given).is_dir() and given else None))
    atexit.register(rmtree, scratch, ignore_errors=True)
    return scratch


def _unpacked(folder: Traversable, place: Path) -> Path:
    place.mkdir()
    for entry in folder.iterdir():
        if entry.is_dir():
            _unpacked(entry, place / entry.name)
        else:
            (place / entry.name).write_bytes(entry.read_bytes())
    return place
