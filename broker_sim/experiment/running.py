"""One run: a scenario under each strategy, from the first advertisement to the verdict."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from broker_sim.experiment.building import build_scenario
from broker_sim.experiment.calibration import calibrated
from broker_sim.experiment.ground_truth import Receivers, Verdict, compare, true_receivers
from broker_sim.experiment.scenario import Scenario
from broker_sim.experiment.simulation import Simulation
from broker_sim.experiment.spec import Experiment
from broker_sim.network.overlay import Overlay
from broker_sim.network.stopping import Stopped
from broker_sim.network.wire import ServiceModel
from broker_sim.routing import Strategy, strategy_named

Report = Callable[[str, float], None]
"""Called with the phase that a run is in and how much of it is done, from 0 to 1."""


def _silent(phase: str, done: float) -> None:
    """Report to nobody."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one run left behind; `verdict` is None where nobody checked.

    `stopped` says why it ended before the overlay was at rest, if it did; then nothing is checked, and nobody knows the
    least messages.
    """

    scenario: Scenario
    strategy: Strategy
    overlay: Overlay
    service: ServiceModel
    least_publish_messages: int | None
    verdict: Verdict | None
    wall_seconds: float
    stopped: str | None = None


def run(experiment: Experiment, report: Report = _silent) -> Iterator[Outcome]:
    """Run every strategy of the experiment on the same scenario, one after the other."""
    report("building the scenario", 0)
    scenario = build_scenario(experiment)
    truth: Sequence[Receivers] | None = None
    if experiment.verify:
        report("asking lxml who should receive what", 0)
        truth = true_receivers(scenario)
    network = experiment.network
    service = calibrated(scenario, network.service) if network.calibrate else network.service
    for name in experiment.strategies:
        yield run_strategy(scenario, strategy_named(name, experiment.max_degree), service, truth, report)


def run_strategy(
    scenario: Scenario,
    strategy: Strategy,
    service: ServiceModel,
    truth: Sequence[Receivers] | None,
    report: Report = _silent,
    *,
    shared: bool = True,
) -> Outcome:
    """Run one strategy; with `truth`, hold its deliveries against it."""
    started = time.perf_counter()
    simulation = Simulation(scenario, strategy, service, shared=shared)
    stopped = _stopped(simulation, report)
    seconds = time.perf_counter() - started
    return Outcome(
        scenario,
        strategy,
        simulation.overlay,
        service,
        simulation.least_publish_messages() if stopped is None else None,
        None if truth is None or stopped is not None else compare(truth, simulation.overlay.deliveries),
        seconds,
        stopped,
    )


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
