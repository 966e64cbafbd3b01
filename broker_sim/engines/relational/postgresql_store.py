"""Subscriptions in PostgreSQL: a server that several processes share.

Tables have the keys of the paper. The two lists of distinct values have hash indices instead, since a B+ tree takes
no text longer than a third of its page; writers take turns (an advisory lock), which keeps the lists distinct and
lets only one of them create the tables of a new level. Readers wait for no one: a match is one transaction that sees
the state at its start, and its temporary tables belong to its own session.

All joins of a match are on equal columns. The columns of an edge go together, but the planner takes them for
independent, expects almost no rows and would join in nested loops; so these are switched off while matching.

The tables are those of the first schema in the search path; `options=-csearch_path=name` in the connection string
chooses another.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Set
from contextlib import contextmanager
from typing import Final

import pyarrow as pa

from broker_sim.engines.relational.store import Parameters, Rows
from broker_sim.engines.relational.tables import XPATH, XPATH_EDGE, XPATH_TEST, Row, Table
from broker_sim.errors import ConfigurationError

try:
    import psycopg
except ImportError as missing:
    raise ConfigurationError("PostgreSQL needs psycopg; install the extra 'postgresql'") from missing

_LISTS: Final = (XPATH_EDGE, XPATH_TEST)
_WRITERS: Final = 0x62726F6B
"""The number of the advisory lock that writers take."""

_MANY: Final = 1_000
"""So many new rows are worth new statistics."""

_TABLES: Final = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"


class PostgresqlStore:
    """One connection to a PostgreSQL server."""

    def __init__(self, location: str | None, memory: str | None) -> None:
        if location is None:
            raise ConfigurationError("PostgreSQL needs a location: a connection string such as postgresql://host/name")
        if memory is not None:
            raise ConfigurationError("the memory of PostgreSQL is set at the server; leave the option out")
        try:
            self._connection = psycopg.connect(
                location, autocommit=True, prepare_threshold=None, client_encoding="utf8", connect_timeout=10
            )
        except psycopg.Error as error:
            raise ConfigurationError(f"PostgreSQL cannot be reached: {str(error).strip()}") from error
        encoding = self._connection.info.parameter_status("server_encoding")
        if encoding != "UTF8":
            raise ConfigurationError(f"the PostgreSQL database has the encoding {encoding}, expected UTF8")
        with self._writing():
            self._create(XPATH)
            self._execute("CREATE INDEX IF NOT EXISTS xpath_owner ON xpath (owner)")
            for table in _LISTS:
                self._execute(f"CREATE TABLE IF NOT EXISTS {table.name} ({table.ddl})")
            self._execute("CREATE INDEX IF NOT EXISTS xpath_edge_low_node ON xpath_edge USING hash (low_node)")
            self._execute("CREATE INDEX IF NOT EXISTS xpath_test_value ON xpath_test USING hash (value)")

    @property
    def tables(self) -> Set[str]:
        """The tables of XPaths, as the current transaction sees them."""
        return {str(row[0]) for row in self.query(_TABLES, {})}

    def insert(self, rows: Rows) -> None:
        """Add rows, and tables for levels that had none."""
        with self._writing():
            for table, new in rows:
                if new and table in _LISTS:
                    self._add_missing(table, new)
                elif new:
                    self._create(table)
                    self._copy(table, new)
                    if len(new) >= _MANY:
                        self._execute(f"ANALYZE {table.name}")

    def delete(self, ids: Collection[int]) -> None:
        """Remove every row with these ids; the lists of distinct values keep theirs, which does no harm."""
        with self._writing():
            for name in self.tables:
                if name == XPATH.name or name.startswith(("xpath_frame_", "xpath_pred_")):
                    self._connection.execute(f"DELETE FROM {name} WHERE id = ANY(%s)".encode(), [list(ids)])

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """A transaction that sees one state throughout; temporary tables are emptied when it ends."""
        with self._connection.transaction():
            self._execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            self._execute("SET LOCAL enable_nestloop = off")
            yield

    def publish(self, table: Table, rows: pa.Table) -> None:
        """Copy the rows to the server."""
        self._empty(table)
        self._copy(table, zip(*(column.to_pylist() for column in rows.columns), strict=True))
        self._execute(f"ANALYZE {table.name}")

    def derive(self, table: Table, select: str, parameters: Parameters) -> None:
        """Store what the SELECT finds."""
        self._empty(table)
        columns = ", ".join(name for name, _ in table.columns)
        self._execute(f"INSERT INTO {table.name} ({columns}) {select}", parameters)
        self._execute(f"ANALYZE {table.name}")

    def query(self, select: str, parameters: Parameters) -> list[Row]:
        """Fetch what the SELECT finds."""
        return self._execute(select, parameters).fetchall()

    def close(self) -> None:
        """End the session."""
        self._connection.close()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._connection.transaction():
            self._connection.execute(b"SELECT pg_advisory_xact_lock(%s)", [_WRITERS])
            try:
                yield
            except psycopg.errors.UniqueViolation as error:
                raise ValueError(f"a subscription id is taken: {error.diag.message_detail}") from error

    def _create(self, table: Table) -> None:
        key = ", ".join(table.key)
        self._execute(f"CREATE TABLE IF NOT EXISTS {table.name} ({table.ddl}, PRIMARY KEY ({key}))")

    def _empty(self, table: Table) -> None:
        self._execute(f"CREATE TEMP TABLE IF NOT EXISTS {table.name} ({table.ddl}) ON COMMIT DELETE ROWS")
        self._execute(f"TRUNCATE {table.name}")

    def _copy(self, table: Table, rows: Iterable[Row]) -> None:
        with self._connection.cursor() as cursor, cursor.copy(f"COPY {table.name} FROM STDIN".encode()) as copy:
            for row in rows:
                copy.write_row(row)

    def _add_missing(self, table: Table, rows: list[Row]) -> None:
        """Rows that a list lacks; no one else writes meanwhile."""
        marks = ", ".join("%s" for _ in table.columns)
        same = " AND ".join(f"{name} = %s" for name in table.key)
        statement = (
            f"INSERT INTO {table.name} SELECT {marks} WHERE NOT EXISTS (SELECT 1 FROM {table.name} WHERE {same})"
        )
        with self._connection.cursor() as cursor:
            cursor.executemany(statement.encode(), [(*row, *row[: len(table.key)]) for row in rows])

    def _execute(self, statement: str, parameters: Parameters | None = None) -> psycopg.Cursor[Row]:
        for name in parameters or {}:
            statement = statement.replace(f":{name}", f"%({name})s")
        return self._connection.execute(statement.encode(), parameters or None)
