"""The benchmarks run, on tiny input, and their counts make sense; their times are not judged here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
BENCHMARKS = PROJECT / "experiments" / "benchmarks"


def run(name: str, *arguments: str) -> list[dict[str, str]]:
    """The rows that a benchmark prints, as a newcomer would start it."""
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / name), "--repeat", "1", *arguments],
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    heads, _, *rows = [line.strip("| ").split(" | ") for line in done.stdout.splitlines() if line.startswith("|")]
    return [dict(zip(heads, row, strict=True)) for row in rows]


def test_overlap() -> None:
    rows = run("overlap.py", "30")
    assert [(row["schema"], row["form"]) for row in rows[::2]] == [
        ("nitf", "automaton"),
        ("nitf", "automaton"),
        ("psd", "paths"),
    ]
    assert [(row["state"], row["subscriptions"]) for row in rows] == [("cold", "1,000"), ("warm", "30")] * 3
    assert all(0 < int(row["overlapping"]) < int(row["subscriptions"].replace(",", "")) for row in rows)


def test_covering_index() -> None:
    rows = run("covering_index.py", "60")
    assert [(row["workload"], row["expressions"]) for row in rows] == [
        (kind, "60") for kind in ("A", "B", "hard", "plain")
    ]
    assert all(0 < int(row["maximal"]) <= 60 for row in rows)
    assert rows[-1]["covering pairs"] == "0"


def test_merging() -> None:
    rows = run("merging.py", "40")
    assert len(rows) == 12
    assert all(1 <= int(row["entries"]) <= int(row["paths"]) <= 40 for row in rows)
    assert all(float(row["largest degree"]) <= float(row["max degree"]) for row in rows)


@pytest.mark.parametrize("name", ["covering_index", "merging", "overlap"])
def test_a_result_is_recorded_with_its_environment(name: str) -> None:
    text = (BENCHMARKS / "results" / f"{name}.md").read_text(encoding="utf-8")
    assert "\nPython 3." in text
    assert "seed 1" in text
    assert "\n| ---" in text or "\n| --:" in text


def test_overlay() -> None:
    rows = run("overlay.py", "60")
    assert [row["brokers"] for row in rows] == ["8", "63", "127", "1,023"]
    messages = [int(row["messages"].replace(",", "")) for row in rows]
    assert messages == sorted(messages)
    assert messages[0] > int(rows[0]["publications"]) + 60


def test_paper_xtrie() -> None:
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / "paper_xtrie.py"), "--figures", "b"],
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        text=True,
        check=True,
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert {(row["figure"], row["x"]) for row in rows} == {("b", 20), ("b", 100), ("b", 1_000)}
    assert all(row["same_matches"] for row in rows)


def test_the_page_of_paper_xtrie_is_that_of_its_rows(tmp_path: Path) -> None:
    recorded = BENCHMARKS / "results"
    program = (
        "import json, sys; from pathlib import Path; from paper_xtrie_report import write; "
        "write(json.loads(Path(sys.argv[1]).read_text()), Path(sys.argv[2]))"
    )
    subprocess.run(
        [sys.executable, "-c", program, str(recorded / "paper-xtrie.json"), str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(BENCHMARKS)},
        check=True,
    )
    assert (tmp_path / "paper-xtrie.md").read_text() == (recorded / "paper-xtrie.md").read_text()
    assert (tmp_path / "paper-xtrie.png").read_bytes().startswith(b"\x89PNG")
