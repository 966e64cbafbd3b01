"""Every row of the table of hostile inputs gets its documented answer, within bounds on time and memory."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from experiments.reliability.hostile_inputs import CASES, Case, written
from experiments.reliability.limited import MEBIBYTE, Launcher, Limits

MEMORY = 256 * MEBIBYTE
LONGEST_LINE = 1_500


@pytest.mark.parametrize("case", CASES, ids=lambda case: re.sub(r"[^ -~]", "?", case.name))
def test_hostile_input(case: Case, broker_sim: Launcher, tmp_path: Path) -> None:
    case.prepare(tmp_path)
    before = written(tmp_path)
    answer = broker_sim(case.arguments, tmp_path, Limits())
    assert answer.code == case.code, answer.stderr[-2_000:]
    assert "Traceback" not in answer.stderr
    assert re.search(case.says, answer.stderr)
    assert max(map(len, answer.stderr.splitlines()), default=0) < LONGEST_LINE
    assert written(tmp_path) - before == set(case.writes)
    assert answer.memory < MEMORY
    if case.code:
        assert "rror: " in answer.stderr
        assert answer.stdout == ""
