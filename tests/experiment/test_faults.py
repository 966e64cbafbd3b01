"""Faults in whole runs: a reliable overlay delivers what lxml names, whatever fails, once all has healed."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from broker_sim.errors import ConfigurationError, DocumentError
from broker_sim.experiment import Experiment, run, summary_row
from broker_sim.experiment.building import build_scenario
from broker_sim.experiment.faults import FaultRates, FaultSpec
from broker_sim.experiment.rows import Row
from broker_sim.experiment.spec import ChurnSpec, DocumentSpec, NetworkSpec, PublisherSpec, SchemaSpec, SubscriptionSpec
from broker_sim.network.faults import Crash, Cut, Slowdown
from broker_sim.workload import DocumentParameters, XPathParameters

PLAIN = "with-adv-with-cov"
RELIABLE = f"{PLAIN}+reliable"

rates = st.sampled_from([0.0, 0.5, 3.0])
experiments = st.builds(
    Experiment,
    name=st.just("faults"),
    seed=st.integers(0, 1_000),
    unit=st.sampled_from(["paths", "document"]),
    strategies=st.sampled_from(
        [RELIABLE, "with-adv-no-cov+reliable", "with-adv-with-cov+adv-cov+schema-cov+reliable"]
    ).map(lambda name: (name,)),
    topology=st.sampled_from(["line:n=2", "paper-8", "ring-8", "barabasi-albert:n=12,m=2,seed=3"]),
    schema=st.builds(SchemaSpec, st.sampled_from(["bib", "book"]), also=st.sampled_from([(), ("bib",)])),
    publishers=st.builds(PublisherSpec, number=st.integers(1, 3)),
    subscriptions=st.just(
        SubscriptionSpec(
            placement="zipf", subscribers=6, generate=XPathParameters(3, distinct=False, wildcard=0.2, descendant=0.2)
        )
    ),
    documents=st.just(DocumentSpec(generate=DocumentParameters(30))),
    faults=st.builds(
        FaultSpec,
        loss=st.sampled_from([0.0, 0.02, 0.2]),
        duplication=st.sampled_from([0.0, 0.1]),
        rates=st.builds(FaultRates, crashes=rates, cuts=rates, slowdowns=rates),
    ),
)


@settings(max_examples=40)
@given(experiments)
def test_a_reliable_overlay_loses_nothing(experiment: Experiment) -> None:
    (outcome,) = run(experiment)
    assert not outcome.verdict, outcome.verdict
    row = summary_row(outcome)
    assert row["lost"] in (0, None)
    assert row["kept"] == 0


SMALL = Experiment(
    name="small",
    unit="document",
    topology="ring:n=6",
    strategies=(PLAIN, RELIABLE),
    schema=SchemaSpec("bib"),
    publishers=PublisherSpec(brokers=("1",)),
    subscriptions=SubscriptionSpec(placement="all", generate=XPathParameters(5)),
    documents=DocumentSpec(generate=DocumentParameters(40)),
)


def rows(experiment: Experiment) -> list[Row]:
    return [summary_row(outcome) for outcome in run(experiment)]


def test_without_faults_only_care_is_added() -> None:
    plain, reliable = rows(SMALL)
    assert plain["reliability_messages"] == 0
    assert int(reliable["reliability_messages"] or 0) > 0
    for kind in ("advertise", "subscribe", "unsubscribe", "publish"):
        assert plain[f"{kind}_messages"] == reliable[f"{kind}_messages"]
    for column in ("deliveries", "prt_total", "srt_total", "false_positives", "missed", "unwanted"):
        assert plain[column] == reliable[column]


@pytest.mark.parametrize("state", ["lost", "journal"])
def test_a_broker_that_is_down_for_a_while(state: str) -> None:
    crash = Crash("3", at=0.55, until=5.0, state="lost" if state == "lost" else "journal")
    plain, reliable = rows(replace(SMALL, faults=FaultSpec(crashes=(crash,))))
    assert int(plain["lost"] or 0) > 0
    assert (reliable["lost"], reliable["missed"], reliable["unwanted"], reliable["kept"]) == (0, 0, 0, 0)
    assert int(reliable["trees_rebuilt"] or 0) == 2, "once without the broker and once with it"
    assert float(reliable["recovery_max"] or 0) < 3.0


def test_a_quick_restart_with_a_journal_is_not_even_noticed() -> None:
    crash = Crash("3", at=0.55, until=1.0, state="journal")
    (reliable,) = rows(replace(SMALL, strategies=(RELIABLE,), faults=FaultSpec(crashes=(crash,))))
    assert (reliable["trees_rebuilt"], reliable["missed"], reliable["lost"]) == (0, 0, 0)
    assert float(reliable["delay_max"] or 0) > 0.4, "documents waited for it"


def test_the_publishers_own_broker_may_lose_everything() -> None:
    faults = FaultSpec(crashes=(Crash("1", at=0.55, until=1.5),))
    (reliable,) = rows(replace(SMALL, strategies=(RELIABLE,), faults=faults))
    assert (reliable["missed"], reliable["unwanted"], reliable["lost"]) == (0, 0, 0)


def test_a_partition_is_survived_when_it_heals() -> None:
    cuts = (Cut(("2", "3"), 0.5, 6.0), Cut(("5", "6"), 0.5, 6.0))
    plain, reliable = rows(replace(SMALL, faults=FaultSpec(cuts=cuts)))
    assert int(plain["lost"] or 0) > 0
    assert (reliable["missed"], reliable["lost"], reliable["kept"]) == (0, 0, 0)
    assert float(reliable["delay_max"] or 0) > 5.0


def test_one_cut_in_a_ring_is_routed_around() -> None:
    faults = FaultSpec(cuts=(Cut(("1", "2"), 0.5),))
    plain, reliable = rows(replace(SMALL, faults=faults))
    assert int(plain["lost"] or 0) > 0
    assert (reliable["missed"], reliable["lost"], reliable["kept"]) == (0, 0, 0)


def test_what_is_cut_off_for_good_is_told_apart() -> None:
    faults = FaultSpec(crashes=(Crash("4", at=0.5),))
    (outcome,) = run(replace(SMALL, strategies=(RELIABLE,), faults=faults))
    row = summary_row(outcome)
    assert row["missed"] == 0
    assert int(row["lost"] or 0) > 0
    assert int(row["kept"] or 0) > 0
    lacking = {delivery.client for delivery in outcome.overlay.deliveries if delivery.doc_id == 39}
    assert "subscriber-4" not in lacking
    assert len(lacking) == 5


def test_noise_alone_loses_without_reliability_and_not_with_it() -> None:
    faults = FaultSpec(loss=0.2, duplication=0.1, slowdowns=(Slowdown("2", 0.5, 2.0, 100.0),))
    plain, reliable = rows(replace(SMALL, faults=faults))
    assert int(plain["lost"] or 0) > 0
    assert (plain["unwanted"], reliable["unwanted"]) == (0, 0)
    assert (reliable["missed"], reliable["lost"]) == (0, 0)


def test_same_seed_same_faults_same_rows() -> None:
    spec = replace(SMALL, faults=FaultSpec(loss=0.1, rates=FaultRates(crashes=1.0, cuts=1.0)))
    first, second = ([{**row, "wall_seconds": 0.0} for row in rows(spec)] for _ in range(2))
    assert first == second
    assert build_scenario(spec).faults != build_scenario(replace(spec, seed=2)).faults


def test_drawn_faults_end_and_lie_within_the_time_of_documents() -> None:
    plan = build_scenario(
        replace(SMALL, faults=FaultSpec(rates=FaultRates(crashes=9.0, cuts=9.0, slowdowns=9.0)))
    ).faults
    faults = [*plan.crashes, *plan.cuts, *plan.slowdowns]
    assert all(0 <= fault.at < 4.0 and fault.until < inf for fault in faults)
    assert len(plan.crashes) > 15
    assert {crash.state for crash in plan.crashes} == {"lost", "journal"}


def test_overlapping_crashes_count_as_one() -> None:
    crashes = (Crash("3", 0.5, 2.0, "journal"), Crash("3", 1.0, 4.0, "lost"))
    (reliable,) = rows(replace(SMALL, strategies=(RELIABLE,), faults=FaultSpec(crashes=crashes)))
    assert (reliable["faults"], reliable["missed"], reliable["lost"]) == (2, 0, 0)


@pytest.mark.parametrize(
    ("faults", "words"),
    [
        (FaultSpec(crashes=(Crash("9", 0.0),)), "no broker '9'"),
        (FaultSpec(slowdowns=(Slowdown("9", 0.0),)), "no broker '9'"),
        (FaultSpec(cuts=(Cut(("1", "3"), 0.0),)), "no link '1' - '3'"),
    ],
)
def test_faults_of_what_is_not_there_are_refused(faults: FaultSpec, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        list(run(replace(SMALL, faults=faults)))


def test_wrong_values_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="after 2"):
        Crash("1", 2.0, 1.0)
    with pytest.raises(ConfigurationError, match="two brokers"):
        Cut(("1",), 2.0)
    with pytest.raises(ConfigurationError, match="below 1"):
        FaultSpec(loss=1.0)
    with pytest.raises(ConfigurationError, match="share"):
        FaultRates(journal=1.5)
    with pytest.raises(ConfigurationError, match="above 0"):
        FaultRates(downtime=0.0)
    with pytest.raises(ConfigurationError, match="come and go"):
        replace(SMALL, churn=ChurnSpec(arrivals=1.0))
    with pytest.raises(ConfigurationError, match="needs a strategy with advertisements"):
        replace(SMALL, strategies=("no-adv-no-cov+reliable",))


def test_a_run_may_be_stopped() -> None:
    network = NetworkSpec()
    spec = replace(SMALL, network=replace(network, stop=replace(network.stop, max_messages=100)))
    assert all(outcome.stopped for outcome in run(spec))


def test_heavy_loss_does_not_keep_trees_from_being_built() -> None:
    network = replace(SMALL.network, stop=replace(SMALL.network.stop, max_seconds=500.0))
    spec = replace(SMALL, strategies=(RELIABLE,), faults=FaultSpec(loss=0.4), network=network)
    (reliable,) = rows(spec)
    assert (reliable["stopped"], reliable["missed"], reliable["lost"]) == (None, 0, 0)


def test_long_links_are_not_taken_for_dead_ones() -> None:
    links = replace(SMALL.network.links, latency=3.0)
    (reliable,) = rows(replace(SMALL, strategies=(RELIABLE,), network=replace(SMALL.network, links=links)))
    assert (reliable["trees_rebuilt"], reliable["missed"]) == (0, 0)


def test_links_that_are_too_slow_for_the_timeout_are_refused() -> None:
    links = replace(SMALL.network.links, bandwidth=10.0)
    with pytest.raises(ConfigurationError, match="expected a timeout of at least"):
        rows(replace(SMALL, strategies=(RELIABLE,), network=replace(SMALL.network, links=links)))


def test_signs_of_life_do_not_outlast_a_stop_condition() -> None:
    network = replace(SMALL.network, stop=replace(SMALL.network.stop, max_seconds=20.0))
    slow = FaultSpec(slowdowns=(Slowdown("2", 0.5, factor=1e9),))
    (reliable,) = rows(replace(SMALL, strategies=(RELIABLE,), network=network, faults=slow))
    assert "max_seconds" in str(reliable["stopped"])


def test_what_was_never_advertised_is_refused_under_faults_too(tmp_path: Path) -> None:
    (tmp_path / "other.xml").write_text("<other/>")
    documents = DocumentSpec(directory=str(tmp_path))
    for name in (PLAIN, RELIABLE):
        spec = replace(SMALL, strategies=(name,), documents=documents, faults=FaultSpec(duplication=0.1))
        with pytest.raises(DocumentError, match="did not advertise"):
            rows(spec)
