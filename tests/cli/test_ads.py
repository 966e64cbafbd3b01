"""`broker-sim ads`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from broker_sim.cli import main


def test_json() -> None:
    result = CliRunner().invoke(main, ["ads", "book", "--json"])
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {
        "dtd": "book",
        "root": "book",
        "elements": 7,
        "reachable": 7,
        "form": "paths",
        "exact": True,
        "counts": {"non-recursive": 2, "simple": 4, "series": 0, "embedded": 0, "automaton": 0},
        "paths_leaf_only": 32,
        "paths_may_end": 32,
        "paths_max_depth": 10,
        "paths_by_depth": {"2": 2, "3": 2, **{str(depth): 4 for depth in range(4, 11)}},
        "recursion": [["section"]],
        "warnings": [],
        "advertisements": [
            "/book/title",
            "/book/author",
            "/book(/section)+/title",
            "/book(/section)+/p",
            "/book(/section)+/figure/title",
            "/book(/section)+/figure/image",
        ],
    }


def test_the_two_conventions_of_an_end_are_told_apart(tmp_path: Path) -> None:
    file = tmp_path / "x.dtd"
    file.write_text("<!ELEMENT a (b*, nowhere?)><!ELEMENT b (c?)><!ELEMENT c EMPTY>")
    result = CliRunner().invoke(main, ["ads", str(file), "--json"])
    report = json.loads(result.stdout)
    assert (report["paths_leaf_only"], report["paths_may_end"], report["paths_max_depth"]) == (1, 3, None)
    assert report["warnings"] == ["element 'nowhere' is declared nowhere; left out of a"]
    assert result.stderr == "warning: element 'nowhere' is declared nowhere; left out of a\n"


@pytest.mark.parametrize(("form", "kind"), [("automaton", "automaton"), ("paths", "simple")])
def test_form_and_depth(form: str, kind: str) -> None:
    report = json.loads(CliRunner().invoke(main, ["ads", "book", "--form", form, "--json"]).stdout)
    assert report["form"] == form
    assert report["counts"][kind] > 0
    report = json.loads(CliRunner().invoke(main, ["ads", "book", "--form", form, "--max-depth", "3", "--json"]).stdout)
    assert (report["paths_may_end"], report["paths_by_depth"]) == (4, {"2": 2, "3": 2})


def test_tables_and_list() -> None:
    lines = CliRunner().invoke(main, ["ads", "book"]).stdout.splitlines()
    assert " advertisements  6: 2 non-recursive, 4 simple" in [line.rstrip() for line in lines]
    assert lines[-1] == "/book(/section)+/figure/image"


def test_out(tmp_path: Path) -> None:
    out = tmp_path / "list"
    assert CliRunner().invoke(main, ["ads", "bib", "--out", str(out)]).exit_code == 0
    assert out.read_text().splitlines()[0] == "/bib"


@pytest.mark.parametrize("options", [["nowhere"], ["bib", "--root", "x"], ["bib", "--max-depth", "0"]])
def test_wrong_input_is_one_line(options: list[str]) -> None:
    result = CliRunner().invoke(main, ["ads", *options])
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
