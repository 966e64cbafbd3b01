"""Bulk matching on a real Spark session gives the rows of one engine in one process."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from broker_sim.cli import main
from broker_sim.engines import ENGINES
from broker_sim.errors import ConfigurationError, XPathError
from broker_sim.experiment.bulk import EngineChoice, match_documents, read_documents
from broker_sim.workload import DocumentParameters, XPathParameters, generate_documents, generate_xpaths
from dtd_ads import load_schema

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="module")
def subscriptions() -> dict[int, str]:
    parameters = XPathParameters(80, distinct=False, wildcard=0.2, descendant=0.2, stop=0.2)
    return dict(enumerate(map(str, generate_xpaths(load_schema("book"), parameters, Random(1))), 3))


@pytest.fixture(scope="module")
def documents() -> dict[str, bytes]:
    drawn = generate_documents(load_schema("book"), DocumentParameters(60, elements=20), Random(2))
    return {f"{number % 3}/[{number}] é.xml": document for number, document in enumerate(drawn)}


def rows(out: Path) -> list[tuple[str, int]]:
    table = pq.read_table(out)
    return sorted(zip(table["doc_id"].to_pylist(), table["subscription_id"].to_pylist(), strict=True))


def expected(documents: dict[str, bytes], subscriptions: dict[int, str], engine: str) -> list[tuple[str, int]]:
    alone = EngineChoice(engine).filled(subscriptions)
    return sorted((doc_id, number) for doc_id, content in documents.items() for number in alone.match(content))


@pytest.mark.parametrize("engine", list(ENGINES))
def test_a_table_of_documents(
    engine: str, spark: SparkSession, documents: dict[str, bytes], subscriptions: dict[int, str], tmp_path: Path
) -> None:
    table = pa.table({"doc_id": list(documents), "content": list(documents.values()), "more": [0] * len(documents)})
    pq.write_table(table, tmp_path / "documents.parquet")
    found = read_documents(spark, tmp_path / "documents.parquet")
    result = match_documents(spark, found, subscriptions, tmp_path / "out", EngineChoice(engine))
    assert rows(tmp_path / "out") == expected(documents, subscriptions, engine) != []
    assert (result.documents, result.matches, result.errors) == (60, len(rows(tmp_path / "out")), {})


def test_a_folder_with_a_document_that_cannot_be_read(
    spark: SparkSession, documents: dict[str, bytes], subscriptions: dict[int, str], tmp_path: Path
) -> None:
    folder = tmp_path / "all documents" / "0"
    for name, content in {**documents, "0/broken.xml": b"<a>", "0/no.txt": b"<book/>"}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    result = match_documents(spark, read_documents(spark, folder), subscriptions, tmp_path / "out")
    assert rows(tmp_path / "out") == expected(documents, subscriptions, "lazy-dfa")
    assert result.documents == 61
    assert list(result.errors) == ["0/broken.xml"]
    assert "0/broken.xml:1:4" in result.errors["0/broken.xml"]


def test_wrong_input(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no such file or folder"):
        read_documents(spark, tmp_path / "nowhere")
    with pytest.raises(ConfigurationError, match=r"expected a folder with \.xml files"):
        read_documents(spark, tmp_path)
    pq.write_table(pa.table({"id": [1]}), tmp_path / "other.parquet")
    with pytest.raises(ConfigurationError, match="expected columns doc_id and content, not id"):
        read_documents(spark, tmp_path / "other.parquet")
    with pytest.raises(XPathError):
        match_documents(spark, spark.range(1).toDF("doc_id"), {1: "/a["}, tmp_path / "out")


def test_one_file_is_spread_and_missing_values_are_reported(spark: SparkSession, tmp_path: Path) -> None:
    names = [*(f"{number:03}" for number in range(64)), None, "empty"]
    contents = [*[b"<a><b/></a>"] * 65, None]
    pq.write_table(pa.table({"doc_id": names, "content": contents}), tmp_path / "one.parquet")
    result = match_documents(spark, read_documents(spark, tmp_path / "one.parquet"), {7: "/a/b"}, tmp_path / "out")
    assert (result.documents, result.matches, result.errors) == (66, 65, {"empty": "empty: has no content"})
    assert rows(tmp_path / "out") == [("", 7), *((name, 7) for name in names[:64])]
    parts = [pq.read_metadata(file).num_rows for file in (tmp_path / "out").glob("part-*")]
    assert len(parts) > 8
    assert max(parts) < 20


def test_a_folder_of_other_things_is_not_overwritten(spark: SparkSession, tmp_path: Path) -> None:
    folder = tmp_path / "docs [1] {é}"
    folder.mkdir()
    (folder / "1.xml").write_text("<a/>")
    documents = read_documents(spark, folder)
    for out in (tmp_path, folder):
        with pytest.raises(ConfigurationError, match=r"is no table of matches: it holds '1\.xml'"):
            match_documents(spark, documents, {1: "/a"}, out)
    for _ in range(2):
        match_documents(spark, documents, {1: "/a"}, tmp_path / "out [1]")
    assert rows(tmp_path / "out [1]") == [("1.xml", 1)]


@pytest.mark.usefixtures("spark")
def test_the_command(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "1.xml").write_text("<a><b/></a>")
    (tmp_path / "docs" / "2.xml").write_text("<a>")
    (tmp_path / "subs.txt").write_text("# first\n/a\n  /a/b\n/a[\nc\n")
    out = tmp_path / "out"
    options = ["--spark", "--master", "local[2]", "--out", str(out), "--json"]
    command = ["match", "--subscriptions", str(tmp_path / "subs.txt"), *options, str(tmp_path / "docs")]
    refused = CliRunner().invoke(main, command)
    assert (refused.exit_code, out.exists()) == (2, False)
    done = CliRunner().invoke(main, [*command, "--skip-invalid"])
    assert done.exit_code == 2
    assert json.loads(done.stdout) == {"documents": 2, "matches": 2, "errors": 1, "out": str(out)}
    assert "error: 2.xml:1" in done.stderr
    assert rows(out) == [("1.xml", 2), ("1.xml", 3)]


def test_options_that_do_not_go_together(tmp_path: Path) -> None:
    (tmp_path / "subs.txt").write_text("/a\n")
    command = ["match", "--subscriptions", str(tmp_path / "subs.txt"), "docs"]
    assert CliRunner().invoke(main, [*command, "--spark"]).exit_code == 2
    assert CliRunner().invoke(main, [*command, "--out", "x"]).exit_code == 2
