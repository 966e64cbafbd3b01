"""A topology as a picture, PNG or SVG, drawn by matplotlib (the extra `notebooks`)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from broker_sim.atomic import atomic_writer
from broker_sim.errors import ConfigurationError
from broker_sim.network.graph import Topology
from broker_sim.network.layout import layout

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS: Final = ("png", "svg")
MAX_NAMES: Final = 150
"""With more brokers than this, names would only blur the picture."""


def check_picture(path: Path) -> None:
    """Complain of a file name that says no format that we write, or of matplotlib missing."""
    if _format(path) not in FORMATS:
        raise ConfigurationError("expected a file name that ends in .png or .svg", source=str(path))
    try:
        import matplotlib  # noqa: F401 - only whether it is there
    except ImportError as error:
        raise ConfigurationError("plots need the extra 'notebooks': pip install 'broker-sim[notebooks]'") from error


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure in one step; the same figure gives the same file."""
    import matplotlib

    kind = _format(path)
    # Without a fixed salt and with the date, two SVG files of one figure would differ.
    with matplotlib.rc_context({"svg.hashsalt": "broker-sim"}), atomic_writer(path) as file:
        figure.savefig(file, format=kind, dpi=150, metadata={"Date": None} if kind == "svg" else None)


def _format(path: Path) -> str:
    return path.suffix.lower().removeprefix(".")


def plot_topology(topology: Topology, path: Path) -> None:
    """Draw `topology` into `path`; the same topology gives the same picture."""
    check_picture(path)
    from matplotlib.collections import LineCollection
    from matplotlib.figure import Figure

    positions = layout(topology)
    figure = Figure(figsize=(8, 8), layout="tight")
    axes = figure.subplots()
    axes.add_collection(
        LineCollection(
            [(positions[link.first], positions[link.second]) for link in topology.links], colors="0.6", linewidths=0.8
        )
    )
    many = len(topology.brokers) > MAX_NAMES
    xs, ys = zip(*(positions[broker] for broker in topology.brokers), strict=True)
    axes.scatter(xs, ys, s=12 if many else 260, color="#1f77b4", zorder=2)
    for broker in () if many else topology.brokers:
        axes.annotate(broker, positions[broker], color="white", ha="center", va="center", fontsize=7, zorder=3)
    axes.set_title(f"{topology.name}: {len(topology.brokers)} brokers, {len(topology.links)} links")
    axes.set_axis_off()
    save_figure(figure, path)
