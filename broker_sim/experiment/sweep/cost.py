"""What a cell will roughly cost, so that the longest can go first.

Only the order counts, so the unit is of no matter: about one table look-up. An estimate that is wrong costs idle cores
at the end of a sweep and nothing else.
"""

from __future__ import annotations

from functools import lru_cache

from broker_sim.errors import InputError
from broker_sim.experiment.filtering_time import FilteringTimeExperiment
from broker_sim.experiment.loading import AnyExperiment
from broker_sim.experiment.routing_time import RoutingTimeExperiment
from broker_sim.experiment.spec import Experiment
from broker_sim.experiment.table_size import TableSizeExperiment
from broker_sim.network.topology import load_topology


def expected_cost(experiment: AnyExperiment) -> float:
    """Larger means longer."""
    if isinstance(experiment, TableSizeExperiment):
        return float(max(experiment.sizes) * len(experiment.sets))
    if isinstance(experiment, RoutingTimeExperiment):
        elements = experiment.documents.number * (experiment.documents.elements or 100)
        return float(experiment.queries * elements * len(experiment.engines) * len(experiment.sets))
    if isinstance(experiment, FilteringTimeExperiment):
        points = sum(
            len(figure.values) * len(figure.engines or experiment.engines) for figure in experiment.figures.values()
        )
        return float(experiment.base.queries * experiment.chosen.scale * experiment.chosen.documents * points)
    return _overlay_cost(experiment)


def _overlay_cost(experiment: Experiment) -> float:
    brokers = _brokers(experiment.topology)
    subscribers = experiment.subscriptions.subscribers or brokers
    drawn = experiment.subscriptions.flwr or experiment.subscriptions.generate
    subscriptions = subscribers * drawn.number
    documents = experiment.documents.generate.number
    publications = documents * (experiment.documents.generate.elements or 100)
    checked = documents * subscriptions if experiment.verify else 0
    merging = sum(10 if "merge" in name else 1 for name in experiment.strategies)
    return float(checked + merging * brokers * (subscriptions + publications))


@lru_cache(maxsize=10_000)
def _brokers(topology: str) -> int:
    try:
        return len(load_topology(topology, largest_component=True).brokers)
    except InputError:
        return 1
