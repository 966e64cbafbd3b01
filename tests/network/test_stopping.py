"""Overload: it is reported, and a run that a stop condition ends says why."""

from __future__ import annotations

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from broker_sim.cli import main
from broker_sim.errors import ConfigurationError
from broker_sim.experiment import Experiment, Outcome, load_experiment, run, summary_row
from broker_sim.network.stopping import StopConditions

STRATEGY = "with-adv-with-cov"
SMALL = (
    "topology=line:n=3",
    "documents.generate.number=200",
    "subscriptions.generate.number=50",
    "network.subscribe_interval=0.01",
    f"strategies=['{STRATEGY}']",
)
CALM, TENFOLD = "network.publish_interval=0.1", "network.publish_interval=0.00075"


def outcome(*overrides: str) -> Outcome:
    experiment = load_experiment("paper-traffic", [*SMALL, *overrides])
    assert isinstance(experiment, Experiment)
    (found,) = run(experiment)
    return found


def invoke(*overrides: str) -> Result:
    words = [word for override in (*SMALL, *overrides) for word in ("--set", override)]
    return CliRunner().invoke(main, ["run", "paper-traffic", *words, "--json"])


def test_ten_times_the_capacity_is_reported() -> None:
    calm, loaded = outcome(CALM), outcome(TENFOLD)
    load = loaded.overlay.offered_load
    assert load is not None
    assert calm.overlay.offered_load is not None
    assert calm.overlay.offered_load < 0.2
    assert 10 <= load < 13
    assert loaded.stopped is None
    assert loaded.verdict is not None
    assert not loaded.verdict
    assert summary_row(loaded)["messages_received"] == summary_row(calm)["messages_received"]
    result = invoke(TENFOLD)
    assert result.exit_code == 0
    peak = json.loads(result.stdout)[0]["queue_peak"]
    expected = f"overload: {load:.1f} x what a broker or link can take, {peak:,} messages waited"
    assert result.stderr == f"warning: {STRATEGY}: {expected}\n"


def test_a_bounded_queue_stops_the_run() -> None:
    first, again = (outcome(TENFOLD, "network.stop.max_queue=300") for _ in range(2))
    assert first.stopped is not None
    assert first.stopped == again.stopped
    assert first.stopped.startswith("publish: overload: broker 1 has more than 300 messages to handle at ")
    row, second = summary_row(first), summary_row(again)
    assert row["queue_peak"] == 301
    assert row["missed"] is row["unwanted"] is row["false_positives"] is row["least_publish_messages"] is None
    assert {**row, "wall_seconds": 0} == {**second, "wall_seconds": 0}


def test_a_bound_that_is_not_reached_changes_nothing() -> None:
    free, bounded = outcome(CALM), outcome(CALM, "network.stop.max_queue=100000", "network.stop.max_seconds=1e6")
    assert {**summary_row(free), "wall_seconds": 0} == {**summary_row(bounded), "wall_seconds": 0}


@pytest.mark.parametrize(
    ("condition", "reason"),
    [
        ("max_messages=100", "advertise: more than 100 messages at "),
        ("max_messages=1000", "publish: more than 1,000 messages at "),
        ("max_seconds=0.1", "subscribe: messages after 0.1 s (network.stop.max_seconds)"),
        ("max_queue=5", "advertise: overload: broker 1 has more than 5 messages to handle at 0 s"),
    ],
)
def test_the_command_says_why_it_stopped(condition: str, reason: str) -> None:
    result = invoke(CALM, f"network.stop.{condition}")
    assert result.exit_code == 1
    (row,) = json.loads(result.stdout)
    assert row["stopped"].startswith(reason)
    assert result.stderr == f"stopped: {STRATEGY}: {row['stopped']}\n"


def test_a_stopped_cell_of_a_sweep_is_a_result(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("sweep")
    settings = "\n".join(text.replace("=line:n=3", "='line:n=3'") for text in SMALL)
    axis = "[axes]\n'network.publish_interval' = [0.1, 0.00075]\n"
    (folder / "load.toml").write_text(
        f"[experiment]\nbase='paper-traffic'\nnetwork.stop.max_queue=300\n{settings}\n{axis}"
    )
    words = ["sweep", str(folder / "load.toml"), "--master", "loop", "--out", str(folder / "out")]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    types = {pq.read_schema(file).field("stopped").type for file in (folder / "out/rows").iterdir()}
    assert types == {pa.string()}
    rows = {row["network_publish_interval"]: row["stopped"] for row in pq.read_table(folder / "out/rows").to_pylist()}
    assert rows[0.1] is None
    assert "overload" in rows[0.00075]


@pytest.mark.parametrize("field", ["max_queue", "max_seconds", "max_messages"])
def test_conditions_are_positive(field: str) -> None:
    with pytest.raises(ConfigurationError, match="must be more than 0"):
        StopConditions(**{field: 0})
