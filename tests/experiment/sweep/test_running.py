"""Sweeps in a loop: rows, error rows, resuming, the order of cells, the store."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from broker_sim.experiment import run, summary_row
from broker_sim.experiment.spec import Experiment
from broker_sim.experiment.sweep import Cell, Totals, load_sweep, run_cell, run_sweep
from broker_sim.experiment.sweep.columns import TIMINGS, parquet
from broker_sim.experiment.sweep.cost import expected_cost
from broker_sim.experiment.sweep.execution import Finished, execute
from broker_sim.experiment.sweep.runners import run_in_loop, with_retries
from broker_sim.experiment.sweep.running import missing_cells
from broker_sim.experiment.sweep.store import LocalStore


def test_the_rows_of_a_cell_are_those_of_its_experiment(tiny: Path) -> None:
    cell = load_sweep(tiny).cells[-1]
    experiment = cell.experiment()
    assert isinstance(experiment, Experiment)
    (row,) = run_cell(cell)
    (expected,) = map(summary_row, run(experiment))
    assert row == {**expected, **cell.point, "cell": cell.key, "wall_seconds": row["wall_seconds"]}


def test_what_is_done_is_not_run_again(tiny: Path, tmp_path: Path) -> None:
    sweep, store = load_sweep(tiny), LocalStore(tmp_path / "out")
    seen: list[tuple[int, int]] = []
    first = run_sweep(sweep, store, run_in_loop, lambda totals: seen.append((totals.done, totals.left)))
    assert first == Totals(8, done=8)
    assert seen == [(done, 8 - done) for done in range(9)]
    written = {file: file.stat().st_mtime_ns for file in (tmp_path / "out" / "rows").iterdir()}
    assert run_sweep(sweep, store, run_in_loop) == Totals(8, skipped=8)
    assert {file: file.stat().st_mtime_ns for file in (tmp_path / "out" / "rows").iterdir()} == written
    next(iter(written)).unlink()
    assert run_sweep(sweep, store, run_in_loop) == Totals(8, done=1, skipped=7)
    rows = pq.read_table(tmp_path / "out" / "rows").to_pylist()
    assert sorted(row["cell"] for row in rows) == sorted(cell.key for cell in sweep.cells)
    assert json.loads((tmp_path / "out" / "plan.json").read_text())["cells"] == [cell.key for cell in sweep.cells]


def test_an_interrupted_sweep_keeps_what_is_finished(tiny: Path, tmp_path: Path) -> None:
    sweep, store = load_sweep(tiny), LocalStore(tmp_path / "out")

    def interrupted(cells: Sequence[Cell]) -> Iterator[Finished]:
        yield from run_in_loop(cells[:3])
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_sweep(sweep, store, interrupted)
    assert len(missing_cells(sweep, store)) == 5


def test_a_cell_that_raises_leaves_an_error_row_until_it_works(tiny: Path, tmp_path: Path) -> None:
    topology = tmp_path / "late.graphml"
    sweep = load_sweep(tiny, overrides=["topology={size}", f"axes.size=['line-8', {str(topology)!r}]", "seeds=1"])
    store = LocalStore(tmp_path / "out")
    assert run_sweep(sweep, store, run_in_loop) == Totals(4, done=2, failed=2)
    rows = pq.read_table(tmp_path / "out" / "errors").to_pylist()
    assert {row["exception"] for row in rows} == {"TopologyError"}
    assert all(json.loads(row["parameters"])["size"] == str(topology) for row in rows)
    assert all("late.graphml" in row["message"] and "in load_topology" in row["traceback"] for row in rows)
    assert run_sweep(sweep, store, run_in_loop) == Totals(4, skipped=2, failed=2)
    assert store.keys("errors") == {row["cell"] for row in rows}


def test_an_error_row_goes_when_its_cell_succeeds(tiny: Path, tmp_path: Path) -> None:
    sweep, store = load_sweep(tiny, overrides=["seeds=1"]), LocalStore(tmp_path / "out")
    failing = execute(sweep.cells[0], "0.0+another-version")
    assert failing.failed
    assert run_sweep(sweep, store, lambda cells: iter([failing])) == Totals(4, failed=1)
    assert store.keys("errors") == {sweep.cells[0].key}
    assert b"expected 0.0+another-version" in failing.data
    assert run_sweep(sweep, store, run_in_loop) == Totals(4, done=4)
    assert store.keys("errors") == set()


def test_the_longest_cells_go_first(tiny: Path, tmp_path: Path) -> None:
    sweep = load_sweep(tiny, overrides=["axes.size=[3, 50, 7]", "subscriptions.generate.number=100"])
    ordered = missing_cells(sweep, LocalStore(tmp_path))
    assert [cell.point["size"] for cell in ordered] == [50] * 4 + [7] * 4 + [3] * 4
    costs = [expected_cost(cell.experiment()) for cell in ordered]
    assert costs == sorted(costs, reverse=True)


def test_columns_have_the_same_type_with_and_without_values() -> None:
    full = {"missed": 1, "delay_p50": 0.5, "simulated_seconds": 2.5, "strategy": "x", "hops_mean": 1.5}
    bare = {"missed": None, "delay_p50": None, "simulated_seconds": 0, "strategy": "x", "hops_mean": None}
    assert pq.read_schema(pa.BufferReader(parquet([full]))) == pq.read_schema(pa.BufferReader(parquet([bare])))
    assert set(TIMINGS) >= {"wall_seconds", "cell_seconds"}


@pytest.mark.parametrize(
    ("given", "master"),
    [
        ("local", "local[1,4]"),
        ("local[*]", "local[*,4]"),
        ("local[2]", "local[2,4]"),
        ("local[2,7]", "local[2,7]"),
        ("local-cluster[2,1,1024]", "local-cluster[2,1,1024]"),
        ("spark://host:7077", "spark://host:7077"),
    ],
)
def test_a_local_master_tries_again(given: str, master: str) -> None:
    assert with_retries(given) == master
