"""`experiments/benchmarks/engines.py` on tiny input, as a user runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from broker_sim.engines import ENGINES

REPOSITORY = Path(__file__).parents[2]
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
RECORDED = (REPOSITORY / "experiments/benchmarks/results/engines.md").read_text()
TINY = {"queries": 50, "growth": 100, "changes": 3, "patterns": 10, "peer": 20, "compare": 10}


WITHOUT = """
import sys
sys.modules["hyperscan"] = None
del sys.argv[0]
sys.path.insert(0, "experiments/benchmarks")
import engines
engines.main()
"""
"""The script where Hyperscan cannot be imported."""


def run(documents: Path, *python: str) -> subprocess.CompletedProcess[str]:
    for number in range(3):
        text = f"<nitf><head><title id='{number}'>5</title></head><body><body.head/></body></nitf>"
        (documents / f"{number}.xml").write_text(text)
    words = [word for name, value in TINY.items() for word in (f"--{name}", str(value))]
    return subprocess.run(
        [sys.executable, *python, "experiments/benchmarks/engines.py", "--documents", str(documents), *words],
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_figure_is_there(tmp_path: Path) -> None:
    done = run(tmp_path)
    assert done.returncode == 0, done.stderr
    for what in (
        "3 given documents",
        "| 50 linear queries: warm |",
        "| 50 linear queries: cold, first 3 |",
        "| 50 linear queries: adding one |",
        "| 50 linear queries: the document after adding one |",
        "| 50 linear queries: removing one |",
        "| 50 linear queries: the document after removing one |",
        "| 100 linear queries: memory for each |",
        "| 10 tree patterns, L = 6: warm",
        "| 20 linear queries, a path: warm |",
        "Hyperscan",
        *(f"| {name} | 10 | 3 |" for name in ENGINES),
    ):
        assert what in done.stdout
    assert done.stdout.count(" 0 answers differ") == 3
    assert str(tmp_path) not in done.stdout


def test_a_missing_hyperscan_is_named_and_the_rest_measured(tmp_path: Path) -> None:
    done = run(tmp_path, "-c", WITHOUT)
    assert done.returncode == 0, done.stderr
    assert "| not measured: Hyperscan is missing, install the extra `bench` |" in done.stdout
    assert "| lazy-dfa | 10 | 3 |" in done.stdout


def test_every_engine_is_recorded_and_documented() -> None:
    assert "\nPython 3." in RECORDED
    documented = (REPOSITORY / "docs/matching.md").read_text()
    for name in ENGINES:
        assert f"| {name} | 10,000 |" in RECORDED
        assert f"| {name} | 100,000 |" in RECORDED
        assert f"\n| `{name}`" in documented


@pytest.mark.parametrize("name", ENGINES)
def test_the_readme_tells_what_is_recorded(name: str) -> None:
    """Cold and warm milliseconds of both numbers of queries; of XFilter those of its faster variant."""
    (row,) = [line for line in README.splitlines() if line.startswith(f"| `{name}` |")]
    told = [float(cell.replace(",", "")) for cell in row.split("|")[4:8]]
    recorded: list[float] = []
    for queries in ("10,000", "100,000"):
        measured = "xfilter-lb" if name == "xfilter" else name
        (line,) = [each for each in RECORDED.splitlines() if each.startswith(f"| {measured} | {queries} |")]
        recorded += map(float, line.split("|")[7:9])
    assert told == [pytest.approx(value, rel=0.02) for value in recorded]
