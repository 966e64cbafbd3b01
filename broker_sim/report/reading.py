"""Results as they lie on disk: what `run --out` or `sweep --out` left in a folder.

What a folder holds tells what it is: `plan.json` a sweep, `summary` a run of an overlay, `table-size.parquet` or
`routing-time.parquet` a measurement of one broker. Of a folder that was used more than once, what is read belongs to
the last use: the strategies that `run.json` names, the cells that `plan.json` names.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from broker_sim.errors import ConfigurationError
from broker_sim.experiment.manifest import MANIFEST
from broker_sim.experiment.sweep.running import PLAN, SPECIFICATION
from broker_sim.report.late_notices import late_notices

Measurement = Literal["table-size", "routing-time", "filtering-time"]
Kind = Literal["run", "sweep"] | Measurement
Row = dict[str, Any]

RUN_TABLES: Final = ("summary", "brokers", "links", "timeline", "deliveries")
MEASUREMENTS: Final[tuple[Measurement, ...]] = ("table-size", "routing-time", "filtering-time")


@dataclass(frozen=True, slots=True)
class Recorded:
    """What one strategy can be replayed from."""

    trace: Sequence[Row]
    tables: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Results:
    """Rows by table, what they were made from, and recordings by strategy."""

    kind: Kind
    name: str
    tables: dict[str, list[Row]]
    manifest: dict[str, Any]
    recordings: dict[str, Recorded] = field(default_factory=dict)


def read_results(folder: Path) -> Results:
    """The results in `folder`."""
    if not folder.is_dir():
        raise ConfigurationError("is no folder; expected one written by run --out or sweep --out", source=str(folder))
    try:
        return _read(folder)
    except (OSError, pa.ArrowException, ValueError, KeyError, TypeError) as error:
        raise ConfigurationError(f"cannot be read as results: {error}", source=str(folder)) from error


def _read(folder: Path) -> Results:
    if (folder / PLAN).is_file():
        return _sweep(folder)
    if (folder / "summary").is_dir():
        return _run(folder)
    for kind in MEASUREMENTS:
        if (folder / f"{kind}.parquet").is_file():
            rows = pq.read_table(folder / f"{kind}.parquet").to_pylist()
            return Results(kind, str(rows[0]["experiment"]), {"rows": rows}, _json(folder / MANIFEST))
    raise ConfigurationError("holds no results of run --out or sweep --out", source=str(folder))


def _run(folder: Path) -> Results:
    manifest = _json(folder / MANIFEST)
    summary = _strategies(folder, manifest)
    tables = {name: _rows(folder / name, summary) for name in RUN_TABLES}
    if not tables["summary"]:
        raise ConfigurationError("holds no strategy that has finished", source=str(folder))
    recordings = {
        name: Recorded(_hops(file, tables["deliveries"], manifest), _json(folder / "tables" / f"{name}.json"))
        for name in summary
        if (file := folder / "trace" / f"{name}.parquet").is_file()
    }
    return Results("run", str(tables["summary"][0]["experiment"]), tables, manifest, recordings)


def _hops(file: Path, deliveries: Sequence[Row], manifest: dict[str, Any]) -> list[Row]:
    trace: list[Row] = pq.read_table(file).to_pylist()
    own = [row for row in deliveries if row["strategy"] == file.stem]
    return [*trace, *late_notices(trace, own, manifest)]


def _strategies(folder: Path, manifest: dict[str, Any]) -> list[str]:
    """Those that have finished, in the order of the experiment."""
    found = sorted(file.stem for file in (folder / "summary").glob("*.parquet"))
    order = manifest.get("specification", {}).get("strategies", found)
    return [name for name in order if name in found]


def _rows(folder: Path, names: Sequence[str]) -> list[Row]:
    files = [folder / f"{name}.parquet" for name in names]
    return [row for file in files if file.is_file() for row in pq.read_table(file).to_pylist()]


def _sweep(folder: Path) -> Results:
    plan = _json(folder / PLAN)
    cells = set(plan["cells"])
    tables = {name: _cells(folder / name, cells) for name in ("rows", "errors")}
    if not tables["rows"] and not tables["errors"]:
        raise ConfigurationError("holds a sweep of which no cell has finished", source=str(folder))
    order = {key: place for place, key in enumerate(plan["cells"])}
    for rows in tables.values():
        rows.sort(key=lambda row: order[row["cell"]])
    about = {key: value for key, value in plan.items() if key != "cells"}
    manifest = {**_json(folder / SPECIFICATION), "sweep": {**about, "cells": len(cells)}}
    return Results("sweep", str(plan["sweep"]), tables, manifest)


def _cells(folder: Path, cells: set[str]) -> list[Row]:
    files = sorted(str(file) for file in folder.glob("*.parquet") if file.stem in cells)
    if not files:
        return []
    schema = pa.unify_schemas([pq.read_schema(file) for file in files], promote_options="permissive")
    rows: list[Row] = ds.dataset(files, schema=schema).to_table().to_pylist()
    return rows


def _json(file: Path) -> dict[str, Any]:
    """The object in a file; an empty one where there is no file, as in results of older versions."""
    found = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    if not isinstance(found, dict):
        raise ConfigurationError("expected a JSON object", source=str(file))
    return found
