"""Where results are kept: a folder of this machine, or anything that Spark's Hadoop file systems can write to.

`rows/<key>.parquet` and `errors/<key>.parquet`, one for each cell, and `plan.json`. Every file is written under
another name first and then renamed, so it is there whole or not at all. All writing is done by the driver: workers need
no access to the store, and a folder works on a cluster too.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol
from uuid import uuid4

from broker_sim.atomic import atomic_writer
from broker_sim.errors import ConfigurationError
from broker_sim.spark.location import file_system, hadoop_path, location

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SUFFIX: Final = ".parquet"


class Store(Protocol):
    """Files by name, such as `rows/ab12.parquet`."""

    location: str
    """What Spark reads it by."""

    def keys(self, folder: str) -> set[str]:
        """The cells that have a file in a folder."""

    def write(self, name: str, data: bytes) -> None:
        """Put a file there in one step, in place of one of that name."""

    def remove(self, name: str) -> None:
        """Take a file away, if it is there."""


class LocalStore:
    """A folder of this machine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()
        self.location = location(self.folder)

    def keys(self, folder: str) -> set[str]:
        try:
            names = os.listdir(self.folder / folder)
        except FileNotFoundError:
            return set()
        except OSError as error:
            raise ConfigurationError(f"cannot be read: {error.strerror}", source=str(self.folder / folder)) from error
        return _keys(names)

    def write(self, name: str, data: bytes) -> None:
        with atomic_writer(self.folder / name) as file:
            file.write(data)

    def remove(self, name: str) -> None:
        (self.folder / name).unlink(missing_ok=True)


class HadoopStore:
    """A URL of any file system that Spark knows. A rename replaces nothing there: what is in the way goes first."""

    def __init__(self, spark: SparkSession, url: str) -> None:
        self.location = location(url)
        self._spark = spark
        self._files = file_system(spark, url)

    def _path(self, name: str) -> Any:
        return hadoop_path(self._spark, f"{self.location}/{name}")

    def keys(self, folder: str) -> set[str]:
        path = self._path(folder)
        if not self._files.exists(path):
            return set()
        return _keys(status.getPath().getName() for status in self._files.listStatus(path))

    def write(self, name: str, data: bytes) -> None:
        folder, _, last = f"./{name}".rpartition("/")
        beside, path = self._path(f"{folder}/_{last}-{uuid4().hex}"), self._path(name)
        stream = self._files.create(beside, True)
        try:
            stream.write(data)
        finally:
            stream.close()
        if not self._files.rename(beside, path):
            self._files.delete(path, False)
            if not self._files.rename(beside, path):
                raise ConfigurationError("cannot write here: the file system does not rename", source=self.location)

    def remove(self, name: str) -> None:
        self._files.delete(self._path(name), False)


def _keys(names: Any) -> set[str]:
    return {name.removesuffix(SUFFIX) for name in names if name.endswith(SUFFIX) and name[0] not in "._"}
