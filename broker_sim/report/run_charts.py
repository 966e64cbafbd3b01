"""The charts of a run: traffic, table sizes, delays, strategy beside strategy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from broker_sim.experiment.rows import broker_rows, delivery_rows, summary_row, timeline_rows
from broker_sim.experiment.running import Outcome
from broker_sim.report.charts import Bars, Chart, Lines, Part, Series
from broker_sim.routing import KINDS

Rows = Sequence[Mapping[str, Any]]
Tables = Mapping[str, Rows]

PARTS: Final = (*KINDS, "reliability")
"""What the messages of a run divide into."""

POINTS: Final = 160
"""A line has at most about this many points."""


def charts_of_outcomes(outcomes: Sequence[Outcome]) -> list[Chart]:
    """The charts of a run that has just ended."""
    tables: dict[str, Rows] = {
        "summary": [summary_row(outcome) for outcome in outcomes],
        "brokers": [row for outcome in outcomes for row in broker_rows(outcome)],
        "timeline": [row for outcome in outcomes for row in timeline_rows(outcome)],
        "deliveries": [row for outcome in outcomes for row in delivery_rows(outcome)],
    }
    return run_charts(tables, outcomes[0].scenario.experiment.paper)


def run_charts(tables: Tables, paper: Mapping[str, float]) -> list[Chart]:
    """The charts of the rows of a run; `paper` gives a paper's messages by strategy."""
    summary = tables["summary"]
    charts: list[Chart] = [_traffic(summary, paper), _table_entries(summary)]
    if any(row["false_positives"] for row in summary):
        charts.append(_false_positives(summary))
    if any(row.get("faults") or row.get("lost") for row in summary):
        charts.append(_under_faults(summary))
    charts += [
        chart
        for chart in (
            _delays(tables.get("deliveries", ())),
            _broker_tables(tables.get("brokers", ())),
            _over_time(tables.get("timeline", ())),
        )
        if chart.series
    ]
    return charts


def _traffic(summary: Rows, paper: Mapping[str, float]) -> Bars:
    marks = tuple(paper.get(row["strategy"]) for row in summary)
    note = "Every message that arrives at any broker, by kind."
    return Bars(
        "Messages received",
        f"{note} The mark is the paper's figure." if any(marks) else note,
        "messages",
        _strategies(summary),
        tuple(
            Part(kind, _values(summary, f"{kind}_messages"))
            for kind in PARTS
            if any(row.get(f"{kind}_messages") for row in summary)
        ),
        marks if any(marks) else (),
    )


def _table_entries(summary: Rows) -> Bars:
    return Bars(
        "Table entries at rest",
        "Advertisements (SRT) and subscriptions (PRT) in the tables of all brokers.",
        "entries",
        _strategies(summary),
        (Part("advertisements", _values(summary, "srt_total")), Part("subscriptions", _values(summary, "prt_total"))),
    )


def _false_positives(summary: Rows) -> Bars:
    return Bars(
        "Publications that had to travel, and the rest",
        "A publication is needed at a broker on its way to somebody who asked for it; the rest are false positives.",
        "messages",
        _strategies(summary),
        (
            Part("needed", _values(summary, "least_publish_messages")),
            Part("false positives", _values(summary, "false_positives")),
        ),
    )


def _under_faults(summary: Rows) -> Bars:
    return Bars(
        "Documents under faults",
        "What clients asked for and got, and what was lost where nothing is promised.",
        "deliveries",
        _strategies(summary),
        (Part("delivered", _values(summary, "deliveries")), Part("lost", _values(summary, "lost"))),
    )


def _delays(deliveries: Rows) -> Lines:
    series = []
    for strategy, rows in _by_strategy(deliveries):
        ordered = sorted(float(row["delay"]) * 1000 for row in rows)
        shares = tuple((place + 1) / len(ordered) * 100 for place in _places(len(ordered)))
        series.append(Series(strategy, tuple(ordered[place] for place in _places(len(ordered))), shares))
    return Lines(
        "Delay of deliveries",
        "The share of all notifications that came within a time.",
        "milliseconds from publication",
        "% of deliveries",
        tuple(series),
        step=True,
    )


def _broker_tables(brokers: Rows) -> Lines:
    series = []
    for strategy, rows in _by_strategy(brokers):
        ordered = sorted((int(row["prt_size"]) for row in rows), reverse=True)
        places = _places(len(ordered))
        series.append(Series(strategy, tuple(place + 1.0 for place in places), tuple(ordered[one] for one in places)))
    return Lines(
        "Table size, broker by broker",
        "Subscriptions in the table of each broker, from the largest table to the smallest.",
        "brokers, by table size",
        "subscriptions",
        tuple(series),
    )


def _over_time(timeline: Rows) -> Lines:
    series = []
    for strategy, rows in _by_strategy(timeline):
        chosen = [rows[place] for place in _places(len(rows))]
        totals = tuple(float(row["srt_total"] + row["prt_total"]) for row in chosen)
        series.append(Series(strategy, tuple(float(row["time"]) for row in chosen), totals))
    return Lines(
        "Table entries over time",
        "Advertisements and subscriptions in the tables of all brokers together.",
        "simulated seconds",
        "entries",
        tuple(series),
        step=True,
    )


def _places(number: int) -> list[int]:
    """Places of a list at even distances, first and last among them."""
    if number <= POINTS:
        return list(range(number))
    return [round(step * (number - 1) / (POINTS - 1)) for step in range(POINTS)]


def _by_strategy(rows: Rows) -> Iterator[tuple[str, Rows]]:
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault(row["strategy"], []).append(row)
    yield from groups.items()


def _strategies(summary: Rows) -> tuple[str, ...]:
    return tuple(str(row["strategy"]) for row in summary)


def _values(summary: Rows, key: str) -> tuple[float, ...]:
    return tuple(float(row[key] or 0) for row in summary)
