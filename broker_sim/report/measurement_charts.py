"""The charts of experiments that measure one broker: table size, routing time and filtering time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from broker_sim.report.charts import Bars, Chart, Lines, Part, Series

Rows = Sequence[Mapping[str, Any]]


def measurement_charts(kind: str, rows: Rows) -> list[Chart]:
    """The charts for the rows of a `table-size`, `routing-time` or `filtering-time` experiment."""
    if kind == "filtering-time":
        return _filtering_time(rows)
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


def _filtering_time(rows: Rows) -> list[Chart]:
    """A chart for each figure, and one for the memory of the engines."""
    times = [row for row in rows if row["again"] is not None]
    charts: list[Chart] = []
    for figure in dict.fromkeys(row["figure"] for row in times):
        here = [row for row in times if row["figure"] == figure]
        series = tuple(_engine_series(name, here) for name in dict.fromkeys(row["engine"] for row in here))
        note = "CPU time for a document, parsing included, in the second pass."
        charts.append(Lines(f"Filtering time, figure {figure}", note, here[0]["vary"], "milliseconds", series))
    weighed = [row for row in rows if row["again"] is None]
    if weighed:
        charts.append(_memory(weighed))
    return charts


def _engine_series(name: str, rows: Rows) -> Series:
    chosen = [row for row in rows if row["engine"] == name]
    return Series(name, tuple(float(row["x"]) for row in chosen), tuple(float(row["again"]) for row in chosen))


def _memory(rows: Rows) -> Bars:
    marks = tuple(row["paper_megabytes"] for row in rows)
    return Bars(
        f"Memory for {rows[0]['expressions']:,} expressions",
        "What Python holds for them, and what documents add to it. The mark is the paper's figure.",
        "megabytes",
        tuple(str(row["engine"]) for row in rows),
        (
            Part("expressions", tuple(float(row["built_megabytes"]) for row in rows)),
            Part("after documents", tuple(max(0.0, row["held_megabytes"] - row["built_megabytes"]) for row in rows)),
        ),
        marks if any(marks) else (),
    )
