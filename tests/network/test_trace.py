"""The trace of a run: whole journeys, in bounded space, without a trace in the run itself."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from broker_sim.experiment import Experiment, Outcome, load_experiment, run, summary_row
from broker_sim.experiment.building import build_scenario
from broker_sim.experiment.excerpts import excerpts, message_text
from broker_sim.experiment.rows import broker_rows, link_rows
from broker_sim.experiment.simulation import Simulation
from broker_sim.network.trace import Trace
from broker_sim.routing import KINDS, strategy_named

SMALL = ["subscriptions.generate.number=25", "documents.generate.number=6", "documents.generate.elements=30"]


def small(*more: str) -> Experiment:
    spec = load_experiment("paper-traffic", [*SMALL, *more])
    assert isinstance(spec, Experiment)
    return spec


def traced(spec: Experiment, strategy: str, limit: int) -> tuple[Simulation, Trace]:
    simulation = Simulation(build_scenario(spec), strategy_named(strategy), spec.network.service)
    trace = Trace(simulation.overlay, partial(message_text, simulation), limit)
    for phase in (simulation.advertise, simulation.subscribe, simulation.publish):
        phase()
    return simulation, trace


def test_a_recorded_run_is_the_same_run() -> None:
    def figures(outcome: Outcome) -> list[object]:
        summary = {key: value for key, value in summary_row(outcome).items() if key != "wall_seconds"}
        return [summary, broker_rows(outcome), link_rows(outcome)]

    spec = small()
    plain = [figures(outcome) for outcome in run(spec)]
    assert [figures(outcome) for outcome in run(spec, record=True)] == plain


@pytest.mark.parametrize("strategy", ["no-adv-no-cov", "with-adv-with-cov", "with-adv-with-cov-merge-perfect"])
@pytest.mark.parametrize("topology", ["paper-8", "ring-8"])
def test_without_a_limit_every_message_is_there(strategy: str, topology: str) -> None:
    simulation, trace = traced(small(f"topology={topology}"), strategy, 10**9)
    shown = Counter[str]()
    links = Counter[tuple[str, str]]()
    for journey in trace.journeys:
        for hop in journey.hops:
            shown["notify" if hop.notification else journey.kind] += hop.messages
            links[hop.sender, hop.receiver] += hop.messages
            assert hop.departed <= hop.arrived <= hop.until
    stations = simulation.overlay.stations.values()
    for kind in KINDS:
        assert shown[kind] == sum(station.received[kind] for station in stations)
    assert shown["notify"] == len(simulation.overlay.deliveries)
    for ends, wire in simulation.overlay.wires.items():
        assert links[ends] == wire.messages


@pytest.mark.parametrize("limit", [1, 10, 60, 300])
def test_a_sample_holds_whole_journeys_and_keeps_its_limit(limit: int) -> None:
    spec = small()
    _, everything = traced(spec, "with-adv-no-cov", 10**9)
    whole = {(one.kind, one.origin, one.content, one.doc_id): one.hops for one in everything.journeys}
    _, trace = traced(spec, "with-adv-no-cov", limit)
    kinds = Counter(journey.kind for journey in trace.journeys)
    assert set(kinds) == {"advertise", "subscribe", "publish"}
    for journey in trace.journeys:
        assert journey.hops == whole[journey.kind, journey.origin, journey.content, journey.doc_id]
    for kind, number in kinds.items():
        hops = sum(len(journey.hops) for journey in trace.journeys if journey.kind == kind)
        assert hops <= limit or number == 1


def test_excerpts_are_cut_and_say_so() -> None:
    spec = small("subscriptions.generate.number=80")
    simulation, trace = traced(spec, "with-adv-no-cov", 10**9)
    found = excerpts(simulation, trace.journeys)
    assert [each.broker for each in found.brokers] == list(simulation.scenario.topology.brokers)
    for each in found.brokers:
        broker = simulation.overlay.stations[each.broker].broker
        assert sum(known.entries.total for known in each.advertisements) == broker.srt_size
        assert sum(known.entries.total for known in each.subscriptions) == broker.prt_size
        assert len(each.entries) <= 40
        assert len(each.entries) <= each.entries_total
        for link in each.links:
            assert link.forwarded == link.needed <= link.asked
    assert {each.doc_id for each in found.documents} == set(range(6))
    ways = {(step.broker, step.hop) for each in found.documents for step in each.steps}
    taken = {
        (hop.sender, hop.receiver)
        for journey in trace.journeys
        if journey.kind == "publish"
        for hop in journey.hops
        if hop.sender != journey.origin
    }
    assert ways == taken
