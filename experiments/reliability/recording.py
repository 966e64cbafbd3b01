"""Results of the campaigns: one Markdown table each under `results/`, a row for each subject, with its environment."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

RESULTS = Path(__file__).parent / "results"

Figure = str | int | float | None


def record_row(name: str, title: str, key: str, row: Mapping[str, Figure]) -> None:
    """Write a row into `results/<name>.md`, in place of the one with the same `key`."""
    row = {**row, "day": datetime.now(UTC).date().isoformat()}
    file = RESULTS / f"{name}.md"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    kept = [line for line in lines if line.startswith("| ") and not line.startswith((f"| {key} |", f"| {row[key]} |"))]
    environment = (
        f"Python {platform.python_version()}, {platform.system()}, {platform.machine()}, {os.cpu_count()} cores."
    )
    head = [f"# {title}", "", environment, "", _line(list(row)), "|" + "---|" * len(row)]
    RESULTS.mkdir(exist_ok=True)
    text = "\n".join([*head, *kept, _line([_shown(figure) for figure in row.values()])])
    file.write_text(text + "\n", encoding="utf-8")


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _shown(figure: Figure) -> str:
    if figure is None or isinstance(figure, str):
        return figure or "-"
    return f"{figure:,}" if isinstance(figure, int) else f"{figure:,.3g}"
