"""Parameter sweeps: a file of axes -> cells -> rows, in a loop or on Spark, kept as they finish."""

from broker_sim.experiment.sweep.execution import run_cell
from broker_sim.experiment.sweep.plan import Cell, Sweep, load_sweep, shipped_sweeps
from broker_sim.experiment.sweep.reading import swept
from broker_sim.experiment.sweep.running import Totals, run_sweep

__all__ = ["Cell", "Sweep", "Totals", "load_sweep", "run_cell", "run_sweep", "shipped_sweeps", "swept"]
