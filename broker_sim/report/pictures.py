"""A run as a picture, PNG or SVG, drawn by matplotlib (the extra `notebooks`): its overlay, then its charts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from broker_sim.report.charts import Bars, Chart, Lines
from broker_sim.report.figure_files import check_picture, save_figure
from broker_sim.report.overlay_picture import OverlayView, draw_overlay
from broker_sim.report.palette import LIGHT, SERIES
from broker_sim.report.run_charts import PARTS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["check_picture", "plot_charts"]


def plot_charts(charts: Sequence[Chart], path: Path, overlay: OverlayView | None = None) -> None:
    """Draw the overlay, if there is one, and `charts` into `path`, two in a row."""
    check_picture(path)
    from matplotlib.figure import Figure

    drawn: list[Chart | OverlayView] = [*([] if overlay is None else [overlay]), *charts]
    columns = min(2, len(drawn))
    rows = -(-len(drawn) // columns)
    figure = Figure(figsize=(7.5 * columns, 4.2 * rows), layout="constrained", facecolor=LIGHT["panel"])
    for place, axes in enumerate(figure.subplots(rows, columns, squeeze=False).flat):
        each = drawn[place] if place < len(drawn) else None
        if isinstance(each, OverlayView):
            draw_overlay(each, axes, side=270)
        elif each is not None:
            _draw(each, axes)
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
        axes.scatter(xs, ys, marker="|", s=260, color=LIGHT["ink"], linewidths=2, label="paper", zorder=3)
    axes.set_yticks(places, chart.categories, parse_math=False)
    axes.invert_yaxis()
    axes.set_xlabel(chart.unit)
    if len(chart.parts) + bool(marks) > 1:
        axes.legend(frameon=False, fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=6)


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
    """Of messages by their kind, of series by their place."""
    return [LIGHT[name if name in PARTS else SERIES[place % len(SERIES)]] for place, name in enumerate(names)]
