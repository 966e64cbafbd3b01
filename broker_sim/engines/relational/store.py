"""What the engine asks of a database: to keep subscriptions, and to answer SELECTs about a document.

A store keeps the tables of XPaths, for good if it has a place to do so. What belongs to a document lives in temporary
tables that no one else sees. Everything inside `snapshot` sees one state of the subscriptions, whatever others change
meanwhile; changes are transactions, so a subscription is there with all its rows or not at all.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Set
from contextlib import AbstractContextManager
from typing import Protocol

import pyarrow as pa

from broker_sim.engines.relational.tables import Row, Table

Parameters = Mapping[str, int | str]
"""The values for `:name` in a statement."""

Rows = list[tuple[Table, list[Row]]]


class Store(Protocol):
    """Subscriptions as tables."""

    @property
    def tables(self) -> Set[str]:
        """The names of the tables of XPaths; one that has never had a row may be missing."""

    def insert(self, rows: Rows) -> None:
        """Add rows to the tables of XPaths in one transaction; raises `ValueError` if an XPath's id is taken."""

    def delete(self, ids: Collection[int]) -> None:
        """Remove every row of the XPaths with these ids, in one transaction."""

    def snapshot(self) -> AbstractContextManager[None]:
        """One state of the subscriptions for all that is asked inside; temporary tables end with it."""

    def publish(self, table: Table, rows: pa.Table) -> None:
        """Make a temporary table of these rows."""

    def derive(self, table: Table, select: str, parameters: Parameters) -> None:
        """Make a temporary table of what a SELECT finds."""

    def query(self, select: str, parameters: Parameters) -> list[Row]:
        """The rows that a SELECT finds."""

    def close(self) -> None:
        """Let go of the database."""
