"""Overlap, covering, merging: pure functions on expressions and advertisements."""

from broker_sim.relations.advertisement_covering import advertisement_covers
from broker_sim.relations.covering import covers
from broker_sim.relations.covering_index import CoveringIndex
from broker_sim.relations.normal_form import normal_form
from broker_sim.relations.overlap import overlaps

__all__ = ["CoveringIndex", "advertisement_covers", "covers", "normal_form", "overlaps"]
