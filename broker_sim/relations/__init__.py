"""Overlap, covering, merging: pure functions on expressions and advertisements."""

from broker_sim.relations.advertisement_covering import advertisement_covers
from broker_sim.relations.covering import covers
from broker_sim.relations.covering_index import CoveringIndex
from broker_sim.relations.imperfect_degree import imperfect_degree
from broker_sim.relations.merge_set import MergedEntry, merge_set
from broker_sim.relations.merging import Merger, merge
from broker_sim.relations.normal_form import normal_form
from broker_sim.relations.overlap import overlaps

__all__ = [
    "CoveringIndex",
    "MergedEntry",
    "Merger",
    "advertisement_covers",
    "covers",
    "imperfect_degree",
    "merge",
    "merge_set",
    "normal_form",
    "overlaps",
]
