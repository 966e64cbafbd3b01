"""A whole sweep: run what is missing, keep each cell as it finishes, count.

A cell is done when its rows are in the store. One that failed has an error row there instead and is tried again by
the next run of the same sweep.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from broker_sim.experiment.manifest import environment
from broker_sim.experiment.sweep.code_version import code_version
from broker_sim.experiment.sweep.cost import expected_cost
from broker_sim.experiment.sweep.plan import Cell, Sweep
from broker_sim.experiment.sweep.runners import Runner
from broker_sim.experiment.sweep.store import SUFFIX, Store

PLAN = "plan.json"
SPECIFICATION = "specification.json"


@dataclass(slots=True)
class Totals:
    """Cells in all, done by this run, done before it, and failed."""

    cells: int
    done: int = 0
    skipped: int = 0
    failed: int = 0

    @property
    def left(self) -> int:
        """How many are still to be run."""
        return self.cells - self.done - self.skipped - self.failed


Watch = Callable[[Totals], None]
"""Called at the start and after every cell."""


def missing_cells(sweep: Sweep, store: Store) -> list[Cell]:
    """The cells that have no rows yet, longest first."""
    known = store.keys("rows")
    missing = [cell for cell in sweep.cells if cell.key not in known]
    return sorted(missing, key=lambda cell: expected_cost(cell.experiment()), reverse=True)


def run_sweep(sweep: Sweep, store: Store, runner: Runner, watch: Watch = lambda totals: None) -> Totals:
    """Run the missing cells; returns how it went."""
    missing = missing_cells(sweep, store)
    totals = Totals(len(sweep.cells), skipped=len(sweep.cells) - len(missing))
    plan = {"sweep": sweep.name, "profile": sweep.profile, "code_version": code_version()}
    store.write(PLAN, json.dumps({**plan, "cells": [cell.key for cell in sweep.cells]}).encode())
    store.write(
        SPECIFICATION, json.dumps({"specification": _specification(sweep), "environment": environment()}).encode()
    )
    failed_before = store.keys("errors")
    watch(totals)
    for finished in runner(missing) if missing else ():
        store.write(f"{'errors' if finished.failed else 'rows'}/{finished.key}{SUFFIX}", finished.data)
        if finished.failed:
            totals.failed += 1
        else:
            totals.done += 1
            if finished.key in failed_before:
                store.remove(f"errors/{finished.key}{SUFFIX}")
        watch(totals)
    return totals


def _specification(sweep: Sweep) -> dict[str, Any]:
    """For people: the values of all axes, and the experiment of the first cell."""
    axes: dict[str, list[Any]] = {}
    for cell in sweep.cells:
        for name, value in cell.point.items():
            values = axes.setdefault(name, [])
            if value not in values:
                values.append(value)
    return {"axes": axes, "first_cell": sweep.cells[0].tables if sweep.cells else {}}
