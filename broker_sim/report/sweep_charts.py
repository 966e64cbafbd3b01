"""The charts of a sweep: each measure against an axis, means over seeds with their confidence intervals.

The x axis is the axis of numbers with the most values, or the first of several values. Strategies are lines; further
axes make a chart each, as long as there are not too many of them, and are named in the lines otherwise.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import sqrt
from statistics import fmean, stdev
from typing import Any, Final

from broker_sim.experiment.confidence import t_quantile
from broker_sim.report.charts import Chart, Lines, Series

Rows = Sequence[Mapping[str, Any]]

CONFIDENCE: Final = 0.95
MAX_LINES: Final = 8
MAX_CHARTS: Final = 24

MEASURES: Final = {
    "lost": "documents lost to faults",
    "recovery_p50": "median recovery, seconds",
    "messages_received": "messages received",
    "prt_total": "subscriptions in all tables",
    "false_positives": "false positives",
    "delay_p50": "median delay, seconds",
    "delay_p99": "99 % delay, seconds",
    "table_covering": "table entries with covering",
    "table_schema_covering": "table entries with schema-aware covering",
    "milliseconds": "milliseconds for a publication",
    "reliability_messages": "messages for reliability",
}


@dataclass(frozen=True, slots=True)
class _Plan:
    """Which axis is which."""

    x: str
    lines: tuple[str, ...]
    charts: tuple[str, ...]


def sweep_axes(rows: Rows) -> list[str]:
    """The columns that the sweep varied: they stand between the cell's key and the first column of a row."""
    names = list(rows[0]) if rows else []
    if "cell" not in names or "schema_version" not in names:
        return []
    inner = names[names.index("cell") + 1 : names.index("schema_version")]
    varied = [name for name in inner if name != "seed" and len({row[name] for row in rows}) > 1]
    extra = [name for name in ("set", "strategy", "engine", "covering") if name not in inner and name in names]
    varied += [name for name in extra if len({row[name] for row in rows}) > 1]
    return _independent(rows, varied)


def _independent(rows: Rows, axes: list[str]) -> list[str]:
    """Without axes that follow from another one, as those that are zipped do; of two such, the first stays."""
    kept = list(axes)
    for name in reversed(axes):
        if any(_follows(rows, name, other) for other in kept if other != name):
            kept.remove(name)
    return kept


def _follows(rows: Rows, name: str, other: str) -> bool:
    return len({(row[other], row[name]) for row in rows}) == len({row[other] for row in rows})


def sweep_charts(rows: Rows) -> list[Chart]:
    """A chart for each measure, and for each combination of the axes that are not in it."""
    axes = sweep_axes(rows)
    if not axes:
        return []
    plan = _plan(rows, axes)
    measures = [name for name in MEASURES if any(row.get(name) for row in rows)]
    charts: list[Chart] = [chart for measure in measures for chart in _charts(rows, measure, plan)]
    return charts[:MAX_CHARTS]


def _plan(rows: Rows, axes: list[str]) -> _Plan:
    count = {name: len({row[name] for row in rows}) for name in axes}
    numbers = [name for name in axes if all(_is_number(row[name]) for row in rows)]
    x = max(numbers or axes, key=count.__getitem__)
    others = sorted((name for name in axes if name != x), key=lambda name: (name != "strategy", count[name]))
    lines: list[str] = []
    for name in others:
        if _times(count[one] for one in [*lines, name]) <= MAX_LINES or not lines:
            lines.append(name)
    return _Plan(x, tuple(lines), tuple(name for name in others if name not in lines))


def _times(counts: Iterator[int]) -> int:
    total = 1
    for count in counts:
        total *= count
    return total


def _charts(rows: Rows, measure: str, plan: _Plan) -> Iterator[Lines]:
    known = [row for row in rows if row.get(measure) is not None]
    ticks = () if all(_is_number(row[plan.x]) for row in rows) else _distinct(rows, plan.x)
    for values in product(*(_distinct(known, name) for name in plan.charts)):
        where = dict(zip(plan.charts, values, strict=True))
        chosen = [row for row in known if all(row[name] == value for name, value in where.items())]
        if not chosen:
            continue
        place = ", ".join(f"{name} {_text(value)}" for name, value in where.items())
        title = MEASURES[measure].capitalize() + (f": {place}" if place else "")
        seeds = len({row["seed"] for row in chosen}) if "seed" in chosen[0] else 1
        note = f"Means over {seeds} seeds" + (", with 95 % confidence intervals." if seeds > 1 else ".")
        yield Lines(title, note, plan.x, MEASURES[measure], tuple(_series(chosen, measure, plan, ticks)), _texts(ticks))


def _series(rows: Rows, measure: str, plan: _Plan, ticks: tuple[Any, ...]) -> Iterator[Series]:
    groups: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in plan.lines), []).append(row)
    for values, members in groups.items():
        name = ", ".join(map(_text, values)) or MEASURES[measure]
        points: dict[Any, list[float]] = {}
        for row in members:
            points.setdefault(row[plan.x], []).append(float(row[measure]))
        xs = sorted(points, key=ticks.index if ticks else float)
        means = [_mean(points[x]) for x in xs]
        yield Series(
            name,
            tuple(float(ticks.index(x)) if ticks else float(x) for x in xs),
            tuple(mean for mean, _ in means),
            tuple(None if margin is None else mean - margin for mean, margin in means),
            tuple(None if margin is None else mean + margin for mean, margin in means),
        )


def _mean(values: list[float]) -> tuple[float, float | None]:
    """The mean, and how far it may lie from the truth."""
    if len(values) < 2:
        return values[0], None
    return fmean(values), t_quantile(CONFIDENCE, len(values) - 1) * stdev(values) / sqrt(len(values))


def _distinct(rows: Rows, name: str) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(row[name] for row in rows))


def _texts(values: tuple[Any, ...]) -> tuple[str, ...]:
    return tuple(map(_text, values))


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
