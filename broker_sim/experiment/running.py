"""One run: a scenario under each strategy, from the first advertisement to the verdict."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from broker_sim.experiment.building import build_scenario
from broker_sim.experiment.calibration import calibrated
from broker_sim.experiment.excerpts import Excerpts, excerpts, message_text
from broker_sim.experiment.ground_truth import (
    Split,
    Truth,
    Verdict,
    Window,
    around_windows,
    compare,
    despite_faults,
    truth_of,
)
from broker_sim.experiment.scenario import Scenario
from broker_sim.experiment.simulation import Simulation
from broker_sim.experiment.spec import Experiment
from broker_sim.network.overlay import Overlay
from broker_sim.network.stopping import Stopped
from broker_sim.network.trace import Trace
from broker_sim.network.wire import ServiceModel
from broker_sim.routing import Strategy, strategy_named

Report = Callable[[str, float], None]
"""Called with the phase that a run is in and how much of it is done, from 0 to 1."""


def _silent(phase: str, done: float) -> None:
    """Report to nobody."""


@dataclass(frozen=True, slots=True)
class Recording:
    """What a run can be replayed from: journeys of messages, and excerpts of the tables that they left."""

    trace: Trace
    excerpts: Excerpts


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one run left behind; `verdict` is None where nobody checked, `recording` where nobody recorded.

    `stopped` says why it ended before the overlay was at rest, if it did; then nothing is checked, and nobody knows the
    least messages.
    """

    scenario: Scenario
    strategy: Strategy
    overlay: Overlay
    service: ServiceModel
    least_publish_messages: int | None
    window: Window | None
    verdict: Verdict | None
    wall_seconds: float
    stopped: str | None = None
    recording: Recording | None = None


def run(experiment: Experiment, report: Report = _silent, *, record: bool = False) -> Iterator[Outcome]:
    """Run every strategy of the experiment on the same scenario, one after the other."""
    report("building the scenario", 0)
    scenario = build_scenario(experiment)
    truth: Truth | None = None
    if experiment.verify:
        report("asking lxml who should receive what", 0)
        truth = truth_of(scenario)
    network = experiment.network
    service = calibrated(scenario, network.service) if network.calibrate else network.service
    for name in experiment.strategies:
        yield run_strategy(scenario, strategy_named(name, experiment.max_degree), service, truth, report, record=record)


def run_strategy(
    scenario: Scenario,
    strategy: Strategy,
    service: ServiceModel,
    truth: Truth | None,
    report: Report = _silent,
    *,
    shared: bool = True,
    record: bool = False,
) -> Outcome:
    """Run one strategy; with `truth`, hold its deliveries against it; with `record`, so that it can be replayed."""
    started = time.perf_counter()
    simulation = Simulation(scenario, strategy, service, shared=shared)
    trace = Trace(simulation.overlay, partial(message_text, simulation)) if record else None
    stopped = _stopped(simulation, report)
    seconds = time.perf_counter() - started
    window = simulation.window()
    return Outcome(
        scenario,
        strategy,
        simulation.overlay,
        service,
        simulation.least_publish_messages() if stopped is None else None,
        window,
        None
        if truth is None or stopped is not None
        else compare(truth, simulation.overlay.deliveries, _split(scenario, strategy, window)),
        seconds,
        stopped,
        None if trace is None else Recording(trace, excerpts(simulation, trace.journeys)),
    )


def _split(scenario: Scenario, strategy: Strategy, window: Window | None) -> Split | None:
    """What is owed and what may be there, where these are not the same."""
    if scenario.faults:
        return partial(despite_faults, scenario, reliable=strategy.reliable)
    return None if window is None else partial(around_windows, scenario, window)


def _stopped(simulation: Simulation, report: Report) -> str | None:
    """Go through the phases; returns why they were not all finished, if so."""
    for phase in (simulation.advertise, simulation.subscribe, simulation.publish):
        name = f"{simulation.strategy.name}: {phase.__name__}"
        report(name, 0)
        try:
            phase(partial(report, name))
        except Stopped as end:
            return f"{phase.__name__}: {end}"
    return None
