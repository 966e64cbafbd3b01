"""`experiments/benchmarks/engines.py` on tiny input, as a user runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
TINY = {"queries": 50, "growth": 100, "changes": 3, "patterns": 10, "peer": 20, "compare": 10}


def test_every_figure_is_there(tmp_path: Path) -> None:
    for number in range(3):
        text = f"<nitf><head><title id='{number}'>5</title></head><body><body.head/></body></nitf>"
        (tmp_path / f"{number}.xml").write_text(text)
    words = [word for name, value in TINY.items() for word in (f"--{name}", str(value))]
    done = subprocess.run(
        [sys.executable, "experiments/benchmarks/engines.py", "--documents", str(tmp_path), *words],
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for what in (
        "3 given documents",
        "| 50 linear queries: warm |",
        "| 50 linear queries: cold, first 3 |",
        "| 50 linear queries: adding one |",
        "| 50 linear queries: removing one |",
        "| 100 linear queries: memory for each |",
        "| 10 tree patterns, L = 6: warm",
        "| 20 linear queries, a path: warm |",
        "| yfilter | 10 |",
    ):
        assert what in done.stdout
    assert done.stdout.count("0 answers differ") >= 2
    assert str(tmp_path) not in done.stdout
