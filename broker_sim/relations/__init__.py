"""Overlap, covering and merging: pure functions on expressions and advertisements."""

from broker_sim.relations.advertisement_covering import advertisement_covers
from broker_sim.relations.overlap import overlaps

__all__ = ["advertisement_covers", "overlaps"]
