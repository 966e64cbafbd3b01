"""The files that experiments read, as digests: a result belongs to what they held.

Each file is read once for a plan, however many cells name it. A DTD counts by what it declares, so that a change in
one of its modules is seen, and one in a comment is not a change.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from broker_sim.errors import ConfigurationError
from broker_sim.experiment.loading import AnyExperiment
from broker_sim.experiment.spec import Experiment
from broker_sim.shipped import shipped
from dtd_ads import load_schema
from dtd_ads.errors import InputError


class Inputs:
    """Digests of files and folders, as they are when they are first asked for."""

    def __init__(self) -> None:
        self._schemas: dict[tuple[str, str | None], str] = {}
        self._files: dict[Path, str] = {}

    def digests(self, experiment: AnyExperiment) -> dict[str, str]:
        """By key of the experiment, a digest of the file or folder it names; names of the catalogue are no files."""
        found = {}
        for key, dtd, root in _dtds(experiment):
            if Path(dtd).is_file():
                if (dtd, root) not in self._schemas:
                    self._schemas[dtd, root] = _schema_digest(dtd, root)
                found[key] = self._schemas[dtd, root]
        for key, path in _paths(experiment):
            if path.exists():
                if path not in self._files:
                    self._files[path] = _digest(path)
                found[key] = self._files[path]
        return found


def _dtds(experiment: AnyExperiment) -> Iterator[tuple[str, str, str | None]]:
    """Key, file or name, and root."""
    yield "schema.dtd", experiment.schema.dtd, experiment.schema.root
    for number, dtd in enumerate(experiment.schema.also):
        yield f"schema.also.{number}", dtd, None


def _paths(experiment: AnyExperiment) -> Iterator[tuple[str, Path]]:
    if isinstance(experiment, Experiment):
        shipped_file = shipped("topologies") / f"{experiment.topology}.graphml"
        yield "topology", shipped_file if shipped_file.is_file() else Path(experiment.topology)
        if experiment.subscriptions.file:
            yield "subscriptions.file", Path(experiment.subscriptions.file)
        if experiment.subscriptions.queries:
            yield "subscriptions.queries", Path(experiment.subscriptions.queries)
        if experiment.documents.directory:
            yield "documents.directory", Path(experiment.documents.directory)


def _schema_digest(dtd: str, root: str | None) -> str:
    try:
        return sha256(repr(load_schema(dtd, root)).encode()).hexdigest()
    except InputError:
        return _digest(Path(dtd))


def _digest(path: Path) -> str:
    if not path.is_dir():
        return sha256(_content(path)).hexdigest()
    digest = sha256()
    for file in sorted(path.glob("*.xml")):
        digest.update(f"{file.name}\0{sha256(_content(file)).hexdigest()}\0".encode())
    return digest.hexdigest()


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigurationError(f"cannot be read: {error.strerror}", source=str(path)) from error
