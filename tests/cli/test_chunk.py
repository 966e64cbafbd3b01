"""`broker-sim chunk`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from broker_sim.cli import main

QUERIES = "/a/b/c\n//c\n# a comment\n/a/x\n/a[d]/b[c=1]\n/a/d/e\n/a/d/e\n"
DTD = "<!ELEMENT a (b*, d*)><!ELEMENT b (c*)><!ELEMENT c (#PCDATA)><!ELEMENT d (e*)><!ELEMENT e (#PCDATA)>"
DOCUMENT = "<a><b><c>1</c></b><b><c>2</c></b><d/></a>"


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    paths = {name: tmp_path / name for name in ("queries.txt", "a.dtd", "a.xml", "bad.xml")}
    for path, text in zip(paths.values(), (QUERIES, DTD, DOCUMENT, "<a><z/></a>"), strict=True):
        path.write_text(text)
    return {name: str(path) for name, path in paths.items()} | {"out": str(tmp_path / "out")}


def run(files: dict[str, str], command: str, *arguments: str) -> Result:
    common = ["--subscriptions", files["queries.txt"], "--dtd", files["a.dtd"]]
    return CliRunner().invoke(main, ["chunk", command, *common, *arguments])


def test_scheme(files: dict[str, str]) -> None:
    result = run(files, "scheme", "--chunks", "3")
    assert result.exit_code == 0
    assert result.output == (
        "/a/b: 1 queries, 20%, with /a/d\n/a/b/c: 2 queries, 40%\n/a/d/e: 2 queries, 40%\npotpourri: 0 queries\n"
        "no valid document matches 1: lines 4\n"
    )
    shown = json.loads(run(files, "scheme", "--chunks", "2", "--json").output)
    assert [chunk["prefix"] for chunk in shown["chunks"]] == ["/a/b/c", "/a/d/e"]
    assert shown["potpourri"] == {"5": "/a[d]/b[c[. = 1]]"}
    assert shown["chunks"][0]["paths"]["2"] == "/a/b/c"
    assert shown["dead"] == [4]


def test_scheme_by_estimate(files: dict[str, str]) -> None:
    assert run(files, "scheme", "--chunks", "auto", "--sample", files["a.xml"]).output.startswith(
        "potpourri: 5 queries"
    )
    result = run(files, "scheme", "--chunks", "auto")
    assert (result.exit_code, "give --sample" in result.output) == (2, True)


def test_split(files: dict[str, str]) -> None:
    result = run(files, "split", "--chunks", "3", "--out", files["out"], files["a.xml"], "--json")
    assert result.exit_code == 0
    shown = json.loads(result.output)
    assert [(row["chunk"], row["subtrees"]) for row in shown["chunks"]] == [("/a/b", 2), ("/a/b/c", 2), ("/a/d/e", 0)]
    assert sorted(file.name for file in Path(files["out"]).iterdir()) == ["chunk-1.xml", "chunk-2.xml"]
    assert (Path(files["out"]) / "chunk-1.xml").read_text() == DOCUMENT
    assert (
        "potpourri, 5 queries" in run(files, "split", "--chunks", "auto", "--out", files["out"], files["a.xml"]).output
    )


def test_a_split_that_fails_leaves_nothing(files: dict[str, str]) -> None:
    result = run(files, "split", "--out", files["out"], files["bad.xml"])
    assert (result.exit_code, "bad.xml:1:4: z stands inside a" in result.output) == (2, True)
    assert not Path(files["out"]).exists()
    missing = run(files, "split", "--out", files["out"], files["a.xml"] + "x")
    assert (missing.exit_code, "cannot be read" in missing.output) == (2, True)


@pytest.mark.parametrize("options", [(), ("--inner", "lazy-dfa"), ("--workers", "2"), ("--chunks", "auto")])
def test_match(files: dict[str, str], options: tuple[str, ...]) -> None:
    result = run(files, "match", *options, files["a.xml"], "--json")
    assert result.exit_code == 0
    (shown,) = json.loads(result.output)
    assert (shown["document"], shown["matches"]) == (files["a.xml"], [1, 2, 5])


def test_match_prints_chunks_and_fragments(files: dict[str, str]) -> None:
    priority = ("--priority", "/a/b/c=1")
    result = run(files, "match", "--chunks", "3", *priority, "--fragments", files["a.xml"], files["bad.xml"])
    assert result.exit_code == 2
    name = files["a.xml"]
    lines = result.output.splitlines()
    assert lines[0] == f"{name} /a/b/c: 2 of 2 queries"
    assert f"{name}: 3 matches: 1 2 5" in lines
    assert lines[lines.index(f"{name}: 3 matches: 1 2 5") + 1 :][:2] == ["1: <c>1</c>", "1: <c>2</c>"]
    assert "z stands inside a" in lines[-1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--chunks", "few"), "expected a number or 'auto', not 'few'"),
        (("--priority", "/a"), "expected PREFIX=N, not '/a'"),
    ],
)
def test_wrong_options(files: dict[str, str], arguments: tuple[str, ...], message: str) -> None:
    result = run(files, "match", *arguments, files["a.xml"])
    assert (result.exit_code, message in result.output) == (2, True)


def test_wrong_subscriptions_are_all_named(files: dict[str, str]) -> None:
    Path(files["queries.txt"]).write_text("/a\n/a[\n/b]\n")
    result = run(files, "scheme")
    assert result.exit_code == 2
    assert "queries.txt:2:" in result.output
    assert "queries.txt:3:" in result.output
