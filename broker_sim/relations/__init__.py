"""Relations between expressions, and between expressions and advertisements."""

from broker_sim.relations.covering import covers
from broker_sim.relations.normal_form import normal_form

__all__ = ["covers", "normal_form"]
