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
    ("arguments", "sentence"),
    [
        (["covers", "/bib/book/title", "//book/title"], "/bib/book/title does not cover //book/title"),
        (
            ["covers", "/bib/book/title", "//book/title", "--dtd", "bib"],
            "/bib/book/title covers //book/title under bib",
        ),
        (["merge", "/a/b", "/a/*//b"], "/a//b (perfect, rule 3, degree 0.0000)"),
        (["merge", "/bib/book/title", "/bib/book/price"], "/bib/book/* (imperfect, rule 1)"),
        (
            ["merge", "/bib/book/title", "/bib/book/price", "--dtd", "bib"],
            "/bib/book/* (imperfect, rule 1, degree 0.7500) under bib",
        ),
        (["merge", "/a", "/b/c"], "/a and /b/c have no merger"),
        (["merge", "/a", "/a/b[x or y]"], "/a (perfect, rule 0, degree 0.0000)"),
        (["merge", "/a[x or y]", "/a/x"], "/a[x] or /a[y] (perfect, rule 0, degree 0.0000)"),
        (["merge", "/a[x or y]", "/b"], "/a[x or y] and /b have no merger"),
    ],
)
def test_sentences(arguments: list[str], sentence: str) -> None:
    result = CliRunner().invoke(main, ["relate", *arguments])
    assert (result.exit_code, result.stdout, result.stderr) == (0, f"{sentence}\n", "")


def test_merge_as_json() -> None:
    result = CliRunner().invoke(main, ["relate", "merge", "/a/b", "/a/c", "--json"])
    assert json.loads(result.stdout) == {"merger": "/a/*", "rule": 1, "perfect": False, "degree": None}
    result = CliRunner().invoke(main, ["relate", "merge", "/a", "/b/c", "--json"])
    assert json.loads(result.stdout) == {"merger": None}


COVERS = '{"first": "/a", "second": "/a/b", "first_covers_second": true}'
OVERLAP = '{"advertisement": "/a", "subscription": "/b", "overlaps": false}'
WRONG = '{"advertisement": "/a", "subscription": "/b", "overlaps": true}'
UNDER_BIB = '{"first": "/bib/book/title", "second": "//book/title", "first_covers_second": true}'


def check(tmp_path: Path, lines: list[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of `relate` on a file of cases that is the last argument."""
    file = tmp_path / "cases"
    file.write_text("\n".join(lines))
    result = CliRunner().invoke(main, ["relate", *arguments, "--cases", str(file)])
    return result.exit_code, result.stdout, result.stderr.replace(str(file), "FILE")


@pytest.mark.parametrize(
    ("arguments", "lines", "output"),
    [
        ([], [COVERS, "", OVERLAP], "2 right, 0 wrong\n"),
        (["overlap"], [OVERLAP], "1 right, 0 wrong\n"),
        (["covers"], [COVERS], "1 right, 0 wrong\n"),
        (["covers", "--dtd", "bib"], [UNDER_BIB], "1 right, 0 wrong\n"),
        (["covers", "--dtd", "bib", "--root", "bib"], [UNDER_BIB], "1 right, 0 wrong\n"),
        (["--dtd", "bib"], [UNDER_BIB], "1 right, 0 wrong\n"),
        ([], [], "0 right, 0 wrong\n"),
    ],
)
def test_cases_that_are_right(arguments: list[str], lines: list[str], output: str, tmp_path: Path) -> None:
    assert check(tmp_path, lines, *arguments) == (0, output, "")


def test_cases_that_are_wrong(tmp_path: Path) -> None:
    shown = f"wrong: line 2: {WRONG}\n"
    assert check(tmp_path, [COVERS, WRONG]) == (1, f"{shown}1 right, 1 wrong\n", "")
    assert check(tmp_path, [UNDER_BIB], "covers") == (1, f"wrong: line 1: {UNDER_BIB}\n0 right, 1 wrong\n", "")
    code, output, _ = check(tmp_path, [WRONG] * 22)
    assert (code, output.splitlines()[-2:]) == (1, ["and 2 more", "0 right, 22 wrong"])


@pytest.mark.parametrize("arguments", [["--json"], ["overlap", "--json"]])
def test_cases_as_json(arguments: list[str], tmp_path: Path) -> None:
    code, output, _ = check(tmp_path, [OVERLAP, WRONG], *arguments)
    wrong = [{"line": 2, **json.loads(WRONG)}]
    assert (code, json.loads(output)) == (1, {"right": 1, "wrong": 1, "wrong_cases": wrong})


@pytest.mark.parametrize(
    ("arguments", "line", "message"),
    [
        ([], "{", "FILE:2:2: expected a JSON object"),
        ([], "[" * 100_000, "FILE:2: expected a JSON object: nested too deeply"),
        ([], "[]", "FILE:2: expected a JSON object, not []"),
        ([], '{"first": "/a"}', "FILE:2: expected an object with the keys advertisement, "),
        ([], '{"first": "/a", "second": "/b", "first_covers_second": 1}', "FILE:2: expected an object with the keys "),
        ([], WRONG[:-1] + ", " + COVERS[1:], "FILE:2: expected an object with the keys "),
        ([], WRONG.replace("/b", "/b/!"), "FILE:2:4: subscription: found '!'"),
        ([], WRONG.replace("/a", "a"), "FILE:2:1: advertisement: expected "),
        ([], COVERS.replace("/a/b", "/a["), "FILE:2:4: second: expected "),
        (["overlap"], COVERS, "FILE:2: expected the keys advertisement, subscription, overlaps, found first"),
        (["covers"], WRONG, "FILE:2: expected the keys first, second, first_covers_second, found advertisement"),
        (["--dtd", "bib"], WRONG, "FILE:2: expected no case of overlap"),
    ],
)
def test_a_wrong_line_is_named(arguments: list[str], line: str, message: str, tmp_path: Path) -> None:
    code, output, error = check(tmp_path, ["", line], *arguments)
    assert (code, output, error.count("\n")) == (2, "", 1)
    assert error.startswith(f"error: {message}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--cases", "x", "overlap", "/a", "/a"], "write the options after 'overlap'"),
        (["--json", "covers", "/a", "/a"], "write the options after 'covers'"),
        (["--dtd", "bib"], "expected --cases FILE with these options"),
        (["--cases", "nowhere"], "nowhere: cannot be read: No such file"),
        (["overlap", "/a"], "expected either an advertisement and a subscription or --cases FILE"),
        (["covers", "/a", "/b", "--cases", "x"], "expected either two expressions or --cases FILE"),
        (["covers", "/a", "/b", "--root", "a"], "--root a is the root of a DTD: expected --dtd as well"),
        (["merge", "/a", "/b", "--root", "a"], "--root a is the root of a DTD"),
        (["covers", "--cases", "x", "--root", "a"], "--root a is the root of a DTD"),
        (["covers", "/a", "/b", "--dtd", "bib", "--root", "x"], "element 'x' is not declared"),
        (["merge", "/a", "/b!"], "error: 3: found '!'"),
    ],
)
def test_wrong_options_are_one_line(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(main, ["relate", *arguments])
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert message in result.stderr


def test_a_file_that_is_no_text_is_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "cases"
    file.write_bytes(b"\n\xff\n")
    result = CliRunner().invoke(main, ["relate", "--cases", str(file)])
    assert (result.exit_code, result.stderr) == (2, f"error: {file}:2: expected UTF-8 text\n")
