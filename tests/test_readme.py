"""What the README shows is what is printed."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from broker_sim.cli import main

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def shown_commands() -> Iterator[tuple[str, str]]:
    """Every `broker-sim` command of a console block that has its output below it."""
    for block in blocks("console"):
        for command, output in re.findall(r"^\$ broker-sim (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            if output:
                yield command, output


@pytest.mark.parametrize(("command", "output"), list(shown_commands()))
def test_console_blocks(command: str, output: str) -> None:
    result = CliRunner().invoke(main, shlex.split(command))
    assert result.exit_code == 0
    assert [line.rstrip() for line in result.stdout.splitlines()] == output.splitlines()


@pytest.mark.parametrize("block", blocks("python"))
def test_python_blocks(block: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(block, "README.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == re.findall(r"  # (.*)$", block, re.MULTILINE)
