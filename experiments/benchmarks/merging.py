"""Merging on a large DTD: how many entries are left, and what finding them costs.

Run it as `python experiments/benchmarks/merging.py [--record] [SIZE ...]`.

Subscriptions are distinct, L = 10, with W and DO as the row says; those of wildcards alone are left out, for one of
them covers nearly all the others. Each row: paths given, entries left, the paths that
merging (not covering) took in, the most parts of one entry, the largest degree; then seconds for the set, and
milliseconds for one imperfect degree, as it comes and once warm.
"""

from __future__ import annotations

import time

from recording import Row, best_rows, options, report

from broker_sim.relations import MergedEntry, merge_set
from broker_sim.relations.imperfect_degree import exact_degree
from broker_sim.workload import XPathParameters, generate_xpaths
from broker_sim.xpath import WILDCARD
from dtd_ads import Schema, load_schema

SIZES = (1_000, 10_000)
SAMPLE = 200
FEW_PARTS = 50
GRID = [(wildcard, descendant) for wildcard in (0.0, 0.1) for descendant in (0.0, 0.1)]
DEGREES = (0.0, 0.1, 0.5)


def measure(cell: tuple[float, float, int, float, int]) -> list[Row]:
    """One row: counts, then times."""
    wildcard, descendant, size, max_degree, seed = cell
    schema = load_schema("nitf")
    parameters = XPathParameters(size, wildcard=wildcard, descendant=descendant)
    paths = [
        path for path in generate_xpaths(schema, parameters, seed) if any(step.name != WILDCARD for step in path.steps)
    ]
    begin = time.process_time()
    entries = merge_set(paths, schema, max_degree)
    seconds = time.process_time() - begin
    merged = [entry for entry in entries if entry.expression not in entry.parts]
    fresh = Schema(schema.name, schema.root, schema.elements)
    sample = [entry for entry in merged if len(entry.parts) < FEW_PARTS][:SAMPLE]
    cold, warm = (_degree_milliseconds(sample, fresh) for _ in range(2))
    row: Row = {
        "W": wildcard,
        "DO": descendant,
        "max degree": max_degree,
        "paths": len(paths),
        "entries": len(entries),
        "merged": sum(len(entry.parts) for entry in merged),
        "most parts": max(len(entry.parts) for entry in entries),
        "largest degree": max(entry.degree for entry in entries),
        "seconds": seconds,
        "degree ms": cold,
        "degree ms, warm": warm,
    }
    return [row]


def _degree_milliseconds(entries: list[MergedEntry], schema: Schema) -> float | None:
    if not entries:
        return None
    begin = time.process_time()
    for entry in entries:
        exact_degree(entry.expression, entry.parts, schema)
    return 1000 * (time.process_time() - begin) / len(entries)


def main() -> None:
    chosen = options(__doc__ or "", SIZES)
    cells = [(*grid, size, degree, chosen.seed) for grid in GRID for size in chosen.sizes for degree in DEGREES]
    notes = "Distinct expressions over `nitf`, L = 10, merged greedily up to the degree that the row allows."
    rows = best_rows(measure, cells, chosen.repeat, "seconds")
    report("merging", "Merging on NITF", notes, rows, chosen)


if __name__ == "__main__":
    main()
