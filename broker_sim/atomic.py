"""Files that appear whole or not at all: written beside their place, then renamed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkstemp
from typing import IO

from broker_sim.errors import ConfigurationError


@contextmanager
def atomic_writer(path: Path) -> Iterator[IO[bytes]]:
    """A binary file that replaces `path` when the block ends well, and leaves nothing behind when it fails."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, beside = mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise ConfigurationError(f"cannot write here: {error.strerror}", source=str(path)) from error
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        os.chmod(beside, 0o666 & ~_umask())
        os.replace(beside, path)
    except BaseException as error:
        os.unlink(beside)
        if isinstance(error, OSError):
            raise ConfigurationError(f"cannot write here: {error.strerror}", source=str(path)) from error
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
