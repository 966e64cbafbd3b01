"""`broker-sim bench` on tiny input."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from broker_sim.cli import main
from broker_sim.delivery.benchmark import FEWEST
from broker_sim.engines.benchmark import ENGINES
from broker_sim.engines.relational.study import load_spec

TINY = ["bench", "engines", "--queries", "20", "--number", "3"]


def test_every_engine_finds_the_same() -> None:
    result = CliRunner().invoke(main, [*TINY, "--json"])
    assert result.exit_code == 0, result.output
    rows = json.loads(result.output)
    assert [row["engine"] for row in rows] == list(ENGINES)
    assert len({(row["matches"], row["documents"], row["queries"]) for row in rows}) == 1


def test_own_documents_and_a_table(tmp_path: Path) -> None:
    (tmp_path / "one.xml").write_text("<nitf><body/></nitf>")
    result = CliRunner().invoke(main, [*TINY, "--engine", "lazy-dfa", "--documents", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert "| lazy-dfa | 20 | 1 |" in result.output


def test_a_folder_without_documents_is_an_error(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, [*TINY, "--documents", str(tmp_path)])
    assert result.exit_code == 2
    assert "no *.xml files" in result.output


def test_a_plot_or_the_name_of_what_is_missing(tmp_path: Path) -> None:
    picture = tmp_path / "times.png"
    result = CliRunner().invoke(main, [*TINY, "--engine", "yfilter", "--plot", str(picture)])
    if importlib.util.find_spec("matplotlib") is None:
        assert result.exit_code == 2
        assert "notebooks" in result.output
    else:
        assert picture.stat().st_size > 0


@pytest.mark.parametrize("words", [["--queries", "0"], ["--engine", "grep"]])
def test_wrong_options(words: list[str]) -> None:
    assert CliRunner().invoke(main, ["bench", "engines", *words]).exit_code == 2


STUDIES = """
description = "tiny"
dtd = "astro"
repeat = 1
[queries]
branching = 0.3
[[studies]]
name = "one"
document_bytes = [3_000]
subscriptions = [0, 30]
cutting = [true, false]
predicates = 1
"""


def test_relational_studies(tmp_path: Path) -> None:
    spec = tmp_path / "spec.toml"
    spec.write_text(STUDIES)
    command = ["bench", "relational", "--spec", str(spec)]
    result = CliRunner().invoke(main, [*command, "--json"])
    assert result.exit_code == 0, result.output
    rows = json.loads(result.output)
    assert [(row["subscriptions"], row["cutting"]) for row in rows] == [(0, True), (0, False), (30, True), (30, False)]
    assert rows[0]["matches"] == 0
    assert 0 < rows[2]["matches"] == rows[3]["matches"] <= 30
    assert "| 30 | 3," in CliRunner().invoke(main, command).output
    if importlib.util.find_spec("matplotlib") is not None:
        assert CliRunner().invoke(main, [*command, "--plot", str(tmp_path / "p.svg")]).exit_code == 0
        assert (tmp_path / "p.svg").stat().st_size > 0


@pytest.mark.parametrize("text", ["studies = 5", "[[studies]]\nspeed = 1", "description ="])
def test_a_file_that_is_no_studies(tmp_path: Path, text: str) -> None:
    (tmp_path / "spec.toml").write_text(text)
    result = CliRunner().invoke(main, ["bench", "relational", "--spec", str(tmp_path / "spec.toml")])
    assert (result.exit_code, "no file of studies" in result.output) == (2, True)


def test_the_shipped_studies_are_the_papers() -> None:
    spec = load_spec()
    assert [study.document_bytes for study in spec.studies][-1] == [3_000, 15_000, 40_000, 100_000]
    assert spec.queries == {"branching": 0.3, "wildcard": 0.1, "descendant": 0.2, "max_length": 10}


DELIVERY = ["bench", "delivery", "--most", "20", "--budget", "0"]


def test_every_way_of_delivery_finds_the_same() -> None:
    result = CliRunner().invoke(main, [*DELIVERY, "--only", "figure 10", "--only", "figure 12", "--json"])
    assert result.exit_code == 0, result.output
    rows = json.loads(result.output)
    assert len(rows) == 9 + 2
    for study in {row["study"] for row in rows}:
        assert len({row["matches"] for row in rows if row["study"] == study}) == 1
    assert {row["documents"] for row in rows} == {FEWEST}
    shared = [row for row in rows if row["sharing"]]
    assert shared
    assert all("OuterJoin-Select" in row["operators"] and "Path matching" in row["costs"] for row in shared)


def test_a_table_of_deliveries() -> None:
    result = CliRunner().invoke(main, [*DELIVERY, "--only", "figure 8"])
    assert result.exit_code == 0, result.output
    assert "| FWR | dtd | no | 20 | 3 | 2 |" in result.output
    assert "116 matches" in result.output


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("description = 1\nx", "expected TOML"),
        ("seed = 1", "expected 'workloads' to be given"),
        ("[workloads.a]\ndtd = 'bib'", "expected the fields of paper-delivery"),
    ],
)
def test_studies_that_cannot_be_used(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "own.toml"
    file.write_text(text)
    result = CliRunner().invoke(main, ["bench", "delivery", "--studies", str(file)])
    assert result.exit_code == 2
    assert f"{file}: {message}" in result.output
