"""Rows as Parquet, with columns of the same type in every cell, so that all cells read as one table.

A column that is empty in one cell has its type from here; whatever else has no value anywhere is a fraction.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from io import BytesIO
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

TIMINGS: Final = ("cell_seconds", "wall_seconds", "milliseconds", "saved")
"""The columns that differ between two runs of the same cell."""

_WHOLE: Final = {
    "missed",
    "unwanted",
    "altered",
    "uncertain",
    "uncertain_delivered",
    "least_publish_messages",
    "false_positives",
    "lost",
}
_FRACTIONS: Final = {
    "simulated_seconds",
    "hops_mean",
    "link_load_max",
    "offered_load",
    "window",
    "recovery_p50",
    "recovery_max",
}
_TEXTS: Final = {"stopped"}


def parquet(rows: Sequence[dict[str, Any]]) -> bytes:
    """The rows as the content of a Parquet file."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = {name: _column(name, [row.get(name) for row in rows]) for name in names}
    file = BytesIO()
    pq.write_table(pa.table(columns), file)
    return file.getvalue()


def plain(value: Any) -> str | int | float | bool | None:
    """A value as a column can hold it: lists and tables as JSON."""
    return json.dumps(value) if isinstance(value, list | dict) else value


def _column(name: str, values: list[Any]) -> pa.Array:
    return pa.array(values, type=_type(name, [value for value in values if value is not None]))


def _type(name: str, values: list[Any]) -> pa.DataType:
    if name in _WHOLE:
        return pa.int64()
    if name in _TEXTS:
        return pa.string()
    fraction = name in _FRACTIONS or name.startswith("delay_") or not values
    if fraction or any(isinstance(value, float) for value in values):
        return pa.float64()
    return pa.infer_type(values)
