"""Tables for the terminal: first column to the left, numbers to the right, no lines, at most 80 columns wide."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table


def plain_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """A table without borders."""
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="right" if place else "left", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    return table


def number_text(value: object) -> str:
    """A whole number with separators; a dash for what is not known."""
    return f"{value:,.0f}" if isinstance(value, int | float) else "-"
