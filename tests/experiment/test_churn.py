"""Clients that come, go and move while documents flow: nothing is lost outside the window, nothing is doubled."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from broker_sim.experiment import Experiment, run, summary_row
from broker_sim.experiment.building import build_scenario
from broker_sim.experiment.ground_truth import Truth, Window, around_windows, compare
from broker_sim.experiment.scenario import Stay
from broker_sim.experiment.spec import ChurnSpec, DocumentSpec, NetworkSpec, PublisherSpec, SchemaSpec, SubscriptionSpec
from broker_sim.network.sessions import Delivery
from broker_sim.routing import STRATEGIES
from broker_sim.workload import DocumentParameters, XPathParameters

NAMES = [*STRATEGIES, "with-adv-with-cov+schema-cov", "with-adv-with-cov+adv-cov", "with-adv-no-cov+adv-cov"]

rates = st.sampled_from([0.0, 2.0, 20.0])
churns = st.builds(
    ChurnSpec,
    arrivals=rates,
    departures=rates,
    moves=rates,
    publisher_arrivals=rates,
    publisher_departures=rates,
    away=st.sampled_from([0.0, 0.05, 0.5]),
    keep=st.sampled_from([0.1, 60.0]),
    handover=st.sampled_from([0.0, 0.1, 2.0]),
).filter(bool)
experiments = st.builds(
    Experiment,
    name=st.just("churn"),
    seed=st.integers(0, 1_000),
    unit=st.sampled_from(["paths", "document"]),
    strategies=st.sampled_from(NAMES).map(lambda name: (name,)),
    topology=st.sampled_from(["line:n=2", "paper-8", "ring-8", "grid-5x5", "barabasi-albert:n=12,m=2,seed=3"]),
    schema=st.builds(SchemaSpec, st.sampled_from(["bib", "book"]), also=st.sampled_from([(), ("bib",)])),
    publishers=st.builds(PublisherSpec, number=st.integers(1, 3)),
    subscriptions=st.builds(
        SubscriptionSpec,
        placement=st.just("zipf"),
        subscribers=st.integers(1, 6),
        generate=st.just(XPathParameters(3, distinct=False, wildcard=0.2, descendant=0.2)),
    ),
    documents=st.just(DocumentSpec(generate=DocumentParameters(40))),
    network=st.sampled_from([0.01, 0.05]).map(lambda interval: NetworkSpec(publish_interval=interval)),
    churn=churns,
)


@settings(max_examples=40)
@given(experiments)
def test_nothing_is_lost_outside_the_window(experiment: Experiment) -> None:
    (outcome,) = run(experiment)
    assert outcome.window is not None
    assert not outcome.verdict, outcome.verdict
    assert summary_row(outcome)["false_positives"] is None


def small(**churn: float) -> Experiment:
    return Experiment(
        name="small",
        topology="paper-8",
        strategies=("with-adv-with-cov",),
        schema=SchemaSpec("bib"),
        subscriptions=SubscriptionSpec(
            placement="all", generate=XPathParameters(2, distinct=False, wildcard=0.5, descendant=0.5)
        ),
        documents=DocumentSpec(generate=DocumentParameters(100)),
        churn=ChurnSpec(**churn),
    )


def test_the_same_seed_draws_the_same_churn() -> None:
    spec = small(arrivals=5, departures=5, moves=5, publisher_arrivals=1, publisher_departures=1)
    assert build_scenario(spec).subscribers == build_scenario(spec).subscribers
    other = build_scenario(replace(spec, seed=2)).subscribers
    assert build_scenario(spec).subscribers != other


def test_moving_loses_nothing_at_all_when_the_old_broker_keeps_long_enough() -> None:
    (outcome,) = run(small(moves=5, away=0.3, handover=5.0))
    assert sum(len(client.absences) for client in outcome.scenario.subscribers) > 5
    assert outcome.verdict is not None
    assert (bool(outcome.verdict), outcome.verdict.uncertain) == (False, 0)
    late = [delivery for delivery in outcome.overlay.deliveries if delivery.delay > 0.1]
    assert late, "documents that came while a client was away are handed over when it is back"


def test_whoever_is_away_too_long_has_lost_what_was_kept() -> None:
    (outcome,) = run(small(moves=2, away=1.0, keep=0.2))
    assert outcome.verdict is not None
    assert not outcome.verdict
    (kept,) = run(small(moves=2, away=1.0, keep=2.0))
    assert len(outcome.overlay.deliveries) < len(kept.overlay.deliveries)


def test_the_window_is_no_excuse() -> None:
    """What lies outside it is missed, unwanted or doubled."""
    scenario = build_scenario(small(arrivals=1))
    client = replace(scenario.subscribers[0], stays=(Stay("1", since=2.0, until=6.0),))
    scenario = replace(scenario, subscribers=(client,))
    window = Window(change=1.0, publication=0.5)
    everybody = Truth(
        tuple(frozenset({client.name}) for _ in scenario.documents), tuple({} for _ in scenario.documents)
    )

    def verdict(*times: float) -> tuple[int, int, int]:
        deliveries = [Delivery(round(time * 10), client.name, 0.0, 1) for time in times]
        found = compare(everybody, deliveries, lambda wanted: around_windows(scenario, window, wanted))
        return len(found.missed), len(found.unwanted), found.uncertain

    due = [time / 10 for time in range(30, 56)]
    assert verdict(*due) == (0, 0, 19)
    assert verdict(*due[1:]) == (1, 0, 19)
    assert verdict(*due, 1.6, 5.9) == (0, 0, 19)
    assert verdict(*due, 1.4, 6.0) == (0, 2, 19)
    assert verdict(*due, 4.0) == (0, 1, 19)


@pytest.mark.parametrize("wrong", [{"arrivals": -1.0}, {"away": float("inf")}, {"keep": float("nan")}])
def test_wrong_rates(wrong: dict[str, float]) -> None:
    with pytest.raises(Exception, match="expected a number from 0"):
        ChurnSpec(**wrong)
