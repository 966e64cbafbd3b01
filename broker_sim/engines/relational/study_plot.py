"""A picture of the studies: one panel each, over what varies in it, with and without cutting."""

from __future__ import annotations

from pathlib import Path

from broker_sim.engines.relational.study import Row
from broker_sim.errors import ConfigurationError

try:
    from matplotlib.figure import Figure
except ImportError as missing:
    raise ConfigurationError("--plot needs matplotlib; install the extra 'notebooks'") from missing


def draw(rows: list[Row], file: Path) -> None:
    """Write the picture; the ending of the file says in which format."""
    studies = list(dict.fromkeys(row.study for row in rows))
    figure = Figure(figsize=(5 * len(studies), 4), layout="constrained")
    for place, name in enumerate(studies, 1):
        chosen = [row for row in rows if row.study == name]
        over = "subscriptions" if len({row.subscriptions for row in chosen}) > 1 else "document_bytes"
        axes = figure.add_subplot(
            1, len(studies), place, xlabel=over.replace("_", " "), ylabel="processor seconds a document"
        )
        axes.set_title(name, wrap=True, fontsize="small")
        for cutting in dict.fromkeys(row.cutting for row in chosen):
            points = [(getattr(row, over), row.match_processor_seconds) for row in chosen if row.cutting == cutting]
            axes.plot(*zip(*points, strict=True), marker="o", label=f"{'with' if cutting else 'without'} cutting")
        axes.set_ylim(bottom=0)
        axes.legend()
    figure.savefig(file)
