"""`broker-sim relate`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from broker_sim.cli import main


@pytest.mark.parametrize(
    ("arguments", "report"),
    [
        (["overlap", "/a(/b)+", "/a/b/b"], {"overlaps": True}),
        (["overlap", "/a/b", "/c"], {"overlaps": False}),
        (["covers", "/a", "/a/b"], {"first_covers_second": True}),
        (["covers", "/a/b", "/a"], {"first_covers_second": False}),
    ],
)
def test_json(arguments: list[str], report: dict[str, bool]) -> None:
    result = CliRunner().invoke(main, ["relate", *arguments, "--json"])
    assert (result.exit_code, json.loads(result.stdout)) == (0, report)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ('{"first": "/a", "second": "/a/b", "first_covers_second": true}', 0),
        ('{"advertisement": "/a", "subscription": "/b", "overlaps": true}', 1),
        ("{", 2),
        ("[]", 2),
        ('{"first": "/a"}', 2),
        ('{"advertisement": "a", "subscription": "/b", "overlaps": true}', 2),
    ],
)
def test_cases(line: str, code: int, tmp_path: Path) -> None:
    file = tmp_path / "cases"
    file.write_text(line + "\n")
    result = CliRunner().invoke(main, ["relate", "--cases", str(file)])
    assert result.exit_code == code
    assert result.stderr.count("\n") == (code == 2)
