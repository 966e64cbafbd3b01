"""A topology drawn with characters: names at their positions, dots along the links."""

from __future__ import annotations

from typing import Final

from broker_sim.network.graph import Topology
from broker_sim.network.layout import Position, layout

WIDTH: Final = 64
HEIGHT: Final = 22
MAX_BROKERS: Final = 40

Cell = tuple[int, int]


def sketch(topology: Topology) -> str | None:
    """The drawing, or None where names would cover each other or there are too many brokers to read it."""
    if not 2 <= len(topology.brokers) <= MAX_BROKERS:
        return None
    widest = max(map(len, topology.brokers))
    cells = _cells(layout(topology), WIDTH - widest)
    canvas = [[" "] * WIDTH for _ in range(HEIGHT)]
    for link in topology.links:
        for row, column in _line(cells[link.first], cells[link.second]):
            canvas[row][column] = "."
    taken: set[Cell] = set()
    for broker, (row, column) in cells.items():
        covered = {(row, at) for at in range(column - 1, column + len(broker) + 1)}
        if taken & covered:
            return None
        taken |= {(row, at) for at in range(column, column + len(broker))}
        canvas[row][column : column + len(broker)] = broker
    return "\n".join("".join(line).rstrip() for line in canvas).strip("\n")


def _cells(positions: dict[str, Position], width: int) -> dict[str, Cell]:
    xs, ys = zip(*positions.values(), strict=True)
    left, bottom = min(xs), min(ys)
    across = (max(xs) - left) or 1.0
    up = (max(ys) - bottom) or 1.0
    return {
        broker: (round((1 - (y - bottom) / up) * (HEIGHT - 1)), round((x - left) / across * (width - 1)))
        for broker, (x, y) in positions.items()
    }


def _line(start: Cell, end: Cell) -> list[Cell]:
    length = max(abs(end[0] - start[0]), abs(end[1] - start[1]), 1)
    return [
        (
            round(start[0] + (end[0] - start[0]) * at / length),
            round(start[1] + (end[1] - start[1]) * at / length),
        )
        for at in range(length + 1)
    ]
