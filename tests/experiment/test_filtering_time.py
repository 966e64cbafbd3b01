"""The experiment `paper-xtrie`: what it measures, what it refuses, and that it would notice engines that disagree."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from pyroaring import BitMap

from broker_sim.cli import main
from broker_sim.engines.xtrie.engine import EagerXTrie
from broker_sim.errors import ConfigurationError
from broker_sim.experiment import FilteringTimeExperiment, load_experiment, measure_filtering_time
from broker_sim.experiment.filtering_time import Case, Figure, agreement
from broker_sim.experiment.sweep.cost import expected_cost
from broker_sim.report.measurement_charts import measurement_charts
from broker_sim.report.reading import read_results
from broker_sim.report.sentences import answers

TINY = (
    *("profile=quick", "profiles.quick.scale=0.002", "profiles.quick.documents=6", "profiles.quick.memory=50"),
    *("figures.a.values=[10_000, 20_000]", "figures.b.values=[5, 20]", "figures.c.values=[0.0, 0.5]"),
    "figures.d.values=[3, 10]",
)
ENGINES = ["xfilter", "xfilter-lb", "xtrie-eager", "xtrie", "yfilter", "lazy-dfa"]


def tiny() -> FilteringTimeExperiment:
    experiment = load_experiment("paper-xtrie", TINY)
    assert isinstance(experiment, FilteringTimeExperiment)
    return experiment


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["run", "paper-xtrie", *arguments])


def options(*assignments: str) -> list[str]:
    return [option for assignment in (*TINY, *assignments) for option in ("--set", assignment)]


def test_as_shipped_it_is_the_papers() -> None:
    experiment = load_experiment("paper-xtrie")
    assert isinstance(experiment, FilteringTimeExperiment)
    assert experiment.base == Case(queries=10_000, tags=100, length=20, wildcard=0.1, descendant=0.1)
    assert (experiment.schema.dtd, list(experiment.engines), experiment.chosen.documents) == ("nitf", ENGINES, 250)
    assert experiment.figures["a"].values[::4] == (10_000, 500_000)
    assert experiment.figures["b"].values == (20, 100, 1_000)
    assert experiment.chosen.memory == 500_000


def test_a_row_for_each_figure_value_and_engine() -> None:
    rows = list(measure_filtering_time(tiny()))
    times, weights = [row for row in rows if row["again"] is not None], [row for row in rows if row["again"] is None]
    measured = {(str(row["figure"]), float(row["x"] or 0)) for row in times}
    assert measured == {("a", 20), ("a", 40), ("b", 5), ("b", 20), ("c", 0), ("c", 0.5), ("d", 3), ("d", 10)}
    assert [row["engine"] for row in times if (row["figure"], row["x"]) == ("a", 20)] == ENGINES
    assert [row["engine"] for row in times if (row["figure"], row["x"]) == ("d", 3)] == ENGINES[1:]
    assert all(row["same_matches"] and row["documents"] == 6 for row in times)
    assert all(float(row["first"] or 0) > 0 and float(row["again"] or 0) > 0 for row in times)
    assert [row["engine"] for row in weights] == ENGINES
    for row in weights:
        assert 0 < float(row["built_megabytes"] or 0) <= float(row["held_megabytes"] or 0) * 1.01
        assert float(row["held_megabytes"] or 0) <= float(row["peak_megabytes"] or 0)
    assert len({tuple(row) for row in rows}) == 1, "all rows have the same columns"


def test_a_pass_ends_when_its_time_is_over_but_not_before_a_few_documents() -> None:
    spec = replace(tiny(), budget=1e-9, figures={"b": Figure("tags", (5.0,), ("xtrie",))})
    assert [row["documents"] for row in measure_filtering_time(spec) if row["figure"] == "b"] == [5]


def test_every_document_that_two_engines_saw_is_compared() -> None:
    most = [BitMap([number]) for number in range(7)]
    assert agreement({"long": most, "short": most[:5]}) == {"long": True, "short": True}
    wrong = [*most[:5], BitMap([9])]
    assert agreement({"long": most, "wrong": wrong, "empty": []}) == {"long": True, "wrong": False, "empty": True}


def test_the_command_prints_a_table_for_each_figure_and_memory() -> None:
    result = invoke(*options())
    assert result.exit_code == 0, result.output
    for words in ("queries, ms", "tags, ms", "descendant, ms", "length, ms", "after documents"):
        assert words in result.stdout
    assert result.stdout.count("lazy-dfa") == 5


def test_what_is_written_can_be_read_and_drawn(tmp_path: Path) -> None:
    result = invoke(*options(), "--json", "--out", str(tmp_path), "--plot", str(tmp_path / "picture.svg"))
    assert result.exit_code == 0, result.output
    rows = json.loads(result.stdout)
    assert pq.read_table(tmp_path / "filtering-time.parquet").to_pylist() == rows
    assert "<svg" in (tmp_path / "picture.svg").read_text()
    results = read_results(tmp_path)
    titles = [chart.title for chart in measurement_charts(results.kind, results.tables["rows"])]
    assert titles == [*(f"Filtering time, figure {name}" for name in "abcd"), "Memory for 50 expressions"]
    assert len(answers(results)) == len(rows)


def test_engines_that_disagree_are_exit_code_1(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EagerXTrie, "match", lambda engine, document: BitMap([3]))
    result = invoke(*options("engines=['xtrie', 'xtrie-eager']", "figures={b={vary='tags', values=[20]}}"))
    assert result.exit_code == 1
    assert "xtrie-eager finds other matches than the rest, figure b at 20" in result.stderr


@pytest.mark.parametrize(
    ("assignment", "words"),
    [
        ("profile=fast", "profile: expected full, quick, not 'fast'"),
        ("profiles.quick.scale=0", "profiles.quick.scale: expected more than 0, not 0"),
        ("profiles.quick.documents=0", "profiles.quick.documents: expected at least 1, not 0"),
        ("profiles.quick.memory=-1", "profiles.quick.memory: expected 0 or more, not -1"),
        ("budget=0", "budget: expected more than 0 seconds, not 0"),
        ("engines=[]", "engines: expected at least one engine"),
        ("engines=['xtree']", "engines: unknown engine 'xtree'; expected"),
        ("figures.b.engines=['xtree']", "figures.b.engines: unknown engine 'xtree'; expected"),
        ("figures.b.values=[]", "figures.b.values: expected at least one value"),
        ("figures.b.values=[0]", "figures.b.values: tags: expected at least 1, not 0"),
        ("figures.b.values=[1.5]", "figures.b.values: expected whole numbers for tags, not 1.5"),
        ("figures.c.values=[1.5]", "figures.c.values: descendant: expected 0 to 1, not 1.5"),
        ("figures.b.vary=size", "figures.b.vary: expected one of 'queries', 'tags'"),
        ("figures.memory={vary='tags', values=[1]}", "figures: a figure is called 'memory'"),
        ("base.wildcard=2", "base.wildcard: expected 0 to 1, not 2"),
        ("base.colour=2", "base.colour: is unknown"),
    ],
)
def test_wrong_values_have_their_place(assignment: str, words: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load_experiment("paper-xtrie", [*TINY, assignment])
    assert words in str(caught.value)


def test_a_sweep_can_order_it() -> None:
    whole = load_experiment("paper-xtrie")
    assert expected_cost(whole) > expected_cost(tiny()) > 0
