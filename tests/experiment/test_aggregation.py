"""Means with confidence intervals and savings, against the textbook."""

from __future__ import annotations

import math
from pathlib import Path
from statistics import NormalDist, mean, stdev
from typing import TYPE_CHECKING

import pytest

from broker_sim.errors import ConfigurationError
from broker_sim.experiment.confidence import t_quantile
from broker_sim.experiment.results import means, read_errors, read_rows, savings
from broker_sim.experiment.sweep import load_sweep, run_sweep
from broker_sim.experiment.sweep.runners import run_in_loop
from broker_sim.experiment.sweep.store import LocalStore
from tests.experiment.sweep.conftest import TINY

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.mark.parametrize(
    ("confidence", "freedom", "t"),
    [
        (0.95, 1, 12.706204736),
        (0.95, 2, 4.3026527297),
        (0.95, 3, 3.1824463053),
        (0.95, 4, 2.7764451052),
        (0.95, 9, 2.2621571628),
        (0.95, 30, 2.0422724563),
        (0.99, 5, 4.0321429836),
        (0.5, 1, 1.0),
    ],
)
def test_students_t(confidence: float, freedom: int, t: float) -> None:
    assert math.isclose(t_quantile(confidence, freedom), t, rel_tol=1e-9)


def test_students_t_becomes_normal() -> None:
    assert math.isclose(t_quantile(0.95, 10**9), NormalDist().inv_cdf(0.975), rel_tol=1e-3)
    with pytest.raises(ValueError, match="confidence in"):
        t_quantile(0.95, 0)


def test_means_and_their_bounds(spark: SparkSession) -> None:
    values = {"x": [1.0, 4.0, 7.0], "y": [5.0]}
    rows = [(name, seed, value, None) for name, each in values.items() for seed, value in enumerate(each)]
    table = spark.createDataFrame(rows, "name string, seed long, value double, nothing double")
    first, second = means(table, ["name"], ["value", "nothing"]).collect()
    margin = 4.3026527297 * stdev(values["x"]) / math.sqrt(3)
    assert (first["name"], first["n"], first["value"]) == ("x", 3, mean(values["x"]))
    assert math.isclose(first["value_low"], 4 - margin, rel_tol=1e-9)
    assert math.isclose(first["value_high"], 4 + margin, rel_tol=1e-9)
    assert first["nothing"] is None
    assert (second["value"], second["value_low"], second["value_high"]) == (5.0, None, None)


def test_savings_are_paired_by_seed(spark: SparkSession) -> None:
    rows = [(8, 1, "base", 100), (8, 2, "base", 1000), (8, 1, "better", 50), (8, 2, "better", 500)]
    rows += [(16, 1, "base", 0), (16, 1, "better", 0)]
    table = spark.createDataFrame(rows, "size long, seed long, strategy string, messages long")
    found = {(row["size"], row["strategy"]): row for row in savings(table, ["size"], "messages", "base").collect()}
    better = found[8, "better"]
    assert (better["n"], better["saved"], better["saved_low"], better["saved_high"]) == (2, 0.5, 0.5, 0.5)
    assert found[8, "base"]["saved"] == 0
    assert found[16, "better"]["saved"] is None


def test_what_is_read_is_the_last_plan(spark: SparkSession, tmp_path: Path) -> None:
    file = tmp_path / "tiny.toml"
    file.write_text(TINY)
    store = LocalStore(tmp_path / "a folder [1]")
    with pytest.raises(ConfigurationError, match="there are no rows of a sweep"):
        read_rows(spark, store.folder)
    run_sweep(load_sweep(file, overrides=["seeds=3"]), store, run_in_loop)
    run_sweep(load_sweep(file), store, run_in_loop)
    rows = read_rows(spark, store.folder)
    assert len(store.keys("rows")) == 12
    assert rows.count() == 8
    found = savings(rows, ["size"], "messages_received").where("strategy = 'with-adv-with-cov'").collect()
    assert [row["n"] for row in found] == [2, 2]
    with pytest.raises(ConfigurationError, match="there are no errors of a sweep"):
        read_errors(spark, store.location)
