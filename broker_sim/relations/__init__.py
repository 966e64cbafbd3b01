"""Relations between expressions, and between expressions and advertisements."""

from broker_sim.relations.covering import covers
from broker_sim.relations.covering_index import CoveringIndex
from broker_sim.relations.normal_form import normal_form

__all__ = ["CoveringIndex", "covers", "normal_form"]
