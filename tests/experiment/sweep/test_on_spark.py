"""Sweeps on a real Spark session: the rows of the loop, error rows, dying workers, a driver that is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest

from broker_sim.errors import ConfigurationError
from broker_sim.experiment.sweep import Totals, load_sweep, run_sweep
from broker_sim.experiment.sweep.columns import TIMINGS
from broker_sim.experiment.sweep.runners import run_in_loop, run_on_spark
from broker_sim.experiment.sweep.store import HadoopStore, LocalStore

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PROJECT = Path(__file__).parents[3]
PATIENCE = 240

DYING_WORKERS = """
import json, os, signal, sys
from dataclasses import dataclass
from pathlib import Path
from broker_sim.experiment.sweep import Cell, load_sweep
from broker_sim.experiment.sweep.runners import run_on_spark
from broker_sim.spark import spark_session

@dataclass(frozen=True)
class Deadly(Cell):
    flag: str = ""

    def experiment(self):
        if not self.flag or not Path(self.flag).exists():
            self.flag and Path(self.flag).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().experiment()

good, once, always, *_ = load_sweep(sys.argv[1]).cells
once = Deadly(once.key, once.point, once.tables, flag=sys.argv[2])
always = Deadly(always.key, always.point, always.tables)
spark = spark_session("local[2,4]")
ends = {each.key: each for each in run_on_spark(spark, [always, once, good])}
print(json.dumps([ends[cell.key].failed for cell in (good, once, always)]), b"WorkerDied" in ends[always.key].data)
"""


def plain_rows(folder: Path) -> list[str]:
    """All rows as text, without timings, in the order of the cells."""
    table = pq.read_table(folder / "rows")
    rows = table.drop_columns([name for name in TIMINGS if name in table.column_names]).to_pylist()
    return sorted(json.dumps(row) for row in rows)


def test_spark_gives_the_rows_of_the_loop(spark: SparkSession, tiny: Path, tmp_path: Path) -> None:
    sweep = load_sweep(tiny)
    assert run_sweep(sweep, LocalStore(tmp_path / "loop"), run_in_loop) == Totals(8, done=8)
    on_spark = partial(run_on_spark, spark)
    assert run_sweep(sweep, LocalStore(tmp_path / "spark"), on_spark) == Totals(8, done=8)
    assert plain_rows(tmp_path / "loop") == plain_rows(tmp_path / "spark")
    assert run_sweep(sweep, LocalStore(tmp_path / "spark"), on_spark) == Totals(8, skipped=8)


def test_a_raising_cell_does_not_stop_the_others(spark: SparkSession, tiny: Path, tmp_path: Path) -> None:
    sweep = load_sweep(tiny, overrides=["topology={size}", "axes.size=['line-8', 'nowhere']", "seeds=1"])
    assert run_sweep(sweep, LocalStore(tmp_path), partial(run_on_spark, spark)) == Totals(4, done=2, failed=2)
    (row, _) = pq.read_table(tmp_path / "errors").to_pylist()
    assert row["exception"] == "TopologyError"
    assert json.loads(row["parameters"])["size"] == "nowhere"
    assert "no such topology" in row["traceback"]


def test_a_url_of_hadoop_keeps_results_too(spark: SparkSession, tiny: Path, tmp_path: Path) -> None:
    sweep = load_sweep(tiny, overrides=["seeds=1"])
    store = HadoopStore(spark, (tmp_path / "out").as_uri())
    assert run_sweep(sweep, store, run_in_loop) == Totals(4, done=4)
    assert run_sweep(sweep, store, run_in_loop) == Totals(4, skipped=4)
    assert store.keys("rows") == {cell.key for cell in sweep.cells}
    assert spark.read.parquet(f"{store.location}/rows").count() == 4
    left = {file.name for file in (tmp_path / "out").rglob("*") if file.suffix != ".crc" and file.is_file()}
    assert left == {"plan.json", "specification.json", *(f"{cell.key}.parquet" for cell in sweep.cells)}
    store.remove(f"rows/{sweep.cells[0].key}.parquet")
    assert len(store.keys("rows")) == 3


def test_a_url_that_spark_does_not_know(spark: SparkSession) -> None:
    with pytest.raises(ConfigurationError, match="Spark cannot reach it: No FileSystem for scheme"):
        HadoopStore(spark, "nothing://host/folder")


def test_workers_that_are_killed(tiny: Path, tmp_path: Path) -> None:
    """Killed once, a cell is run again by another worker; killed every time, it fails alone."""
    done = subprocess.run(
        [sys.executable, "-c", DYING_WORKERS, str(tiny), str(tmp_path / "flag")],
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.stdout == "[false, false, true] True\n", done.stderr
    assert (tmp_path / "flag").exists()


def test_a_killed_driver_loses_only_unfinished_cells(tiny: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-m", "broker_sim.cli", "sweep", str(tiny), "--out", str(out), "--json"]
    command += ["--master", "local[2]", "--set", "seeds=6", "--set", "documents.generate.number=40"]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL) as driver:
        store, patient_until = LocalStore(out), time.monotonic() + PATIENCE
        while len(store.keys("rows")) < 3 and driver.poll() is None and time.monotonic() < patient_until:
            time.sleep(0.02)
        driver.send_signal(signal.SIGKILL)
    kept = {file.name: file.stat().st_mtime_ns for file in (out / "rows").glob("*.parquet")}
    assert 3 <= len(kept) < 24
    totals = []
    for _ in range(2):
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=PATIENCE)
        assert (done.returncode, done.stderr) == (0, "")
        totals.append({key: json.loads(done.stdout)[key] for key in ("cells", "done", "skipped", "failed")})
    assert totals == [
        {"cells": 24, "done": 24 - len(kept), "skipped": len(kept), "failed": 0},
        {"cells": 24, "done": 0, "skipped": 24, "failed": 0},
    ]
    assert kept.items() <= {file.name: file.stat().st_mtime_ns for file in (out / "rows").iterdir()}.items()
    cells = [row["cell"] for row in pq.read_table(out / "rows").to_pylist()]
    assert len(cells) == len(set(cells)) == 24
