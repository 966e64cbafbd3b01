"""`broker-sim ads`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from broker_sim.cli import main


def test_json() -> None:
    result = CliRunner().invoke(main, ["ads", "bib", "--json"])
    report = json.loads(result.stdout)
    assert (result.exit_code, report["root"], report["paths_may_end"], report["exact"]) == (0, "bib", 9, True)
    assert len(report["advertisements"]) == 9


def test_out(tmp_path: Path) -> None:
    out = tmp_path / "list"
    assert CliRunner().invoke(main, ["ads", "bib", "--out", str(out)]).exit_code == 0
    assert out.read_text().splitlines()[0] == "/bib"


@pytest.mark.parametrize("options", [["nowhere"], ["bib", "--root", "x"], ["bib", "--max-depth", "0"]])
def test_wrong_input_is_one_line(options: list[str]) -> None:
    result = CliRunner().invoke(main, ["ads", *options])
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
