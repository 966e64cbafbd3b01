"""Files that appear whole or not at all: written beside their place, forced to disk, then renamed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkstemp
from typing import IO

from broker_sim.errors import ConfigurationError


@contextmanager
def atomic_writer(path: Path) -> Iterator[IO[bytes]]:
    """A binary file that replaces `path` when the block ends well, and leaves nothing behind when it fails.

    Missing folders are made, and taken away again when it fails. A symbolic link at `path` itself is replaced; what it
    points to is not touched.
    """
    made = [folder for folder in path.parents if not folder.exists()]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, beside = mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        _remove_empty(made)
        raise ConfigurationError(f"cannot write here: {error.strerror}", source=str(path)) from error
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(beside, 0o666 & ~_umask())
        os.replace(beside, path)
    except BaseException as error:
        os.unlink(beside)
        _remove_empty(made)
        if isinstance(error, OSError):
            raise ConfigurationError(f"cannot write here: {error.strerror}", source=str(path)) from error
        raise


def _remove_empty(folders: Iterable[Path]) -> None:
    """Remove these folders, the innermost first, as far as nothing is in them."""
    with suppress(OSError):
        for folder in folders:
            folder.rmdir()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
