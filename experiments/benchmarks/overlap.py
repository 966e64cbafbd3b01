"""How fast overlap is decided: many subscriptions against what one publisher advertises.

Run it as `python experiments/benchmarks/overlap.py [--record] [SIZE ...]`.

Subscriptions are distinct, W = 0.1, DO = 0.1, L = 10, one in ten dead (contradicting the DTD). One that does not
overlap is decided at its first wrong step, so it is cheaper: read the rate together with `overlapping` and `steps`.

`cold` is the first thousand, the automaton not yet made; `warm` is each size of others, none of which was asked before,
with the masks that the ones before left behind. Parsing is not counted. Counts depend on the seed alone.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import islice

from recording import Row, best_rows, options, report

from broker_sim.relations import overlaps
from broker_sim.workload import XPathParameters, generate_xpaths
from broker_sim.xpath import Path
from dtd_ads import AdvertisementSet, compile_advertisements, load_schema
from dtd_ads.automaton import automaton_of

COLD = 1_000
SIZES = (10_000, 50_000)
CASES = (("nitf", "automaton", None), ("nitf", "automaton", 10), ("psd", "paths", None))

Cell = tuple[str, str, int | None, tuple[int, ...], int]


def timed(advertised: AdvertisementSet, paths: Sequence[Path]) -> tuple[int, float]:
    """How many of `paths` overlap, and the seconds it took."""
    begin = time.process_time()
    overlapping = sum(overlaps(advertised, path) for path in paths)
    return overlapping, time.process_time() - begin


def measure(cell: Cell) -> list[Row]:
    """One row for the cold start, then one for each size."""
    name, form, max_depth, sizes, seed = cell
    schema = load_schema(name)
    advertised = compile_advertisements(schema, form, max_depth)
    stages = [("cold", COLD), *(("warm", size) for size in sizes)]
    number = sum(size for _, size in stages)
    subscriptions = generate_xpaths(schema, XPathParameters(number, wildcard=0.1, descendant=0.1, dead=0.1), seed)
    return [_row(cell, advertised, state, list(islice(subscriptions, size))) for state, size in stages]


def _row(cell: Cell, advertised: AdvertisementSet, state: str, batch: list[Path]) -> Row:
    name, form, max_depth, _, _ = cell
    overlapping, seconds = timed(advertised, batch)
    automaton = automaton_of(advertised)
    return {
        "schema": name,
        "form": form,
        "max depth": max_depth,
        "advertisements": len(advertised),
        "positions": len(automaton),
        "state": state,
        "subscriptions": len(batch),
        "steps": sum(len(path.steps) for path in batch),
        "overlapping": overlapping,
        "masks": automaton.forward.remembered,
        "seconds": seconds,
        "a second": round(len(batch) / seconds),
    }


def main() -> None:
    chosen = options(__doc__ or "", SIZES)
    cells = [(*case, tuple(chosen.sizes), chosen.seed) for case in CASES]
    notes = (
        "Distinct subscriptions, W = DO = 0.1, L = 10, one in ten drawn dead. `a second` is subscriptions decided a "
        "second; `masks` are the sets of automaton positions remembered after the row."
    )
    rows = best_rows(measure, cells, chosen.repeat, "seconds")
    report("overlap", "Overlap of subscriptions with advertisements", notes, rows, chosen)


if __name__ == "__main__":
    main()
