"""The covering index against comparing expressions one with another, on NITF.

Run it as `python experiments/benchmarks/covering_index.py [--record] [SIZE ...]`.

Workloads are those of the router paper with L = 10: set A is DO = 0 and W in {0, 0.1}, set B is W = 0 and DO in
{0, 0.1}; `hard` is W = 0.1 and DO in {0.1, 0.2} with three paths in ten relative; `plain` is W = 0 and DO = 0, where
hardly anything is covered. Expressions of wildcards alone are left out, for a single one covers nearly all the others
and makes the maximal set trivial.

Two rivals are timed on a sample, patterns and targets made ready outside the clock, and extrapolated:

- `pairwise`: every ordered pair tested. Its like is the index built and asked for the coverers of every expression.
- `scan`: every expression tested against the final maximal set until one covers it. Its like is the index built. It is
  flattered, for it knows the final set beforehand; where that set is small it wins, where it is large it is quadratic.
"""

from __future__ import annotations

import random
import resource
import time
from collections.abc import Iterator

from recording import Row, best_rows, options, report

from broker_sim.relations import CoveringIndex
from broker_sim.relations.embedding import embeds, pattern_of, target_of
from broker_sim.workload import XPathParameters, generate_xpaths
from broker_sim.xpath import WILDCARD, Path
from dtd_ads import load_schema

SIZES = (10_000, 100_000)
PAIRS = 50_000
SCANNED = 100
WORKLOADS: dict[str, tuple[dict[str, float], dict[str, float]]] = {
    "A": ({"wildcard": 0}, {"wildcard": 0.1}),
    "B": ({"descendant": 0}, {"descendant": 0.1}),
    "hard": (
        {"wildcard": 0.1, "descendant": 0.1, "relative": 0.3},
        {"wildcard": 0.1, "descendant": 0.2, "relative": 0.3},
    ),
    "plain": ({}, {}),
}


def workload(kind: str, size: int, seed: int) -> list[Path]:
    """`size` distinct expressions, in turn by the one and the other parameters of the workload."""
    schema = load_schema("nitf")
    streams = [
        generate_xpaths(schema, XPathParameters(number=10 * size, **parameters), seed + number)
        for number, parameters in enumerate(WORKLOADS[kind])
    ]
    found: dict[Path, None] = {}
    for path in _in_turn(streams):
        if any(step.name != WILDCARD for step in path.steps):
            found[path] = None
        if len(found) == size:
            break
    return list(found)


def _in_turn(streams: list[Iterator[Path]]) -> Iterator[Path]:
    for together in zip(*streams, strict=True):
        yield from together


def pairwise_seconds(paths: list[Path], rng: random.Random) -> float:
    """What testing every ordered pair would take, from a sample."""
    chosen = [(pattern_of(rng.choice(paths)), target_of(rng.choice(paths))) for _ in range(PAIRS)]
    started = time.process_time()
    for pattern, target in chosen:
        embeds(pattern, target)
    return (time.process_time() - started) / PAIRS * len(paths) * (len(paths) - 1)


def scan_seconds(index: CoveringIndex, paths: list[Path], rng: random.Random) -> float:
    """What testing every expression against the maximal set would take, from a sample."""
    patterns = [pattern_of(index.path(number)) for number in index.maximal()]
    targets = [target_of(path) for path in rng.sample(paths, min(SCANNED, len(paths)))]
    started = time.process_time()
    for target in targets:
        any(embeds(pattern, target) for pattern in patterns)
    return (time.process_time() - started) / len(targets) * len(paths)


def measure(cell: tuple[str, int, int]) -> list[Row]:
    """One row: counts, then seconds, ratio and memory."""
    kind, size, seed = cell
    paths = workload(kind, size, seed)
    index = CoveringIndex()
    started = time.process_time()
    for number, path in enumerate(paths):
        index.add(number, path)
    maximal = len(index.maximal())
    built = time.process_time() - started
    pairs = sum(len(index.coverers_of(number)) for number in index) - len(paths)
    answered = time.process_time() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    pairwise = pairwise_seconds(paths, random.Random(seed))
    row: Row = {
        "workload": kind,
        "expressions": len(paths),
        "trie nodes": index.count_nodes(),
        "covering pairs": pairs,
        "maximal": maximal,
        "build s": built,
        "build us each": built / len(paths) * 1e6,
        "build, all coverers s": answered,
        "pairwise s": pairwise,
        "x pairwise": pairwise / answered,
        "scan s": scan_seconds(index, paths, random.Random(seed)),
        "peak MiB": peak,
    }
    return [row]


def main() -> None:
    chosen = options(__doc__ or "", SIZES)
    cells = [(kind, size, chosen.seed) for kind in WORKLOADS for size in chosen.sizes]
    notes = (
        "Distinct expressions over `nitf`, L = 10. `pairwise s` and `scan s` are extrapolated from samples; "
        "`build us each` stays level where growth is linear; "
        "`x pairwise` is how many times faster the index answers the same questions. "
        "Peak memory is that of the whole process, expressions included."
    )
    rows = best_rows(measure, cells, chosen.repeat, "build s")
    report("covering_index", "The covering index on NITF", notes, rows, chosen)


if __name__ == "__main__":
    main()
