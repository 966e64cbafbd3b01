"""The databases under test: DuckDB always, a PostgreSQL server where one can be started, Spark SQL."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.engines.relational.servers import binaries, server

Place = Callable[[], dict[str, object]]
"""Options of an engine on a store that is new and empty."""

DATABASES = ("duckdb", "postgresql", "spark")


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    if "REQUIRE_POSTGRESQL" not in os.environ:
        pytest.importorskip("psycopg", reason="needs the extra 'postgresql'")
    folder = binaries()
    if folder is None and "REQUIRE_POSTGRESQL" in os.environ:
        pytest.fail("no PostgreSQL server, and this run must not go without: REQUIRE_POSTGRESQL is set")
    if folder is None:
        pytest.skip("no PostgreSQL server: neither the machine nor the package pgserver has one")
    with server(folder) as location:
        yield location


@pytest.fixture(scope="session")
def postgresql_place(postgresql: str) -> Place:
    import psycopg

    numbers = count()

    def new() -> dict[str, object]:
        schema = f"store_{next(numbers)}"
        with psycopg.connect(postgresql, autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {schema}".encode())
        return {"database": "postgresql", "location": f"{postgresql} options=-csearch_path={schema}"}

    return new


@pytest.fixture(params=DATABASES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """New stores of one database after the other; DuckDB and Spark keep theirs in files."""
    database = str(request.param)
    if database == "postgresql":
        found: Place = request.getfixturevalue("postgresql_place")
        return found
    if database == "spark":
        request.getfixturevalue("spark")
    numbers = count()
    return lambda: {"database": database, "location": str(tmp_path / f"store-{next(numbers)}")}
