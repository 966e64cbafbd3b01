"""How a sweep goes: one line on a terminal, and silence anywhere else."""

from __future__ import annotations

import time
from collections.abc import Callable

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from broker_sim.experiment.sweep import Totals


class SweepProgress(Progress):
    """Cells done, running and failed, their pace and the time left; it disappears in the end."""

    def __init__(
        self, name: str, cells: int, console: Console | None = None, clock: Callable[[], float] = time.monotonic
    ):
        console = console or Console(stderr=True)
        columns = (TextColumn(name), BarColumn(bar_width=20), TextColumn("{task.description}"))
        super().__init__(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._cores = 0
        self._clock = clock
        self._started = clock()
        self._task = self.add_task("starting", total=cells)

    def begin(self, cores: int) -> None:
        """From now on so many cells run at a time; the pace is counted from here."""
        self._cores, self._started = cores, self._clock()

    def show(self, totals: Totals) -> None:
        """Say what is known after a cell."""
        self.update(self._task, description=self._text(totals), completed=totals.cells - totals.left)

    def _text(self, totals: Totals) -> str:
        counts = f"{totals.done + totals.skipped} done, {min(totals.left, self._cores)} running, {totals.failed} failed"
        ran, minutes = totals.done + totals.failed, (self._clock() - self._started) / 60
        if not ran or not minutes:
            return counts
        seconds = round(totals.left * minutes * 60 / ran)
        return f"{counts}, {ran / minutes:.1f} cells/min, {seconds // 60}:{seconds % 60:02} left"
