"""A few kills of each subject; the whole campaign is `python -m experiments.reliability.kill`."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from experiments.reliability.kill import campaign
from experiments.reliability.kill_subjects import SUBJECTS, Files


@pytest.mark.parametrize("name", SUBJECTS)
def test_a_killed_writer_leaves_whole_results_and_goes_on(name: str, tmp_path: Path) -> None:
    tally = campaign(SUBJECTS[name](), 2, seed=1, scratch=tmp_path)
    assert tally.kills == 2
    assert tally.broken == []


def test_the_check_sees_what_is_broken(tmp_path: Path) -> None:
    """A file cut short, one with other rows and one that is missing."""
    subject = SUBJECTS["run"]()
    assert isinstance(subject, Files)
    subject.reference(tmp_path)
    out = tmp_path / "out"
    file = out / "summary" / "no-adv-no-cov.parquet"
    content = file.read_bytes()
    assert subject.check(out, whole=True) is None
    file.write_bytes(content[: len(content) // 2])
    assert "ArrowInvalid" in (subject.check(out, whole=False) or "")
    pq.write_table(pa.table({"strategy": ["no-adv-no-cov"]}), file)
    assert "differ" in (subject.check(out, whole=False) or "")
    file.unlink()
    assert subject.check(out, whole=False) is None
    assert "missing" in (subject.check(out, whole=True) or "")
