"""The relational engine: subscriptions in a database, matched there.

`database` is `duckdb` (in process, the default), `postgresql` or `spark`. `location` is where subscriptions live: a
file for DuckDB (none: in memory), a connection string for PostgreSQL, a directory for Spark SQL (none: a temporary
one). What is there already is there again: a stopped engine goes on with its subscriptions.

Memory is bounded by `pairs`, the number of pairs of document and XPath that are looked at together. More XPaths than
that are matched in several ranges of ids, fewer let several documents share one pass (`match_all`). A pass costs a
few statements for each level, whatever the number of documents.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from types import TracebackType
from typing import Final, Self

from lxml import etree
from pyroaring import BitMap

from broker_sim.engines.documents import Document, chain, parse
from broker_sim.engines.engine import MAX_ID, require_known, require_new
from broker_sim.engines.relational import matching
from broker_sim.engines.relational.publishing import Publication
from broker_sim.engines.relational.store import Parameters, Rows, Store
from broker_sim.engines.relational.subscribing import levels_of
from broker_sim.engines.relational.tables import (
    MATCHED_XPATH,
    XML_EDGE,
    XML_LEAF,
    XML_TEST,
    XPATH,
    XPATH_EDGE,
    XPATH_TEST,
    Row,
    xml_match,
    xpath_frame,
    xpath_pred,
)
from broker_sim.errors import ConfigurationError
from broker_sim.xpath import Expression

_DISJUNCT: Final = MAX_ID + 1
"""The first XPath of a subscription has its id, each further one so much more."""

_BULK: Final = 20_000
"""How many subscriptions `add_all` writes in one transaction."""

_DOCUMENTS: Final = 1_000
"""How many documents share a pass at most."""

DATABASES: Final = {
    "duckdb": ("duckdb_store", "DuckDbStore", 250_000),
    "postgresql": ("postgresql_store", "PostgresqlStore", 250_000),
    "spark": ("spark_store", "SparkStore", 20_000_000),
}
"""Database -> module and class of its store, and how many pairs of document and XPath it takes at a time."""


class Relational:
    """The paper's publish, subscribe and match on a database."""

    def __init__(
        self,
        database: str = "duckdb",
        location: str | None = None,
        cutting: bool = True,
        memory: str | None = None,
        pairs: int | None = None,
    ) -> None:
        if database not in DATABASES:
            raise ConfigurationError(f"unknown database {database!r}; expected one of {', '.join(DATABASES)}")
        module, class_name, usual = DATABASES[database]
        self._pairs = usual if pairs is None else pairs
        if type(self._pairs) is not int or self._pairs < 1:
            raise ConfigurationError(f"pairs is {pairs!r}, expected a number from 1")
        factory = getattr(importlib.import_module(f"broker_sim.engines.relational.{module}"), class_name)
        self.store: Store = factory(None if location is None else str(location), memory)
        self.cutting = cutting
        self._arriving: dict[int, Expression] | None = None

    def add(self, id: int, expression: Expression) -> None:
        """Subscribe, in one transaction, or at the end of `loading`."""
        if self._arriving is not None:
            require_new(self._arriving, id)
            self._arriving[id] = expression
        else:
            require_new(self, id)
            self.store.insert(_rows([(id, expression)]))

    @contextmanager
    def loading(self) -> Iterator[None]:
        """Collect what is added inside, and write it with `add_all` unless the block fails."""
        self._arriving = {}
        try:
            yield
            collected = self._arriving
        finally:
            self._arriving = None
        self.add_all(collected.items())

    def add_all(self, subscriptions: Iterable[tuple[int, Expression]]) -> None:
        """Subscribe many at once; a transaction holds `_BULK` of them."""
        arriving = iter(subscriptions)
        while some := list(islice(arriving, _BULK)):
            for id, _ in some:
                require_new((), id)
            self.store.insert(_rows(some))

    def remove(self, id: int) -> None:
        """Unsubscribe: delete by id, in one transaction."""
        require_known(self, id)
        found = self.store.query("SELECT id FROM xpath WHERE owner = :owner", {"owner": id})
        self.store.delete([_integer(row[0]) for row in found])

    def match(self, document: Document) -> BitMap:
        """The ids whose expression the document matches."""
        return self._match([parse(document)])[0]

    def match_all(self, documents: Iterable[Document]) -> Iterator[BitMap]:
        """The ids that each document matches, in order; documents share passes."""
        arriving = iter(documents)
        most = min(_DOCUMENTS, max(1, self._pairs // self._xpaths()))
        while some := [parse(document) for document in islice(arriving, most)]:
            yield from self._match(some)

    def match_path(self, names: Sequence[str]) -> BitMap:
        """The ids whose expression this publication matches."""
        return self._match([chain(names)])[0]

    def __len__(self) -> int:
        return self._number("SELECT COUNT(*) FROM xpath WHERE id < :disjunct", {"disjunct": _DISJUNCT})

    def __contains__(self, id: object) -> bool:
        if not isinstance(id, int):
            return False
        return bool(self._number("SELECT COUNT(*) FROM xpath WHERE id = :id", {"id": id}))

    def close(self) -> None:
        """Let go of the database; what it keeps, it keeps."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _match(self, roots: list[etree._Element]) -> list[BitMap]:
        found = [BitMap() for _ in roots]
        with self.store.snapshot():
            publication = Publication(
                {str(row[0]) for row in self.store.query("SELECT DISTINCT node FROM xpath_test", {})}
            )
            for doc, root in enumerate(roots):
                publication.add(doc, root)
            for table, rows in publication.tables():
                self.store.publish(table, rows)
            self.store.derive(XML_EDGE, matching.FIND_EDGES, {})
            self.store.derive(XML_LEAF, matching.FIND_LEAVES, {})
            self.store.derive(XML_TEST, matching.FIND_TESTS, {})
            lowest = self._lowest(publication.depth)
            for low, high in self._ranges(len(roots)):
                for row in self._pass(lowest, {"low": low, "high": high}):
                    found[_integer(row[0])].add(_integer(row[1]))
        return found

    def _pass(self, lowest: int, ids: Parameters) -> list[Row]:
        """The five steps at every level, from the lowest to the top, for some of the XPaths."""
        tables = self.store.tables
        for level in range(lowest, 0, -1):
            steps = matching.find_level(
                level,
                lowest=level == lowest,
                edges=xpath_frame(level).name in tables,
                predicates=xpath_pred(level).name in tables,
                cutting=self.cutting,
            )
            self.store.derive(xml_match(level), steps, ids)
            if self.cutting and level > 1:
                self.store.derive(MATCHED_XPATH, matching.cut(level), {})
        return self.store.query(matching.ANSWER, {})

    def _lowest(self, depth: int) -> int:
        """Where to begin: every level leads one deeper into a document, unless it leads to a sibling."""
        level = 0
        while {xpath_frame(level + 1).name, xpath_pred(level + 1).name} & self.store.tables:
            level += 1
        siblings = self._number("SELECT COUNT(*) FROM xpath_edge WHERE max_diff = 0", {})
        return level if siblings else min(level, depth + 1)

    def _ranges(self, documents: int) -> list[tuple[int, int]]:
        """Ranges of XPath ids, each with at most so many that the pairs stay within bounds."""
        most = max(1, self._pairs // documents)
        last = self._number("SELECT COALESCE(MAX(id), -1) FROM xpath", {})
        if last < 0:
            return []
        if self._xpaths() <= most:
            return [(0, last)]
        ids = [_integer(row[0]) for row in self.store.query("SELECT id FROM xpath ORDER BY id", {})]
        starts = ids[::most]
        return [(low, high - 1) for low, high in zip(starts, [*starts[1:], last + 1], strict=True)]

    def _xpaths(self) -> int:
        return max(1, self._number("SELECT COUNT(*) FROM xpath", {}))

    def _number(self, select: str, parameters: Parameters) -> int:
        return _integer(self.store.query(select, parameters)[0][0])


def _rows(subscriptions: Iterable[tuple[int, Expression]]) -> Rows:
    """The rows of subscriptions for all tables, the XPaths first: a taken id is found before all else."""
    xpaths: list[Row] = []
    frames: list[list[Row]] = []
    predicates: list[list[Row]] = []
    tests: set[Row] = set()
    for owner, expression in subscriptions:
        for number, path in enumerate(expression.disjuncts):
            id = owner + number * _DISJUNCT
            levels = levels_of(path)
            xpaths.append((id, owner, str(path)))
            for place, level in enumerate(levels):
                if place == len(frames):
                    frames.append([])
                    predicates.append([])
                frames[place].extend([(id, *row) for row in level.edges])
                predicates[place].extend([(id, *row) for row in level.predicates])
                tests.update(level.tests)
    return [
        (XPATH, xpaths),
        *((xpath_frame(level), rows) for level, rows in enumerate(frames, 1)),
        *((xpath_pred(level), rows) for level, rows in enumerate(predicates, 1)),
        (XPATH_EDGE, list({row[3:7] for rows in frames for row in rows})),
        (XPATH_TEST, list(tests)),
    ]


def _integer(value: int | bool | str | None) -> int:
    assert isinstance(value, int)
    return value
