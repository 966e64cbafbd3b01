"""Relations between expressions, and between expressions and advertisements."""

from broker_sim.relations.covering import covers
from broker_sim.relations.imperfect_degree import imperfect_degree
from broker_sim.relations.merging import Merger, merge
from broker_sim.relations.normal_form import normal_form

__all__ = ["Merger", "covers", "imperfect_degree", "merge", "normal_form"]
