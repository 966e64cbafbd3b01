"""Charts as values: what is shown, apart from how it is drawn.

The page draws them with SVG (`assets/charts.js`), `pictures` with matplotlib; both show the same, and a reader who
sees neither has the same numbers as a table.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Part:
    """One layer of stacked bars: a value for each category."""

    name: str
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Bars:
    """Stacked bars, one for each category, with a mark where a paper gives a figure."""

    title: str
    note: str
    unit: str
    categories: tuple[str, ...]
    parts: tuple[Part, ...]
    marks: tuple[float | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Series:
    """One line through points; `low` and `high` bound the values where they are known."""

    name: str
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    low: tuple[float | None, ...] = ()
    high: tuple[float | None, ...] = ()
    mark: bool = False
    """Drawn as single marks: figures of a paper."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines over a common axis; with `ticks`, x counts these values from 0. `step` keeps a value until the next."""

    title: str
    note: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    ticks: tuple[str, ...] = ()
    step: bool = False


Chart = Bars | Lines


def chart_object(chart: Chart) -> dict[str, Any]:
    """The chart for JSON."""
    return {"type": "bars" if isinstance(chart, Bars) else "lines", **asdict(chart)}
