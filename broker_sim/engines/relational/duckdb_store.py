"""Subscriptions in DuckDB: in process, in memory or in a file that survives.

DuckDB stores columns and joins by hashing whole tables, so the paper's B+ trees would not be read; they would only
have to fit into memory. The one key is that of the XPaths and the two lists of distinct values, which need it to stay
distinct. Rows lie in the order of their arrival, and a range of ids is found by the least and greatest id that DuckDB
keeps for each block. A file belongs to one process at a time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Set
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import duckdb
import pyarrow as pa

from broker_sim.engines.relational.store import Parameters, Rows
from broker_sim.engines.relational.tables import (
    XPATH,
    XPATH_EDGE,
    XPATH_TEST,
    Row,
    Table,
    arrow,
)
from broker_sim.errors import ConfigurationError

_LISTS: Final = (XPATH_EDGE.name, XPATH_TEST.name)
_TABLES: Final = "SELECT table_name FROM duckdb_tables() WHERE NOT temporary"
_FEW: Final = 20
"""So many rows are faster inserted one by one than through Arrow."""


class DuckDbStore:
    """One connection to a DuckDB database."""

    def __init__(self, location: str | None, memory: str | None) -> None:
        try:
            self._database = duckdb.connect(location or ":memory:")
            if memory is not None:
                self._database.execute("SET memory_limit = ?", [memory])
        except duckdb.Error as error:
            raise ConfigurationError(f"DuckDB cannot open it: {error}", source=location) from error
        if location is not None:
            self._database.execute("SET temp_directory = ?", [str(Path(location).absolute()) + ".tmp"])
        self._database.execute("SET preserve_insertion_order = false")
        for table in (XPATH, XPATH_EDGE, XPATH_TEST):
            key = ", ".join(table.key)
            self._database.execute(f"CREATE TABLE IF NOT EXISTS {table.name} ({table.ddl}, PRIMARY KEY ({key}))")
        self._tables = self._existing()

    @property
    def tables(self) -> Set[str]:
        """The tables of XPaths; no other process can add one."""
        return self._tables

    def insert(self, rows: Rows) -> None:
        """Add rows, and tables for levels that had none."""
        with self._transaction():
            for table, new in rows:
                if new:
                    if table.name not in self._tables:
                        self._database.execute(f"CREATE TABLE {table.name} ({table.ddl})")
                        self._tables.add(table.name)
                    self._append(table, new)

    def delete(self, ids: Collection[int]) -> None:
        """Remove every row with these ids; the lists of distinct values keep theirs, which does no harm."""
        with self._transaction():
            for name in self._tables - set(_LISTS):
                self._database.execute(f"DELETE FROM {name} WHERE id IN (SELECT UNNEST(?))", [list(ids)])

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """A transaction that is rolled back, and the temporary tables with it."""
        self._database.begin()
        try:
            yield
        finally:
            self._database.rollback()

    def publish(self, table: Table, rows: pa.Table) -> None:
        """Let DuckDB read the rows where they are."""
        self._database.register("arriving", rows)
        self._database.execute(f"CREATE OR REPLACE TEMP TABLE {table.name} AS SELECT * FROM arriving")
        self._database.unregister("arriving")

    def derive(self, table: Table, select: str, parameters: Parameters) -> None:
        """Store what the SELECT finds."""
        self._execute(f"CREATE OR REPLACE TEMP TABLE {table.name} AS {select}", parameters)

    def query(self, select: str, parameters: Parameters) -> list[Row]:
        """Fetch what the SELECT finds."""
        return self._execute(select, parameters).fetchall()

    def close(self) -> None:
        """Close the connection, and with it the file."""
        self._database.close()

    def _execute(self, statement: str, parameters: Parameters) -> duckdb.DuckDBPyConnection:
        used = {name: value for name, value in parameters.items() if f":{name}" in statement}
        for name in used:
            statement = statement.replace(f":{name}", f"${name}")
        return self._database.execute(statement, used or None)

    def _append(self, table: Table, rows: list[Row]) -> None:
        ignore = " ON CONFLICT DO NOTHING" if table.name in _LISTS else ""
        try:
            if len(rows) <= _FEW:
                marks = ", ".join("?" * len(table.columns))
                self._database.executemany(f"INSERT INTO {table.name} VALUES ({marks}){ignore}", rows)
            else:
                self._database.register("arriving", arrow(table, rows))
                self._database.execute(f"INSERT INTO {table.name} SELECT * FROM arriving{ignore}")
                self._database.unregister("arriving")
        except duckdb.ConstraintException as error:
            raise ValueError(f"a subscription id is taken: {error}") from error

    def _existing(self) -> set[str]:
        return {str(row[0]) for row in self._database.execute(_TABLES).fetchall()}

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.begin()
        try:
            yield
        except BaseException:
            self._database.rollback()
            self._tables = self._existing()
            raise
        self._database.commit()
