"""TOML specification -> one run -> rows."""

from broker_sim.experiment.loading import load_experiment
from broker_sim.experiment.rows import summary_row
from broker_sim.experiment.run import Outcome, run
from broker_sim.experiment.spec import Experiment

__all__ = ["Experiment", "Outcome", "load_experiment", "run", "summary_row"]
