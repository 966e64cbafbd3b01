"""What the README shows is what is printed: every command runs in a shell, in a folder that has a user's files."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
README = (PROJECT / "README.md").read_text(encoding="utf-8")
ELSEWHERE = ("pip wheel", "spark-submit")
"""Commands that tests/experiment/sweep/test_cluster.py takes from the README and runs on a cluster."""


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def commands(block: str) -> list[tuple[str, str]]:
    """Every command of a console block, with the output below it, if there is any."""
    return re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)


CONSOLE = [block for block in blocks("console") if not block.startswith(tuple(f"$ {each}" for each in ELSEWHERE))]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A user's files, and the commands that the README speaks of; what opens a page writes its address down."""
    (tmp_path / "my.dtd").write_text("<!ELEMENT article (title)><!ELEMENT title (#PCDATA)>")
    (tmp_path / "queries.txt").write_text("/article/title\n//title\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "one.xml").write_text("<article><title>One</title></article>")
    commands = {
        "broker-sim": f'exec "{sys.executable}" -m broker_sim.cli "$@"',
        "make": f"exec {made('run')}",
        "browser": f'echo "$1" > "{tmp_path}/opened"',
    }
    (tmp_path / "bin").mkdir()
    for name, text in commands.items():
        (tmp_path / "bin" / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / "bin" / name).chmod(0o755)
    shell(tmp_path, "broker-sim topology generate ring:n=5 --out overlay.graphml")
    return tmp_path


def made(target: str) -> str:
    """The command that the Makefile runs for a target, once it has installed."""
    recipe = re.search(rf"^{target}:.*\n\t\$\(BIN\)/(.*)$", (PROJECT / "Makefile").read_text(), re.MULTILINE)
    assert recipe is not None
    return recipe[1]


def shell(folder: Path, command: str) -> list[str]:
    """The lines that a command prints; it must succeed."""
    environment = {
        **os.environ,
        "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(PROJECT),
        "BROWSER": str(folder / "bin" / "browser"),
    }
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, (command, done.stderr)
    return [line.rstrip() for line in done.stdout.splitlines()]


@pytest.mark.parametrize("block", CONSOLE, ids=lambda block: block.partition("\n")[0][2:50])
def test_console_blocks(block: str, folder: Path) -> None:
    for command, output in commands(block):
        printed = shell(folder, command)
        if output:
            assert printed == output.splitlines(), command
    assert (folder / "opened").exists() == ("--open" in block)


def test_every_command_is_run_by_a_test() -> None:
    shown = [command for block in blocks("console") for command, _ in commands(block)]
    run = [command for block in CONSOLE for command, _ in commands(block)]
    assert len(run) >= 30
    assert all(command.startswith(ELSEWHERE) for command in shown if command not in run)
    assert not blocks("sh")
    assert not blocks("text")


def test_what_the_strategies_save_is_what_their_runs_say(folder: Path) -> None:
    """Each count in the table of strategies stands in the output of the command below it."""
    (table,) = re.findall(r"^\| strategy \|.*?\n\n", README, re.MULTILINE | re.DOTALL)
    (command,) = [each for block in CONSOLE for each, _ in commands(block) if "binary-63" in each]
    printed = set(re.findall(r"[\d,]*\d", "\n".join(shell(folder, command))))
    counts = [count for row in table.splitlines() if "schema-cov" not in row for count in re.findall(r"\d+,\d{3}", row)]
    assert len(counts) == 8
    assert set(counts) <= printed


def test_pictures_and_linked_files_are_there() -> None:
    linked = re.findall(r"\]\(([^)#]+)[^)]*\)", README)
    assert len(linked) > 10
    assert [each for each in linked if not (PROJECT / each).is_file()] == []


@pytest.mark.parametrize("block", blocks("python"))
def test_python_blocks(block: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(block, "README.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == re.findall(r"  # (.*)$", block, re.MULTILINE)
