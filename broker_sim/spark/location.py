"""Paths as Spark's file systems take them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from broker_sim.errors import ConfigurationError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def is_url(where: str) -> bool:
    """Whether a text names a place by URL, and not a file of this machine by its path."""
    return "://" in where or where.startswith("file:")


def location(where: str | os.PathLike[str]) -> str:
    """A URL as it is, a path as a URL; Hadoop takes characters as they are, without `%` codes."""
    text = os.fspath(where)
    return text.rstrip("/") if is_url(text) else f"file://{Path(text).absolute()}"


def to_read(where: str | os.PathLike[str]) -> str:
    """A location for Spark's readers, which would take brackets and the like as a pattern of names."""
    return re.sub(r"([\[\]{}*?\\])", r"\\\1", location(where))


def file_system(spark: SparkSession, url: str) -> Any:
    """The Hadoop file system of a URL."""
    from py4j.protocol import Py4JJavaError

    try:
        return hadoop_path(spark, url).getFileSystem(spark._jsc.hadoopConfiguration())
    except Py4JJavaError as error:
        reason = str(error.java_exception.getMessage()).partition("\n")[0]
        raise ConfigurationError(f"Spark cannot reach it: {reason}", source=url) from error


def hadoop_path(spark: SparkSession, url: str) -> Any:
    """A Hadoop path."""
    jvm: Any = spark._jvm
    return jvm.org.apache.hadoop.fs.Path(url)


def file_names(spark: SparkSession, url: str) -> Iterator[str]:
    """The names of all files below a folder, or of the file itself; a `ConfigurationError` if there is neither."""
    files, path = file_system(spark, url), hadoop_path(spark, url)
    if not files.exists(path):
        raise ConfigurationError("no such file or folder", source=url)
    found = files.listFiles(path, True)
    while found.hasNext():
        yield str(found.next().getPath().getName())
