"""The overlay as a picture: what the page draws (`assets/replay_canvas.js`), with the same colours and marks.

Links are as wide as what they carried, brokers as dark as their tables are large, and brokers with a publisher or a
subscriber have a ring of the colour of publications or notifications. A topology by itself has carried nothing and
knows nothing: its links are thin, its brokers light. Sizes are in points, as the page's are in pixels.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from broker_sim.experiment.rows import broker_rows, link_rows
from broker_sim.experiment.running import Outcome
from broker_sim.network.graph import Topology
from broker_sim.network.layout import Position, layout
from broker_sim.report.figure_files import check_picture, save_figure
from broker_sim.report.palette import LEVELS, LIGHT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIDE: Final = 520.0
"""How many points a picture is wide: 8 inches without their margins."""

STARTS_WITH: Final = "with-adv-with-cov"
"""The strategy that the page shows first, where it was run."""


@dataclass(frozen=True, slots=True)
class OverlayView:
    """What is drawn: loads by the ends of links, in natural order, sizes of tables and roles by broker."""

    topology: Topology
    loads: Mapping[tuple[str, str], int] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)
    roles: Mapping[str, Literal["publish", "notify"]] = field(default_factory=dict)
    title: str = ""


def view_of(outcomes: Sequence[Outcome]) -> OverlayView:
    """The overlay of a run under the strategy that the page shows first."""
    outcome = next((each for each in outcomes if each.strategy.name == STARTS_WITH), outcomes[0])
    scenario = outcome.scenario
    loads: dict[tuple[str, str], int] = {}
    for row in link_rows(outcome):
        for ends in ((row["sender"], row["receiver"]), (row["receiver"], row["sender"])):
            key = (str(ends[0]), str(ends[1]))
            loads[key] = loads.get(key, 0) + int(row["messages"] or 0)
    stays = [stay for subscriber in scenario.subscribers for stay in subscriber.stays]
    roles: dict[str, Literal["publish", "notify"]] = {stay.broker: "notify" for stay in stays}
    roles |= {each.broker: "publish" for each in scenario.publishers}
    sizes = {str(row["broker"]): int(row["srt_size"] or 0) + int(row["prt_size"] or 0) for row in broker_rows(outcome)}
    return OverlayView(scenario.topology, loads, sizes, roles, f"The overlay under {outcome.strategy.name}")


def plot_topology(topology: Topology, path: Path) -> None:
    """Draw `topology` into `path`; the same topology gives the same picture."""
    check_picture(path)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 8), layout="tight", facecolor=LIGHT["panel"])
    title = f"{topology.name}: {len(topology.brokers)} brokers, {len(topology.links)} links"
    draw_overlay(OverlayView(topology, title=title), figure.subplots(), SIDE)
    save_figure(figure, path)


def draw_overlay(view: OverlayView, axes: Axes, side: float) -> None:
    """Draw into axes that are about `side` points wide and high."""
    positions = _unit_positions(layout(view.topology))
    radius = min(17.0, max(2.0, 0.4 * _usual_spacing(list(positions.values())) * side))
    _draw_links(view, axes, positions, radius)
    _draw_brokers(view, axes, positions, radius)
    axes.set_title(view.title, loc="left", fontweight="bold", color=LIGHT["ink"], parse_math=False)
    margin = 0.02 + 1.5 * radius / side
    axes.set(xlim=(-margin, 1 + margin), ylim=(-margin, 1 + margin))
    axes.set_axis_off()


def _draw_links(view: OverlayView, axes: Axes, positions: Mapping[str, Position], radius: float) -> None:
    from matplotlib.collections import LineCollection

    heaviest = max(view.loads.values(), default=0) or 1
    widest = min(10.0, max(3.0, radius * 0.9))
    ends = [(link.first, link.second) for link in view.topology.links]
    widths = [0.8 + widest * math.sqrt(view.loads.get(each, 0) / heaviest) for each in ends]
    lines = [(positions[first], positions[second]) for first, second in ends]
    axes.add_collection(LineCollection(lines, colors=LIGHT["line"], linewidths=widths, capstyle="round"))


def _draw_brokers(view: OverlayView, axes: Axes, positions: Mapping[str, Position], radius: float) -> None:
    largest = max(view.sizes.values(), default=0) or 1
    brokers = view.topology.brokers
    levels = [min(len(LEVELS) - 1, int(math.sqrt(view.sizes.get(each, 0) / largest) * len(LEVELS))) for each in brokers]
    xs, ys = zip(*(positions[broker] for broker in brokers), strict=True)
    # A disc that knows nothing is nearly as light as the panel, so that a plain topology gets a darker edge.
    plain = LIGHT["panel"] if view.sizes else LIGHT["level-3"]
    axes.scatter(
        xs,
        ys,
        s=(2 * radius) ** 2,
        c=[LIGHT[LEVELS[level]] for level in levels],
        edgecolors=[LIGHT[view.roles[each]] if each in view.roles else plain for each in brokers],
        linewidths=[max(0.8, radius / 6) if each in view.roles else 0.8 for each in brokers],
        zorder=2,
    )
    for broker, level in zip(brokers, levels, strict=True):
        _draw_name(axes, view.topology.labels.get(broker, broker), positions[broker], radius, level)


def _draw_name(axes: Axes, label: str, position: Position, radius: float, level: int) -> None:
    """Inside the broker where it fits, below it where there is room, else not at all."""
    inside = len(label) <= 4 and radius >= 2 + 1.8 * len(label)
    if not inside and radius < 11:
        return
    on_disc = LIGHT["panel"] if level >= len(LEVELS) / 2 else LIGHT["ink"]
    style: dict[str, Any] = {
        "ha": "center",
        "va": "center" if inside else "top",
        "xytext": (0, 0 if inside else -radius - 3),
        "textcoords": "offset points",
        "fontsize": min(12, 2.4 * radius / max(2, len(label))) if inside else 9,
        "fontweight": "bold" if inside else "normal",
        "color": on_disc if inside else LIGHT["muted"],
    }
    axes.annotate(label[:24], position, zorder=3, parse_math=False, **style)


def _unit_positions(positions: Mapping[str, Position]) -> dict[str, Position]:
    """Moved into a square of side 1."""
    xs, ys = zip(*positions.values(), strict=True)
    left, bottom = min(xs), min(ys)
    across, up = max(xs) - left, max(ys) - bottom
    return {
        broker: ((x - left) / across if across else 0.5, (y - bottom) / up if up else 0.5)
        for broker, (x, y) in positions.items()
    }


def _usual_spacing(points: Sequence[Position]) -> float:
    """How far brokers are apart: a tenth of them have a nearer neighbour than this."""
    import numpy as np

    if len(points) < 2:
        return 1.0
    places = np.array(points)
    nearest = []
    for place in places[:: math.ceil(len(points) / 2000)]:
        squares = ((places - place) ** 2).sum(axis=1)
        nearest.append(float(squares[squares > 0].min(initial=1.0)))
    return math.sqrt(sorted(nearest)[len(nearest) // 10])
