"""The files that an experiment reads, as digests: a result belongs to what they held."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from broker_sim.errors import ConfigurationError
from broker_sim.experiment.loading import AnyExperiment
from broker_sim.experiment.spec import Experiment
from broker_sim.shipped import shipped


def input_digests(experiment: AnyExperiment) -> dict[str, str]:
    """By key of the experiment, a digest of the file or folder it names; names of the catalogue are no files."""
    found = {}
    for key, text in _named(experiment):
        path = Path(text)
        if path.is_dir():
            found[key] = _folder_digest(path)
        elif path.is_file():
            found[key] = _digest(path, _stamp(path))
    return found


def _named(experiment: AnyExperiment) -> Iterator[tuple[str, str]]:
    yield "schema.dtd", experiment.schema.dtd
    if isinstance(experiment, Experiment):
        shipped_file = shipped("topologies") / f"{experiment.topology}.graphml"
        yield "topology", str(shipped_file) if shipped_file.is_file() else experiment.topology
        yield "subscriptions.file", experiment.subscriptions.file or ""
        yield "subscriptions.queries", experiment.subscriptions.queries or ""
        yield "documents.directory", experiment.documents.directory or ""


def _folder_digest(folder: Path) -> str:
    digest = sha256()
    for file in sorted(folder.glob("*.xml")):
        digest.update(f"{file.name}\0{_digest(file, _stamp(file))}\0".encode())
    return digest.hexdigest()


def _stamp(path: Path) -> tuple[int, int]:
    status = os.stat(path)
    return status.st_mtime_ns, status.st_size


@lru_cache(maxsize=100_000)
def _digest(path: Path, stamp: tuple[int, int]) -> str:
    """The digest of a file, read once for each `stamp` (when it was changed, and its size)."""
    try:
        return sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise ConfigurationError(f"cannot be read: {error.strerror}", source=str(path)) from error
