"""Results in, page out: what is read, what is said, and that nothing is left outside the file."""

from __future__ import annotations

import base64
import gzip
import json
import re
from hashlib import sha256
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from broker_sim.cli import main
from broker_sim.errors import ConfigurationError
from broker_sim.report import read_results
from broker_sim.report.charts import Bars, Lines
from broker_sim.report.page import charts_of, json_text, page_text
from broker_sim.report.palette import DARK, LIGHT
from broker_sim.report.sentences import answers

SWEEP = """
seeds = 2
[experiment]
unit = "paths"
topology = "{family}:n={size}"
strategies = ["{strategy}"]
[experiment.subscriptions]
placement = "all"
[experiment.subscriptions.generate]
number = 5
[experiment.documents.generate]
number = 2
elements = 20
[axes]
size = [3, 5]
strategy = ["no-adv-no-cov", "with-adv-with-cov"]
family = ["line", "star"]
"""


FEW = "sets={A=[{number=60, max_length=10}]}"


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def page_json(page: str) -> dict:
    return json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])


def packed(page: str, name: str) -> dict:
    data = re.search(rf'id="{name}">(.*?)</script>', page, re.DOTALL)[1]
    return json.loads(gzip.decompress(base64.b64decode(data)))


def test_the_answer_is_that_of_the_run(small_results: Path) -> None:
    results = read_results(small_results)
    first, second = answers(results)
    row = results.tables["summary"][1]
    more = row["messages_received"] / results.tables["summary"][0]["messages_received"] - 1
    assert first.about == "no-adv-no-cov"
    assert first.good is True
    assert f"{row['messages_received']:,} messages ({more:.0%} more than no-adv-no-cov)" in second.text
    assert "0 missed, 0 unwanted" in second.text


def test_a_broken_promise_is_said_to_be_broken(small_results: Path, tmp_path: Path) -> None:
    row = pq.read_table(small_results / "summary" / "no-adv-no-cov.parquet").to_pylist()[0]
    (tmp_path / "summary").mkdir()
    pq.write_table(pa.Table.from_pylist([{**row, "missed": 2}]), tmp_path / "summary" / "no-adv-no-cov.parquet")
    (answer,) = answers(read_results(tmp_path))
    assert answer.good is False
    assert "2 missed" in answer.text
    pq.write_table(pa.Table.from_pylist([{**row, "altered": 3}]), tmp_path / "summary" / "no-adv-no-cov.parquet")
    (answer,) = answers(read_results(tmp_path))
    assert answer.good is False
    assert "3 altered" in answer.text


def test_documents_that_waited_for_a_client_are_handed_over_where_it_came_back(churn_results: Path) -> None:
    results = read_results(churn_results)
    hops = results.recordings["with-adv-with-cov"].trace
    notified = [(row["document"], row["receiver"]) for row in hops if row["kind"] == "notify"]
    delivered = [(row["document"], row["client"]) for row in results.tables["deliveries"]]
    assert sorted(notified) == sorted(delivered)
    written = pq.read_table(churn_results / "trace" / "with-adv-with-cov.parquet").num_rows
    begun = min(row["departed"] for row in hops if row["kind"] == "publish")
    stays = {each["name"]: each["stays"] for each in results.manifest["subscribers"]}
    assert len(hops) > written
    for row in hops[written:]:
        back = next(stay for stay in stays[row["receiver"]][1:] if stay["broker"] == row["sender"])
        assert row["arrived"] == pytest.approx(begun + back["since"], abs=1e-3)


def test_charts_add_up(small_results: Path) -> None:
    results = read_results(small_results)
    traffic, tables, *rest = charts_of(results)
    assert isinstance(traffic, Bars)
    assert isinstance(tables, Bars)
    for place, row in enumerate(results.tables["summary"]):
        assert sum(part.values[place] for part in traffic.parts) == row["messages_received"]
        assert sum(part.values[place] for part in tables.parts) == row["srt_total"] + row["prt_total"]
    assert traffic.marks == (58138, 38492)
    delays = next(chart for chart in rest if chart.title == "Delay of deliveries")
    assert isinstance(delays, Lines)
    assert all(series.ys[-1] == 100 for series in delays.series)
    assert all(list(series.xs) == sorted(series.xs) for series in delays.series)


def test_the_page_is_one_file_that_trusts_only_itself(small_results: Path) -> None:
    page = page_text(read_results(small_results))
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
    assert policy.startswith("default-src 'none';")
    for element in ("script", "style"):
        text = re.search(rf"<{element}>(.*?)</{element}>", page, re.DOTALL)[1]
        digest = base64.b64encode(sha256(text.encode()).digest()).decode()
        assert f"{element}-src 'sha256-{digest}'" in policy
    assert not re.search(r"""\b(?:src|href)=["']?(?:https?:)?//""", page)
    assert page == page_text(read_results(small_results))


def test_the_page_holds_the_whole_replay(small_results: Path) -> None:
    page = page_text(read_results(small_results))
    assert page_json(page)["replays"] == ["no-adv-no-cov", "with-adv-with-cov"]
    replay = packed(page, "replay-1")
    assert all(each["shown"] == each["total"] for each in replay["sample"])
    hops = replay["hops"]
    assert hops["departed"] == sorted(hops["departed"])
    assert all(span >= travel >= 0 for span, travel in zip(hops["span"], hops["travel"], strict=True))
    brokers = set(page_json(page)["topology"]["brokers"])
    for sender, receiver in zip(hops["sender"], hops["receiver"], strict=True):
        assert brokers & {replay["names"][sender], replay["names"][receiver]}


def test_both_themes_have_every_colour_that_is_used(small_results: Path) -> None:
    page = page_text(read_results(small_results))
    assert LIGHT.keys() == DARK.keys()
    used = set(re.findall(r"var\(--([\w-]+)\)", page)) | set(re.findall(r'"--([\w-]+)"', page))
    assert used - {"c"} <= LIGHT.keys()
    for theme in (LIGHT, DARK):
        assert all(f"--{name}: {value};" in page for name, value in theme.items())


def test_no_text_ends_the_element_it_stands_in() -> None:
    value = {"</script><!--": "<script>&\u2028"}
    assert "<" not in json_text(value)
    assert json.loads(json_text(value)) == value


def test_results_without_a_recording_have_a_page(small_results: Path, tmp_path: Path) -> None:
    for name in ("summary", "brokers"):
        (tmp_path / name).symlink_to(small_results / name)
    data = page_json(page_text(read_results(tmp_path)))
    assert data["replays"] == []
    assert len(data["answers"]) == 2


def test_a_sweep_has_a_page(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(SWEEP)
    folder = tmp_path / "out"
    assert invoke("sweep", str(tmp_path / "mine.toml"), "--master", "loop", "--out", str(folder)).exit_code == 0
    results = read_results(folder)
    assert results.manifest["specification"]["axes"]["size"] == [3, 5]
    charts = charts_of(results)
    messages = charts[0]
    assert isinstance(messages, Lines)
    assert messages.x_label == "size"
    assert {series.name for series in messages.series} == {
        f"{strategy}, {family}" for strategy in ("no-adv-no-cov", "with-adv-with-cov") for family in ("line", "star")
    }
    rows = [row for row in results.tables["rows"] if (row["size"], row["family"]) == (3, "line")]
    values = [row["messages_received"] for row in rows if row["strategy"] == "no-adv-no-cov"]
    series = next(each for each in messages.series if each.name == "no-adv-no-cov, line")
    assert len(values) == 2
    assert series.ys[0] == sum(values) / 2
    assert series.low[0] <= series.ys[0] <= series.high[0]
    assert "16 of 16 cells are done, 0 failed" in answers(results)[0].text
    assert page_json(page_text(results))["tables"] == {"rows": 16}


@pytest.mark.parametrize(
    ("experiment", "overrides", "title"),
    [
        ("paper-table-size", ["sizes=[20, 40]", FEW], "Table size with covering"),
        (
            "paper-routing-time",
            ["queries=50", "documents.number=2", "engines={scan=5}", FEW],
            "Time to match one publication",
        ),
    ],
)
def test_measurements_have_a_page(experiment: str, overrides: list[str], title: str, tmp_path: Path) -> None:
    options = [option for override in overrides for option in ("--set", override)]
    result = invoke("run", experiment, *options, "--out", str(tmp_path), "--plot", str(tmp_path / "picture.svg"))
    assert result.exit_code == 0, result.output
    assert "<svg" in (tmp_path / "picture.svg").read_text()
    results = read_results(tmp_path)
    assert [chart.title for chart in charts_of(results)] == [title]
    assert answers(results)


def test_the_command_writes_the_page(small_results: Path, tmp_path: Path) -> None:
    result = invoke("report", str(small_results), "--out", str(tmp_path / "page.html"))
    assert result.exit_code == 0
    assert result.output.startswith(str(tmp_path / "page.html"))
    assert (tmp_path / "page.html").read_text().startswith("<!doctype html>")


def test_what_is_no_results_is_said(tmp_path: Path) -> None:
    for folder, words in ((tmp_path / "none", "is no folder"), (tmp_path, "holds no results")):
        result = invoke("report", str(folder))
        assert result.exit_code == 2
        assert words in result.stderr
        assert str(folder) in result.stderr
    (tmp_path / "plan.json").write_text("[1]")
    with pytest.raises(ConfigurationError, match="expected a JSON object"):
        read_results(tmp_path)
    (tmp_path / "plan.json").write_text('{"sweep": "x", "cells": ["a"]}')
    with pytest.raises(ConfigurationError, match="no cell has finished"):
        read_results(tmp_path)
    (tmp_path / "rows").mkdir()
    (tmp_path / "rows" / "a.parquet").write_bytes(b"no parquet")
    with pytest.raises(ConfigurationError, match="cannot be read as results"):
        read_results(tmp_path)


def test_run_plots_and_complains_of_what_it_cannot_do(tmp_path: Path) -> None:
    small = ["--set", "subscriptions.generate.number=5", "--set", "documents.generate.number=2"]
    chosen = [*small, "--strategy", "with-adv-with-cov"]
    assert invoke("run", "paper-traffic", *chosen, "--plot", str(tmp_path / "run.png")).exit_code == 0
    assert (tmp_path / "run.png").read_bytes().startswith(b"\x89PNG")
    assert invoke("run", "paper-traffic", *chosen, "--plot", str(tmp_path / "run.svg")).exit_code == 0
    drawn = set(re.findall(r"#[0-9a-f]{6}", (tmp_path / "run.svg").read_text()))
    assert drawn >= {LIGHT[name] for name in ("line", "level-5", "publish", "notify", "subscribe")}
    assert drawn <= {*LIGHT.values(), "#000000", "#ffffff"}
    wrong = invoke("run", "paper-traffic", *chosen, "--plot", str(tmp_path / "run.gif"))
    assert wrong.exit_code == 2
    assert "ends in .png or .svg" in wrong.stderr
    assert "needs --out" in invoke("run", "paper-traffic", "--trace").stderr
    assert "has no overlay" in invoke("run", "paper-table-size", "--trace", "--out", str(tmp_path)).stderr


def test_faults_are_told_without_praise_for_what_was_not_promised(tmp_path: Path) -> None:
    spec = tmp_path / "faults.toml"
    spec.write_text(
        """
        unit = "document"
        topology = "line:n=3"
        strategies = ["with-adv-with-cov", "with-adv-with-cov+reliable"]
        [subscriptions]
        placement = "all"
        [[faults.cuts]]
        link = ["1", "2"]
        at = 0.0
        until = 4.0
        """
    )
    folder = tmp_path / "out"
    done = invoke("run", str(spec), "--trace", "--out", str(folder))
    assert done.exit_code == 0, done.output
    assert "lost to faults where nothing is promised" in done.output
    page = page_text(read_results(folder))
    plain, reliable = page_json(page)["answers"]
    assert (plain["good"], plain["promised"]) == (True, False)
    assert (reliable["good"], reliable["promised"]) == (True, True)
    assert "lost to faults" in plain["text"]
    assert packed(page, "replay-1")["hops"]["sender"], "a reliable run can be replayed"
    titles = [chart.title for chart in charts_of(read_results(folder))]
    assert "Documents under faults" in titles


def test_the_charts_of_results_as_a_picture(small_results: Path, tmp_path: Path) -> None:
    arguments = ("report", str(small_results), "--out", str(tmp_path / "page.html"))
    assert invoke(*arguments, "--plot", str(tmp_path / "charts.svg")).exit_code == 0
    assert "Messages received" in (tmp_path / "charts.svg").read_text()
    refused = invoke(*arguments, "--plot", str(tmp_path / "charts.txt"))
    assert refused.exit_code == 2
