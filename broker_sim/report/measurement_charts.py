"""The charts of experiments that measure one broker: table size and routing time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from broker_sim.report.charts import Bars, Chart, Lines, Part, Series

Rows = Sequence[Mapping[str, Any]]


def measurement_charts(kind: str, rows: Rows) -> list[Chart]:
    """The charts for the rows of a `table-size` or `routing-time` experiment."""
    return [_table_size(rows) if kind == "table-size" else _routing_time(rows)]


def _table_size(rows: Rows) -> Lines:
    series = []
    for name in dict.fromkeys(row["set"] for row in rows):
        chosen = [row for row in rows if row["set"] == name]
        xs = tuple(float(row["queries"]) for row in chosen)
        for column, words in (("table_covering", "covering"), ("table_schema_covering", "schema-aware covering")):
            series.append(Series(f"{name}, {words}", xs, tuple(float(row[column]) for row in chosen)))
        last = chosen[-1]
        if last["paper_covered"] is not None:
            left = float(last["queries"]) * (1 - float(last["paper_covered"]))
            series.append(Series(f"{name}, paper", xs[-1:], (left,), mark=True))
    return Lines(
        "Table size with covering",
        "Subscriptions that stay in the table of one broker. Single marks are the paper's figures.",
        "distinct queries",
        "table entries",
        tuple(series),
    )


def _routing_time(rows: Rows) -> Bars:
    marks = tuple(row["paper_milliseconds"] for row in rows)
    return Bars(
        "Time to match one publication",
        "By set of queries and engine, with the whole table and with the covering-maximal one. The mark is the paper's "
        "figure for a scan on its own machine.",
        "milliseconds",
        tuple(f"{row['set']}, {row['engine']}{', covering' if row['covering'] else ''}" for row in rows),
        (Part("matching", tuple(float(row["milliseconds"]) for row in rows)),),
        marks if any(marks) else (),
    )
