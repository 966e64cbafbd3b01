"""`broker-sim bench` on tiny input."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from broker_sim.cli import main
from broker_sim.delivery.benchmark import FEWEST

TINY = ["bench", "engines", "--queries", "20", "--number", "3"]


def test_every_engine_finds_the_same() -> None:
    result = CliRunner().invoke(main, [*TINY, "--json"])
    assert result.exit_code == 0, result.output
    rows = json.loads(result.output)
    assert [row["engine"] for row in rows] == ["lxml", "scan", "yfilter", "lazy-dfa"]
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
