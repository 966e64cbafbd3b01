"""Service times from measurement: what a publication costs the experiment's engine on this machine.

All subscriptions of the scenario go into one engine, as a broker near the publisher would hold them. After one round
to warm up, the publications are matched again, and their mean time takes the place of the service model's constant.
The times of the other kinds stay as they are. A calibrated run is no longer a function of its seed alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from broker_sim.engines import create_engine
from broker_sim.experiment.scenario import Scenario
from broker_sim.network.wire import ServiceModel

T = TypeVar("T")

SAMPLE: Final = 1_000
"""How many publications are measured."""


def calibrated(scenario: Scenario, service: ServiceModel) -> ServiceModel:
    """`service` with the measured seconds for a publication."""
    engine = create_engine(scenario.experiment.engine)
    paths = dict.fromkeys(path for client in scenario.subscribers for path in client.routed)
    for number, path in enumerate(paths):
        engine.add(number, path)
    if scenario.experiment.unit == "document":
        seconds = _mean_seconds(engine.match, [document.content for document in scenario.documents[:SAMPLE]])
    else:
        sample = [path for document in scenario.publications for path in document][:SAMPLE]
        seconds = _mean_seconds(engine.match_path, sample)
    return replace(service, publish=seconds)


def _mean_seconds(match: Callable[[T], object], sample: Sequence[T]) -> float:
    for each in sample:
        match(each)
    started = time.perf_counter()
    for each in sample:
        match(each)
    return (time.perf_counter() - started) / max(1, len(sample))
