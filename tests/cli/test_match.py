"""`broker-sim match`, in process; in a process of its own where terminals and signals matter."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from broker_sim.cli import main

SUBSCRIPTIONS = "# first\n/a/b\n\n  c\r\n/a[b and c]\n/x or /a/c\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("subs.txt").write_text(SUBSCRIPTIONS)
    Path("docs/inner").mkdir(parents=True)
    Path("docs/2.xml").write_text("<a><b/><c/></a>")
    Path("docs/inner/1.xml").write_text("<a><b/></a>")
    Path("docs/readme.txt").write_text("no document")
    Path("none.xml").write_text("<z/>")
    return tmp_path


def run(*arguments: str, engine: str = "lxml", subscriptions: str = "subs.txt") -> Result:
    return CliRunner().invoke(main, ["match", "--engine", engine, "--subscriptions", subscriptions, *arguments])


@pytest.mark.usefixtures("folder")
class TestMatch:
    def test_plain(self) -> None:
        result = run("docs", "none.xml")
        assert result.stdout.splitlines() == [
            "docs/2.xml: 4 matches: 2 4 5 6",
            "docs/inner/1.xml: 1 match: 2",
            "none.xml: 0 matches",
        ]
        assert (result.exit_code, result.stderr) == (0, "")

    def test_json(self) -> None:
        result = run("--json", "none.xml", "docs/2.xml")
        assert json.loads(result.stdout) == [
            {"document": "none.xml", "matches": []},
            {"document": "docs/2.xml", "matches": [2, 4, 5, 6]},
        ]
        assert result.exit_code == 0

    def test_only_the_first_few_are_shown(self) -> None:
        Path("many.txt").write_text("/a\n" * 12)
        result = run("docs/2.xml", subscriptions="many.txt")
        assert result.stdout == "docs/2.xml: 12 matches: 1 2 3 4 5 6 7 8 9 10 ... and 2 more\n"

    def test_all_invalid_lines_are_reported(self) -> None:
        Path("bad.txt").write_text("/a\n  /a[\n#\n/b/\n")
        result = run("docs", subscriptions="bad.txt")
        assert (result.exit_code, result.stdout) == (2, "")
        first, second = result.stderr.splitlines()
        assert first.startswith("error: bad.txt:2:6: ")
        assert "'/a['" in first
        assert second.startswith("error: bad.txt:4:4: ")

    def test_invalid_lines_can_be_skipped(self) -> None:
        Path("bad.txt").write_text("/a[\n/a\n")
        result = run("--skip-invalid", "--json", "none.xml", "docs/2.xml", subscriptions="bad.txt")
        assert [answer["matches"] for answer in json.loads(result.stdout)] == [[], [2]]
        assert result.stderr.startswith("skipped: bad.txt:1:")
        assert result.exit_code == 0

    @pytest.mark.parametrize("engine", ["xtrie", "xtrie-eager"])
    def test_streams(self, engine: str) -> None:
        assert run("--stream", "docs/2.xml", engine=engine).stdout == "docs/2.xml: 4 matches: 2 4 5 6\n"
        result = run("--stream", "--max-bytes", "14", "docs", engine=engine)
        assert (result.exit_code, result.stdout) == (2, "docs/inner/1.xml: 1 match: 2\n")
        assert "docs/2.xml: larger than 14 bytes" in result.stderr

    def test_not_all_engines_stream(self) -> None:
        result = run("--stream", "docs")
        assert (result.exit_code, "'lxml' needs whole documents" in result.stderr) == (2, True)

    def test_options_of_engines(self) -> None:
        for engine, option in (
            ("xfilter", "list_balance=true"),
            ("lazy-dfa", "max_states=2"),
            ("xtrie", "order=xpath"),
        ):
            assert run("--option", option, "docs/2.xml", engine=engine).stdout == "docs/2.xml: 4 matches: 2 4 5 6\n"
        for engine, option in (("xfilter", "list_balance"), ("xfilter", "list_balance=no"), ("xtrie", "speed=9")):
            assert run("--option", option, "docs", engine=engine).exit_code == 2

    def test_what_the_engine_refuses_is_an_invalid_line(self) -> None:
        result = run("docs", engine="scan")
        assert result.exit_code == 2
        assert result.stderr.startswith("error: subs.txt:5:1: the scan engine matches only")
        assert "'/a[b and c]'" in result.stderr

    def test_bad_documents_are_reported_and_the_others_answered(self) -> None:
        Path("docs/0.xml").write_text("<a>\n<b>")
        result = run("--json", "docs", "gone.xml")
        assert [answer["document"] for answer in json.loads(result.stdout)] == ["docs/2.xml", "docs/inner/1.xml"]
        first, second = result.stderr.splitlines()
        assert first.startswith("error: docs/0.xml:2:4: ")
        assert second == "error: gone.xml: cannot be read: No such file or directory"
        assert result.exit_code == 2

    def test_too_large(self) -> None:
        result = run("--max-bytes", "4", "none.xml", "docs/2.xml")
        assert result.stdout == "none.xml: 0 matches\n"
        assert result.stderr == "error: docs/2.xml: larger than 4 bytes\n"
        assert result.exit_code == 2

    def test_unusable_files(self) -> None:
        Path("latin.txt").write_bytes(b"/a\n/\xfc\n")
        Path("empty").mkdir()
        assert "error: gone.txt: cannot be read" in run("docs", subscriptions="gone.txt").stderr
        assert "error: docs: cannot be read: Is a directory" in run("docs", subscriptions="docs").stderr
        assert "error: latin.txt:2: expected UTF-8" in run("docs", subscriptions="latin.txt").stderr
        assert "error: empty: no .xml file" in run("empty").stderr
        assert run("empty").exit_code == run("docs", subscriptions="gone.txt").exit_code == 2

    def test_usage(self) -> None:
        assert run("docs", engine="grep").exit_code == 2
        assert run().exit_code == 2


def command(*arguments: str) -> list[str]:
    start = [sys.executable, "-m", "broker_sim.cli", "match", "--engine", "lxml", "--subscriptions", "subs.txt"]
    return [*start, *arguments]


def environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(Path(__file__).parents[2]), "TERM": "xterm"}


def test_the_bar_leaves_standard_output_alone(folder: Path) -> None:
    terminal, other = pty.openpty()
    result = subprocess.run(
        command("docs"), cwd=folder, env=environment(), stdout=subprocess.PIPE, stderr=other, check=True, timeout=30
    )
    os.close(other)
    assert result.stdout.splitlines() == [b"docs/2.xml: 4 matches: 2 4 5 6", b"docs/inner/1.xml: 1 match: 2"]
    assert b"Matching" in os.read(terminal, 10_000)
    os.close(terminal)


def test_interrupt_ends_cleanly(folder: Path) -> None:
    os.mkfifo(folder / "slow.xml")
    process = subprocess.Popen(
        command("docs/2.xml", "slow.xml"),
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "docs/2.xml: 4 matches: 2 4 5 6\n"
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode != 0
    assert "Traceback" not in errors


@pytest.mark.usefixtures("folder")
class TestStores:
    """An engine that keeps its subscriptions."""

    def test_stop_start_match_again(self) -> None:
        options = ["--option", "location=kept.duckdb", "--json", "docs"]
        first = run(*options, engine="relational")
        again = CliRunner().invoke(main, ["match", "--engine", "relational", *options])
        assert first.exit_code == again.exit_code == 0
        assert [answer["matches"] for answer in json.loads(again.stdout)] == [[2, 4, 5, 6], [2]]
        assert again.stdout == first.stdout
        twice = run(*options, engine="relational")
        assert twice.exit_code == 2
        assert twice.stderr.startswith("error: subs.txt: cannot be added: a subscription id is taken")

    def test_invalid_lines_leave_nothing_behind(self) -> None:
        Path("bad.txt").write_text("/a\n/a[\n")
        option = ["--option", "location=kept.duckdb", "docs"]
        assert run(*option, engine="relational", subscriptions="bad.txt").exit_code == 2
        empty = CliRunner().invoke(main, ["match", "--engine", "relational", *option])
        assert (empty.exit_code, empty.stderr[:24]) == (2, "error: no subscriptions:")

    def test_options(self) -> None:
        assert run("--option", "max_states=5", "docs", engine="lazy-dfa").exit_code == 0
        for wrong in ("cutting", "=5", "cutting=maybe", "database=oracle", "speed=9"):
            assert run("--option", wrong, "docs", engine="relational").exit_code == 2
