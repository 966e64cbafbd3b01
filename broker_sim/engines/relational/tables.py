"""The tables of the paper: their names and columns, for every database.

Only integers, booleans and texts occur. A subscription is one or more XPaths (`or` leaves several), each with an id
of its own. The tree of an XPath has the document as its root; its nodes are elements, attributes (`@x`), text nodes
(`text()`) and the wildcards of each (`*`, `@*`). An edge belongs to the level of its high node, and so does a
predicate to the level of the edges that leave its node; levels count from 1, at the document. Nodes of equal depth
have serial numbers, and a predicate has one too, as if it were a leaf below its node.

Where we depart from the paper's columns:

- `doc` says which document a row belongs to, so that a batch is matched in one pass;
- `branches` counts what leaves the high node; where it is more than one the node is a branching point. Comparing the
  count with what was found is the paper's set difference, and cheaper;
- `bottom` marks the deepest level of an XPath: there it enters the race, and the table of all XPaths is not needed;
- `number` holds a value as an integer that compares as the number does (see `numbers`). The operations 0 to 5 are the
  paper's (=, >, >=, <, <=, !=) and compare numbers; 6 and 7 are = and != of texts;
- a following sibling is an edge with a depth difference of zero; `above` of a node is its parent's start point;
- `xpath_edge` and `xpath_test` list the distinct edges and predicates. A document is compared with these first
  (`xml_edge` and `xml_test` say where they hold), and only then joined with the subscriptions;
- `xml_descent` pairs every node with each node above it, by start points: the paper compares ranges, for which
  databases have no hash join. It has (nodes) x (depth) rows;
- `xml_match` keeps what the level above asks for, the high nodes; which low nodes they were found with does not
  matter to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import pyarrow as pa

Kind = Literal["BIGINT", "BOOLEAN", "VARCHAR"]
Row = tuple[int | bool | str | None, ...]

_ARROW: Final = {"BIGINT": pa.int64(), "BOOLEAN": pa.bool_(), "VARCHAR": pa.string()}


@dataclass(frozen=True, slots=True)
class Table:
    """A name, the columns with their types, and the columns of its key, as the paper sets it."""

    name: str
    columns: tuple[tuple[str, Kind], ...]
    key: tuple[str, ...] = ()

    @property
    def schema(self) -> pa.Schema:
        """The columns for Arrow."""
        return pa.schema([(name, _ARROW[kind]) for name, kind in self.columns])

    @property
    def ddl(self) -> str:
        """The columns as CREATE TABLE wants them."""
        return ", ".join(f"{name} {kind}" for name, kind in self.columns)


def arrow(table: Table, rows: list[Row]) -> pa.Table:
    """The rows as an Arrow table."""
    columns = zip(*rows, strict=True) if rows else ((),) * len(table.columns)
    arrays = [pa.array(column, type=field.type) for column, field in zip(columns, table.schema, strict=True)]
    return pa.Table.from_arrays(arrays, schema=table.schema)


def _columns(names: str, kind: Kind) -> tuple[tuple[str, Kind], ...]:
    return tuple((name, kind) for name in names.split())


XML_FRAME: Final = Table(
    "xml_frame",
    (("doc", "BIGINT"), ("node", "VARCHAR"), *_columns("start_point end_point depth above", "BIGINT")),
    ("doc", "node", "start_point"),
)
XML_VALUE: Final = Table(
    "xml_value",
    (("doc", "BIGINT"), ("node", "VARCHAR"), ("start_point", "BIGINT"), ("value", "VARCHAR"), ("number", "BIGINT")),
    ("doc", "node", "start_point"),
)
XML_DESCENT: Final = Table("xml_descent", _columns("doc high_start low_start", "BIGINT"))
XML_EDGE: Final = Table(
    "xml_edge",
    (
        *_columns("doc high_start low_start", "BIGINT"),
        *_columns("high_node low_node", "VARCHAR"),
        *_columns("min_diff max_diff", "BIGINT"),
    ),
)
XML_LEAF: Final = Table("xml_leaf", tuple(column for column in XML_EDGE.columns if column[0] != "low_start"))
MATCHED_XPATH: Final = Table("matched_xpath", _columns("doc id", "BIGINT"), ("doc", "id"))

XPATH: Final = Table("xpath", (*_columns("id owner", "BIGINT"), ("expression", "VARCHAR")), ("id",))
XPATH_EDGE: Final = Table(
    "xpath_edge",
    (*_columns("high_node low_node", "VARCHAR"), *_columns("min_diff max_diff", "BIGINT")),
    ("high_node", "low_node", "min_diff", "max_diff"),
)
_TEST: Final[tuple[tuple[str, Kind], ...]] = (("node", "VARCHAR"), ("operation", "BIGINT"), ("value", "VARCHAR"))
XPATH_TEST: Final = Table("xpath_test", (*_TEST, ("number", "BIGINT")), ("node", "operation", "value"))
XML_TEST: Final = Table("xml_test", (*_columns("doc high_start", "BIGINT"), *_TEST))


def xml_match(level: int) -> Table:
    """Where the part of an XPath from this level downwards was found: at which nodes, by their start points."""
    return Table(f"xml_match_{level}", _columns("doc id high_num high_start", "BIGINT"))


def xpath_frame(level: int) -> Table:
    """The edges of one level."""
    return Table(
        f"xpath_frame_{level}",
        (
            *_columns("id high_num low_num", "BIGINT"),
            *XPATH_EDGE.columns,
            ("branches", "BIGINT"),
            *_columns("final bottom", "BOOLEAN"),
        ),
        ("id", "high_num", "low_num"),
    )


def xpath_pred(level: int) -> Table:
    """The predicates of one level."""
    return Table(
        f"xpath_pred_{level}",
        (*_columns("id high_num low_num", "BIGINT"), *_TEST, ("branches", "BIGINT"), ("bottom", "BOOLEAN")),
        ("id", "high_num", "low_num"),
    )


def named(name: str) -> Table:
    """The table of XPaths with this name."""
    kind, _, level = name.rpartition("_")
    if level.isdigit():
        return xpath_frame(int(level)) if kind == "xpath_frame" else xpath_pred(int(level))
    return {table.name: table for table in (XPATH, XPATH_EDGE, XPATH_TEST)}[name]
