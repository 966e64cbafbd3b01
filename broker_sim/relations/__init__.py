"""Relations between expressions, and between expressions and advertisements."""

from broker_sim.relations.covering import covers
from broker_sim.relations.imperfect_degree import imperfect_degree
from broker_sim.relations.merge_set import MergedEntry, merge_set
from broker_sim.relations.merging import Merger, merge
from broker_sim.relations.normal_form import normal_form

__all__ = ["MergedEntry", "Merger", "covers", "imperfect_degree", "merge", "merge_set", "normal_form"]
