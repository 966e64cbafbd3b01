"""Reading a file of FLWR queries, numbered by the line on which each begins. The file is UTF-8."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from broker_sim.delivery.parser import parse_queries
from broker_sim.delivery.query import Query
from broker_sim.errors import ConfigurationError


def read_queries(path: Path) -> Iterator[tuple[int, Query]]:
    """The queries of a file; raises `ConfigurationError` for an unreadable one, `QueryError` for a wrong query."""
    yield from parse_queries(_read(path), str(path))


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ConfigurationError(f"cannot be read: {error.strerror}", source=str(path)) from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ConfigurationError("expected UTF-8 text", source=str(path), line=line) from error
