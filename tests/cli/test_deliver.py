"""`broker-sim deliver` and `broker-sim workload flwr`, in process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from broker_sim.cli import main
from broker_sim.delivery import parse_queries

QUERIES = """(: titles of sections :)
<titles> { for $s in document("d")//section return <t> { $s/title } </t> } </titles>

<figures> {
  for $f in document("d")//figure where $f/title = "F"
  return $f/image
} </figures>
"""
BOOK = (
    "<book><title>B</title><author>A</author><section><title>S</title><section><title>T</title><figure width='1' "
    "height='2'><title>F</title><image source='x'/></figure></section></section></book>"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("q.xq").write_text(QUERIES)
    Path("docs").mkdir()
    Path("docs/1.xml").write_text(BOOK)
    Path("docs/2.xml").write_text("<other/>")
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["deliver", "--queries", "q.xq", *arguments])


@pytest.mark.usefixtures("folder")
class TestDeliver:
    def test_plain(self) -> None:
        result = run("docs")
        assert result.stdout.splitlines() == [
            f"docs/1.xml: 2 messages, 101 bytes for {len(BOOK)}",
            "query 2: <titles><t><title>S</title></t><t><title>T</title></t></titles>",
            'query 4: <figures><image source="x"/></figures>',
            "docs/2.xml: 0 messages, 0 bytes for 8",
        ]
        assert (result.exit_code, result.stderr) == (0, "")

    @pytest.mark.parametrize(
        "options",
        [
            ("--approach", "F"),
            ("--approach", "FW", "--optimise", "none"),
            ("--no-sharing", "--optimise", "query"),
            ("--dtd", "book"),
            ("--dtd", "book", "--no-sharing"),
        ],
    )
    def test_every_choice_answers_the_same(self, options: tuple[str, ...]) -> None:
        assert run("docs/1.xml", *options).stdout == run("docs/1.xml").stdout

    def test_json(self) -> None:
        result = run("--json", "docs/1.xml")
        (answer,) = json.loads(result.stdout)
        assert (answer["document"], answer["bytes"]) == ("docs/1.xml", len(BOOK))
        assert [(one["query"], one["bytes"]) for one in answer["results"]] == [(2, 63), (4, 38)]
        assert answer["results"][1]["message"] == '<figures><image source="x"/></figures>'

    def test_messages_are_written_to_a_folder(self) -> None:
        result = run("--out", "out", "docs")
        assert sorted(path.name for path in Path("out").iterdir()) == ["1.2.xml", "1.4.xml"]
        assert Path("out/1.4.xml").read_text() == '<figures><image source="x"/></figures>\n'
        assert "query" not in result.stdout
        Path("docs/inner").mkdir()
        Path("docs/inner/1.xml").write_text(BOOK)
        result = run("--out", "out", "docs")
        assert (result.exit_code, result.stdout) == (2, "")
        assert "would write the same files" in result.stderr

    def test_documents_that_cannot_be_used(self) -> None:
        Path("docs/0.xml").write_text("<a>")
        result = run("--dtd", "book", "docs")
        assert result.stdout.startswith("docs/1.xml: 2 messages")
        first, second = result.stderr.splitlines()
        assert first.startswith("error: docs/0.xml:1:")
        assert second == "error: docs/2.xml:1: the DTD book does not allow other as the root"
        assert result.exit_code == 2

    def test_queries_that_cannot_be_used(self) -> None:
        Path("q.xq").write_text(f"{QUERIES}<x>{{ let }}</x>")
        result = run("docs")
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == "error: q.xq:8:6: expected 'for', found 'let }</x>'\n"
        Path("q.xq").write_bytes(b"\n\xfc")
        assert run("docs").stderr == "error: q.xq:2: expected UTF-8 text\n"
        Path("q.xq").unlink()
        assert run("docs").stderr == "error: q.xq: cannot be read: No such file or directory\n"

    def test_profile(self) -> None:
        result = run("--profile", "docs/1.xml")
        assert "Path matching" in result.stderr
        assert "OuterJoin-Select" in result.stderr

    def test_choices_that_make_no_sense(self) -> None:
        assert run("--approach", "F", "--sharing", "docs").exit_code == 2
        assert "optimisation by DTD needs a DTD" in run("--optimise", "dtd", "docs").stderr


@pytest.mark.usefixtures("folder")
def test_generated_queries_can_be_delivered() -> None:
    arguments = ["workload", "flwr", "book", "--number", "20", "--depth", "3", "--max-value", "3"]
    shown = CliRunner().invoke(main, arguments)
    written = CliRunner().invoke(main, [*arguments, "--out", "q.xq"])
    assert (shown.exit_code, written.exit_code) == (0, 0)
    assert Path("q.xq").read_text() == shown.stdout
    assert [line for line, _ in parse_queries(shown.stdout)] == list(range(1, 21))
    assert run("docs/1.xml").exit_code == 0
