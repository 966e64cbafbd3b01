"""The imperfect degree of a merger: how much of what it lets through nobody asked for.

The router paper (section 5, Merging) defines it for a merger s of s1, .., sn, given the DTD, as
|P(s) - (P(s1) u .. u P(sn))| / |P(s)|. The paper estimates it from one position and leaves the rest to the distribution
of elements; we count both sets exactly over the DTD's publications up to a depth (`publication_count`), as
|P(s) u U| - |U| over |P(s)| with U the union of the parts. All publications weigh the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from broker_sim.relations.publication_count import counter_of
from broker_sim.relations.residuals import written
from broker_sim.xpath import Path
from dtd_ads import Schema


def imperfect_degree(merger: Path, parts: Iterable[Path], schema: Schema, max_depth: int = 10) -> float:
    """The part of `merger`'s publications that match none of `parts`; 0.0 if it has none."""
    return float(exact_degree(merger, parts, schema, max_depth))


def exact_degree(merger: Path, parts: Iterable[Path], schema: Schema, max_depth: int = 10) -> Fraction:
    """The imperfect degree as the fraction that it is."""
    counter = counter_of(schema, max_depth)
    whole = written(merger)
    wanted = {written(part) for part in parts}
    size = counter.count([whole])
    return Fraction(counter.count(wanted | {whole}) - counter.count(wanted), size) if size else Fraction(0)
