"""Charts as a picture, PNG or SVG, drawn by matplotlib (the extra `notebooks`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from broker_sim.network.plot import check_picture, save_figure
from broker_sim.report.charts import Bars, Chart, Lines

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["check_picture", "plot_charts"]

COLOURS: Final = ("#4269d0", "#d98b00", "#d6455d", "#2a9d8f", "#8f5bb5", "#7f6a5a", "#5f7f2f", "#5c6b7a")
KIND_COLOURS: Final = {
    "advertise": "#8f5bb5",
    "unadvertise": "#7f6a5a",
    "subscribe": "#2f66d0",
    "unsubscribe": "#5c6b7a",
    "publish": "#d97706",
}
"""The colours of the page (`assets/style.css`): of series by their place, of messages by their kind."""


def plot_charts(charts: Sequence[Chart], path: Path) -> None:
    """Draw `charts` into `path`, two in a row."""
    check_picture(path)
    from matplotlib.figure import Figure

    columns = min(2, len(charts))
    rows = -(-len(charts) // columns)
    figure = Figure(figsize=(7.5 * columns, 4.2 * rows), layout="constrained")
    places = figure.subplots(rows, columns, squeeze=False).flat
    for place, axes in enumerate(places):
        if place < len(charts):
            _draw(charts[place], axes)
        else:
            axes.set_axis_off()
    save_figure(figure, path)


def _draw(chart: Chart, axes: Axes) -> None:
    axes.set_title(chart.title, loc="left", fontweight="bold", parse_math=False)
    axes.spines[["top", "right"]].set_visible(False)
    if isinstance(chart, Bars):
        _draw_bars(chart, axes)
    else:
        _draw_lines(chart, axes)


def _draw_bars(chart: Bars, axes: Axes) -> None:
    places = range(len(chart.categories))
    left = [0.0] * len(chart.categories)
    for part, colour in zip(chart.parts, _colours([part.name for part in chart.parts]), strict=True):
        axes.barh(places, part.values, left=left, label=part.name, color=colour, height=0.62)
        left = [below + value for below, value in zip(left, part.values, strict=True)]
    marks = [(place, mark) for place, mark in enumerate(chart.marks) if mark is not None]
    if marks:
        ys, xs = zip(*marks, strict=True)
        axes.scatter(xs, ys, marker="|", s=260, color="black", linewidths=2, label="paper", zorder=3)
    axes.set_yticks(places, chart.categories, parse_math=False)
    axes.invert_yaxis()
    axes.set_xlabel(chart.unit)
    if len(chart.parts) + bool(marks) > 1:
        axes.legend(frameon=False, fontsize=8)


def _draw_lines(chart: Lines, axes: Axes) -> None:
    for series, colour in zip(chart.series, _colours([series.name for series in chart.series]), strict=True):
        if series.mark:
            axes.scatter(series.xs, series.ys, marker="D", color=colour, label=series.name, zorder=3)
            continue
        style = "steps-post" if chart.step else "default"
        marker = "o" if len(series.xs) < 20 and not chart.step else None
        axes.plot(series.xs, series.ys, drawstyle=style, marker=marker, markersize=3, color=colour, label=series.name)
        bounds = [
            (x, low, high)
            for x, low, high in zip(series.xs, series.low, series.high, strict=False)
            if low is not None and high is not None
        ]
        if bounds:
            xs, low, high = zip(*bounds, strict=True)
            axes.fill_between(xs, low, high, color=colour, alpha=0.15, linewidth=0)
    if chart.ticks:
        axes.set_xticks(range(len(chart.ticks)), chart.ticks, parse_math=False)
    axes.set_xlabel(chart.x_label)
    axes.set_ylabel(chart.y_label)
    axes.set_ylim(bottom=min(0, axes.get_ylim()[0]))
    if len(chart.series) > 1:
        for text in axes.legend(frameon=False, fontsize=8).get_texts():
            text.set_parse_math(False)


def _colours(names: Sequence[str]) -> list[str]:
    return [KIND_COLOURS.get(name, COLOURS[place % len(COLOURS)]) for place, name in enumerate(names)]
