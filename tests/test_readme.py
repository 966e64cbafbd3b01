"""What the README shows is what is printed."""

from __future__ import annotations

import re
import shlex
import webbrowser
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from broker_sim.cli import main

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def shown_commands() -> Iterator[tuple[str, str]]:
    """Every `broker-sim` command of a console block, with the output below it, if there is any."""
    for block in blocks("console"):
        yield from re.findall(r"^\$ broker-sim (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)


WITH_OUTPUT = [(command, output) for command, output in shown_commands() if output]
WITHOUT = [command for command, output in shown_commands() if not output]


@pytest.mark.parametrize(("command", "output"), WITH_OUTPUT)
def test_console_blocks(command: str, output: str) -> None:
    result = CliRunner().invoke(main, shlex.split(command))
    assert result.exit_code == 0
    assert [line.rstrip() for line in result.stdout.splitlines()] == output.splitlines()


def test_commands_without_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order of the README, in a folder that has a user's files; pages are opened nowhere."""
    (tmp_path / "my.dtd").write_text("<!ELEMENT article (title)><!ELEMENT title (#PCDATA)>")
    (tmp_path / "queries.txt").write_text("/article/title\n//title\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "one.xml").write_text("<article><title>One</title></article>")
    monkeypatch.chdir(tmp_path)
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda url: opened.append(url) or True)
    runner = CliRunner()
    assert runner.invoke(main, ["topology", "generate", "ring:n=5", "--out", "overlay.graphml"]).exit_code == 0
    assert len(WITHOUT) >= 7
    for command in WITHOUT:
        result = runner.invoke(main, shlex.split(command.partition(" | ")[0]))
        assert result.exit_code == 0, (command, result.output)
    assert len(opened) == 1


@pytest.mark.parametrize("block", blocks("python"))
def test_python_blocks(block: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(block, "README.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == re.findall(r"  # (.*)$", block, re.MULTILINE)
