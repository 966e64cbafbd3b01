"""`broker-sim sweep`, in process and without Spark; see tests/experiment/sweep for Spark."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from broker_sim.cli import main
from broker_sim.cli.sweep_progress import SweepProgress
from broker_sim.experiment.sweep import Totals, load_sweep, shipped_sweeps
from tests.experiment.sweep.conftest import TINY


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("tiny.toml").write_text(TINY)
    return "tiny.toml"


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["sweep", *arguments])


def test_a_dry_run_prints_cells_and_writes_nothing(spec: str) -> None:
    result = invoke(spec, "--dry-run")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == "tiny: 8 cells"
    assert len(result.stdout.splitlines()) == 1 + 8 + 1
    assert result.stdout.count("with-adv-with-cov") == 4
    assert [file.name for file in Path().iterdir()] == [spec]
    found = json.loads(invoke(spec, "--dry-run", "--json").stdout)
    assert found["cells"] == len(found["points"]) == 8
    assert found["points"][0].keys() == {"cell", "size", "strategy", "seed"}


def test_it_ends_with_counts(spec: str) -> None:
    first = invoke(spec, "--master", "loop", "--json")
    assert first.exit_code == 0
    ended = json.loads(first.stdout.splitlines()[-1])
    assert {"cells": 8, "done": 8, "skipped": 0, "failed": 0, "out": "results/tiny"}.items() <= ended.items()
    second = invoke(spec, "--master", "loop")
    assert second.stdout == "tiny: 8 cells: 0 done, 8 skipped, 0 failed. Results are in results/tiny\n"
    assert pq.read_table("results/tiny/rows").num_rows == 8


def test_failed_cells_mean_exit_code_1(spec: str) -> None:
    result = invoke(spec, "--master", "loop", "--set", "topology=nowhere-{size}", "--out", "out", "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["failed"] == 8
    assert result.stderr == "error: 8 cells failed; see the table out/errors\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nothing",), "no sweep 'nothing'"),
        (("tiny.toml", "--profile", "quick"), "no profile 'quick'"),
        (("tiny.toml", "--set", "axes.size=[1, 1]"), "axes.size: names 1 twice"),
        (("tiny.toml", "--set", "sede=3"), "did you mean 'seed'"),
        (("tiny.toml", "--master", "loop", "--out", "hdfs://host/x"), "needs Spark to write to it"),
        (("tiny.toml", "--master", "locl[2]"), "expected a Spark master"),
    ],
)
@pytest.mark.usefixtures("spec")
def test_wrong_input_is_exit_code_2(arguments: tuple[str, ...], message: str) -> None:
    result = invoke(*arguments)
    assert (result.exit_code, message in result.stderr) == (2, True), result.stderr


@pytest.mark.parametrize("name", shipped_sweeps())
def test_shipped_sweeps_have_a_quick_and_a_full_profile(name: str) -> None:
    quick, full = load_sweep(name), load_sweep(name, "full")
    assert quick.profile == "quick"
    assert 0 < len(quick.cells) < len(full.cells)


def test_progress_tells_counts_pace_and_time_left() -> None:
    now = iter([0.0, 0.0, 30.0, 90.0])
    console = Console(file=io.StringIO(), force_terminal=True, width=120)
    progress = SweepProgress("tiny", 40, console, clock=lambda: next(now))
    progress.show(Totals(40, skipped=10))
    assert progress.tasks[0].description == "10 done, 0 running, 0 failed"
    progress.begin(cores=2)
    progress.show(Totals(40, done=5, skipped=10, failed=1))
    assert progress.tasks[0].description == "15 done, 2 running, 1 failed, 6.0 cells/min, 4:00 left"
    assert progress.tasks[0].completed == 16
