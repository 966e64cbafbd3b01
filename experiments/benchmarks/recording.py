"""How a benchmark here is run and kept: each cell in processes of its own, the best of a few runs, one Markdown table.

A benchmark offers `measure(cell) -> list of rows`; a row is a mapping from column to figure, counts first. A cell runs
`--repeat` times, each time in a new process, so that nothing is warm that should be cold and peak memory is its own.
Seconds are those of the processor (`time.process_time`; every cell is one thread), and of each row the fastest run
counts, for other work on a machine only ever slows a run down. With `--record` the table
replaces `results/<benchmark>.md`, with the environment it was measured in.
"""

from __future__ import annotations

import argparse
import os
import platform
from collections.abc import Callable, Iterable, Iterator, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

Cell = TypeVar("Cell")
Row = dict[str, str | int | float | None]

RESULTS = Path(__file__).parent / "results"


def options(description: str, sizes: Sequence[int]) -> argparse.Namespace:
    """The command line of every benchmark: sizes, seed, repeat, record."""
    parser = argparse.ArgumentParser(description=description.partition("\n")[0])
    parser.add_argument("sizes", metavar="SIZE", nargs="*", type=int, default=list(sizes))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=3, help="runs of each cell, of which the fastest counts")
    parser.add_argument("--record", action="store_true", help="keep the table under results/")
    return parser.parse_args()


def best_rows(measure: Callable[[Cell], list[Row]], cells: Iterable[Cell], repeat: int, seconds: str) -> Iterator[Row]:
    """The rows of every cell, each from the run that was fastest by its column `seconds`."""
    with get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for cell in cells:
            runs = list(pool.imap(measure, [cell] * repeat, chunksize=1))
            for same in zip(*runs, strict=True):
                yield min(same, key=lambda row: row[seconds])


def report(
    name: str,
    title: str,
    notes: str,
    rows: Iterable[Row],
    chosen: argparse.Namespace,
    seconds: str | None = "seconds of one processor",
) -> None:
    """Print the table with its environment, a row as soon as it is there, and keep it if asked to.

    `seconds` says what time is, in tables that have any.
    """
    environment = (
        f"Python {platform.python_version()}, {platform.system()} on {platform.machine()}, {os.cpu_count()} cores; "
        f"seed {chosen.seed}" + (f"; {seconds}, the best of {chosen.repeat} runs." if seconds else ".")
    )
    lines = [f"# {title}", "", environment, "", notes, ""]
    print("\n".join(lines))
    for line in _table(rows):
        print(line, flush=True)
        lines.append(line)
    if chosen.record:
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / f"{name}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _table(rows: Iterable[Row]) -> Iterator[str]:
    """Rows as lines of a Markdown table, figures to the right."""
    heads: list[str] = []
    for row in rows:
        if not heads:
            heads = list(row)
            yield _line(heads)
            yield _line("---" if isinstance(row[head], str) else "--:" for head in heads)
        yield _line(_shown(row[head]) for head in heads)


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _shown(figure: str | float | None) -> str:
    if figure is None or isinstance(figure, str):
        return figure or "-"
    return f"{figure:,}" if isinstance(figure, int) else f"{figure:,.3g}" if figure < 100 else f"{figure:,.0f}"
