"""Whole runs: nothing lost, nothing extra, nothing more on the wire than must be."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from broker_sim.errors import DocumentError
from broker_sim.experiment import Experiment, run, summary_row
from broker_sim.experiment.building import build_scenario
from broker_sim.experiment.ground_truth import Truth, Verdict, compare, truth_of
from broker_sim.experiment.rows import broker_rows, link_rows, timeline_rows
from broker_sim.experiment.running import Outcome, run_strategy
from broker_sim.experiment.spec import DocumentSpec, PublisherSpec, SchemaSpec, SubscriptionSpec
from broker_sim.network.sessions import Delivery
from broker_sim.network.wire import ServiceModel
from broker_sim.routing import KINDS, STRATEGIES, strategy_named
from broker_sim.workload import DocumentParameters, FlwrParameters, XPathParameters

EXACT = [name for name in STRATEGIES if "imperfect" not in name]

topologies = st.one_of(
    st.builds("random-tree:n={},seed={}".format, st.integers(1, 12), st.integers(0, 99)),
    st.sampled_from(["paper-8", "ring-8", "grid-5x5", "line:n=2"]),
)
queries = st.builds(
    XPathParameters,
    st.integers(0, 12),
    distinct=st.just(False),
    wildcard=st.sampled_from([0.0, 0.2, 0.6]),
    descendant=st.sampled_from([0.0, 0.3]),
    stop=st.sampled_from([0.0, 0.4]),
    relative=st.sampled_from([0.0, 0.5]),
    dead=st.sampled_from([0.0, 0.2]),
)
patterns = st.builds(
    XPathParameters,
    st.integers(0, 12),
    distinct=st.just(False),
    wildcard=st.sampled_from([0.0, 0.3]),
    descendant=st.sampled_from([0.0, 0.3]),
    stop=st.sampled_from([0.0, 0.4]),
    predicates=st.integers(0, 2),
    branching=st.sampled_from([0.0, 0.5]),
    max_value=st.just(3),
)
common = {
    "seed": st.integers(0, 1_000),
    "topology": topologies,
    "max_degree": st.sampled_from([0.1, 0.5]),
    "schema": st.builds(
        SchemaSpec,
        st.sampled_from(["bib", "book", "knots", "psd"]),
        also=st.lists(st.sampled_from(["bib", "book"]), max_size=2).map(tuple),
        form=st.sampled_from(["auto", "automaton"]),
    ),
    "publishers": st.builds(PublisherSpec, number=st.integers(1, 3), advertise_everything=st.booleans()),
    "documents": st.builds(
        DocumentSpec,
        every_leaf=st.booleans(),
        generate=st.builds(
            DocumentParameters, st.integers(0, 6), max_levels=st.just(7), max_repeats=st.just(2), max_value=st.just(3)
        ),
    ),
}


def subscribers(generate: st.SearchStrategy[XPathParameters]) -> st.SearchStrategy[SubscriptionSpec]:
    placement = st.sampled_from(["leaves", "all", "zipf"])
    return st.builds(SubscriptionSpec, placement=placement, subscribers=st.integers(0, 6), generate=generate)


asking = st.builds(
    SubscriptionSpec,
    subscribers=st.integers(0, 6),
    placement=st.sampled_from(["all", "zipf"]),
    flwr=st.builds(
        FlwrParameters,
        st.integers(0, 1),
        depth=st.integers(1, 3),
        predicates=st.integers(0, 2),
        returns=st.integers(0, 2),
        descendant=st.sampled_from([0.0, 0.4]),
        max_value=st.just(3),
        binding_predicates=st.sampled_from([0.0, 0.3]),
    ),
)
units = st.sampled_from(["paths", "document"])
experiments = st.one_of(
    st.builds(Experiment, st.just("linear"), unit=units, subscriptions=subscribers(queries), **common),
    st.builds(Experiment, st.just("patterns"), unit=st.just("document"), subscriptions=subscribers(patterns), **common),
    st.builds(Experiment, st.just("queries"), unit=st.just("document"), subscriptions=asking, **common),
)


def all_rows(outcome: Outcome) -> str:
    """Everything a run reports, but the time it took."""
    summary = summary_row(outcome)
    summary["wall_seconds"] = None
    return json.dumps([summary, broker_rows(outcome), link_rows(outcome), timeline_rows(outcome)])


@settings(max_examples=60)
@given(experiments)
def test_every_strategy_delivers_what_lxml_says_by_the_least_traffic(experiment: Experiment) -> None:
    for outcome in run(experiment):
        row = summary_row(outcome)
        assert outcome.verdict is not None
        assert outcome.verdict == Verdict((), ())
        assert row["messages_received"] == sum(int(row[f"{kind}_messages"] or 0) for kind in KINDS)
        assert int(row["false_positives"] or 0) >= 0
        if outcome.strategy.name in EXACT:
            assert row["publish_messages"] == row["least_publish_messages"]


@settings(max_examples=20)
@given(experiments, st.sampled_from(list(STRATEGIES)))
def test_isolated_brokers_give_the_same_rows(experiment: Experiment, name: str) -> None:
    scenario = build_scenario(experiment)
    strategy = strategy_named(name, experiment.max_degree)
    outcomes = [run_strategy(scenario, strategy, ServiceModel(), None, shared=shared) for shared in (True, False)]
    assert all_rows(outcomes[0]) == all_rows(outcomes[1])
    assert outcomes[0].overlay.deliveries == outcomes[1].overlay.deliveries


@settings(max_examples=10)
@given(experiments)
def test_same_seed_same_rows(experiment: Experiment) -> None:
    assert [*map(all_rows, run(experiment))] == [*map(all_rows, run(experiment))]


def test_table_sizes_in_the_timeline_end_at_those_of_the_summary() -> None:
    small = Experiment("small", topology="paper-8", strategies=("with-adv-with-cov",))
    outcome = next(iter(run(small)))
    last = timeline_rows(outcome)[-1]
    summary = summary_row(outcome)
    assert (last["srt_total"], last["prt_total"]) == (summary["srt_total"], summary["prt_total"])
    assert summary["prt_total"] == sum(row["prt_size"] for row in broker_rows(outcome))
    assert summary["prt_total"] == sum(
        len(table)
        for each in outcome.overlay.stations.values()
        for tables in (each.broker.clients.tables, each.broker.trees[0].prt)
        for table in tables.values()
    )


def test_the_referee_names_missed_unwanted_and_doubled_deliveries() -> None:
    truth = Truth((frozenset({"x", "y"}), frozenset({"x"})), ({}, {}))
    found = [Delivery(0, "x", 0.0, 1), Delivery(0, "x", 0.0, 1), Delivery(1, "x", 0.0, 1), Delivery(1, "z", 0.0, 1)]
    verdict = compare(truth, found)
    assert verdict
    assert verdict.missed == ((0, "y"),)
    assert verdict.unwanted == ((0, "x"), (1, "z"))


def test_a_lost_table_entry_is_found_out() -> None:
    experiment = Experiment("small", topology="paper-8", strategies=("no-adv-no-cov",))
    scenario = build_scenario(experiment)
    truth = truth_of(scenario)
    outcome = run_strategy(scenario, STRATEGIES["no-adv-no-cov"], ServiceModel(), truth)
    assert outcome.verdict is not None
    assert not outcome.verdict
    assert compare(truth, outcome.overlay.deliveries[1:]).missed


def test_documents_that_are_not_advertised_are_refused(tmp_path: pytest.TempPathFactory) -> None:
    (tmp_path / "1.xml").write_text("<bib><unknown/></bib>")
    experiment = Experiment(
        "own", schema=SchemaSpec("bib"), documents=DocumentSpec(directory=str(tmp_path)), topology="line:n=2"
    )
    with pytest.raises(DocumentError, match="did not advertise the path /bib/unknown"):
        list(run(replace(experiment, strategies=("with-adv-no-cov",))))
    everything = replace(experiment, publishers=PublisherSpec(advertise_everything=True))
    assert len(list(run(everything))) == len(STRATEGIES)
