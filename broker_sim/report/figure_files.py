"""Figures of matplotlib (the extra `notebooks`) as files, PNG or SVG."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from broker_sim.atomic import atomic_writer
from broker_sim.errors import ConfigurationError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS: Final = ("png", "svg")


def check_picture(path: Path) -> None:
    """Complain of a file name that says no format that we write, or of matplotlib missing."""
    if _format(path) not in FORMATS:
        raise ConfigurationError("expected a file name that ends in .png or .svg", source=str(path))
    if find_spec("matplotlib") is None:
        raise ConfigurationError("plots need the extra 'notebooks': pip install 'broker-sim[notebooks]'")


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure in one step; the same figure gives the same file."""
    import matplotlib

    kind = _format(path)
    # Without a fixed salt and with the date, two SVG files of one figure would differ.
    with matplotlib.rc_context({"svg.hashsalt": "broker-sim"}), atomic_writer(path) as file:
        figure.savefig(file, format=kind, dpi=150, metadata={"Date": None} if kind == "svg" else None)


def _format(path: Path) -> str:
    return path.suffix.lower().removeprefix(".")
