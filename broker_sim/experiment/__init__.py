"""TOML specification -> one run -> rows."""

from broker_sim.experiment.filtering_time import FilteringTimeExperiment, measure_filtering_time
from broker_sim.experiment.loading import AnyExperiment, load_experiment, shipped_experiments
from broker_sim.experiment.routing_time import RoutingTimeExperiment, measure_routing_time
from broker_sim.experiment.rows import Row, summary_row
from broker_sim.experiment.running import Outcome, run
from broker_sim.experiment.spec import Experiment
from broker_sim.experiment.table_size import TableSizeExperiment, measure_table_size

__all__ = [
    "AnyExperiment",
    "Experiment",
    "FilteringTimeExperiment",
    "Outcome",
    "RoutingTimeExperiment",
    "Row",
    "TableSizeExperiment",
    "load_experiment",
    "measure_filtering_time",
    "measure_routing_time",
    "measure_table_size",
    "run",
    "shipped_experiments",
    "summary_row",
]
