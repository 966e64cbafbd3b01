"""The covering index against comparing expressions one with another, on NITF.

Run it as `python experiments/benchmarks/covering_index.py [SIZE ...]`; it prints one JSON row a cell.

Workloads follow YFilter's query generator (walk from the root, stop at a childless element or at depth 10): set A is
DO = 0 and W in {0, 0.1}, set B is W = 0 and DO in {0, 0.1}, `hard` is W = 0.1 and DO in {0.1, 0.2} with three paths in
ten cut to a relative one, `plain` is W = 0 and DO = 0, where hardly anything is covered. Expressions of wildcards
alone are left out, for a single one covers nearly all the others and makes the maximal set trivial.

Each cell runs in a process of its own, so that its peak memory is its own. Two rivals are timed on a sample, patterns
and targets made ready outside the clock, and extrapolated:

- `pairwise`: every ordered pair tested. Its like is the index built and asked for the coverers of every expression.
- `scan`: every expression tested against the final maximal set until one covers it. Its like is the index built. It is
  flattered, for it knows the final set beforehand; where that set is small it wins, where it is large it is quadratic.
"""

from __future__ import annotations

import json
import platform
import random
import resource
import sys
import time
from collections.abc import Callable
from multiprocessing import get_context

from broker_sim.relations import CoveringIndex
from broker_sim.relations.embedding import embeds, pattern_of, target_of
from broker_sim.xpath import CHILD, DESCENDANT, WILDCARD, Path, Step
from broker_sim.xpath.linear import linear_step
from dtd_ads import Schema, load_schema

LONGEST = 10
SIZES = (10_000, 100_000)
SAMPLE = 200_000


def walk(schema: Schema, rng: random.Random, wildcard: float, descendant: float) -> list[Step]:
    """One expression by the rule of YFilter's generator, children chosen uniformly."""
    steps: list[Step] = []
    name, level = schema.root, 1
    while True:
        axis = CHILD
        if rng.random() < descendant:
            axis = DESCENDANT
            for _ in range(int(rng.random() * (LONGEST - level))):
                if schema.children(name):
                    name, level = rng.choice(schema.children(name)), level + 1
        steps.append(linear_step(axis, WILDCARD if rng.random() < wildcard else name))
        if not schema.children(name) or level >= LONGEST:
            return steps
        name, level = rng.choice(schema.children(name)), level + 1


def hard(schema: Schema, rng: random.Random) -> list[Step]:
    """Wildcards and `//` together, three in ten relative."""
    steps = walk(schema, rng, 0.1, rng.choice((0.1, 0.2)))
    if rng.random() < 0.3:
        steps = steps[rng.randrange(len(steps)) :]
        steps[0] = linear_step(DESCENDANT, steps[0].name)
    return steps


WORKLOADS: dict[str, Callable[[Schema, random.Random], list[Step]]] = {
    "A": lambda schema, rng: walk(schema, rng, rng.choice((0, 0.1)), 0),
    "B": lambda schema, rng: walk(schema, rng, 0, rng.choice((0, 0.1))),
    "hard": hard,
    "plain": lambda schema, rng: walk(schema, rng, 0, 0),
}


def workload(kind: str, size: int, seed: int) -> list[Path]:
    """`size` distinct expressions."""
    schema, rng = load_schema("nitf"), random.Random(seed)
    found: dict[Path, None] = {}
    while len(found) < size:
        steps = WORKLOADS[kind](schema, rng)
        if any(step.name != WILDCARD for step in steps):
            found[Path(tuple(steps))] = None
    return list(found)


def pairwise_seconds(paths: list[Path], rng: random.Random) -> float:
    """What testing every ordered pair would take, from a sample."""
    chosen = [(pattern_of(rng.choice(paths)), target_of(rng.choice(paths))) for _ in range(SAMPLE)]
    started = time.perf_counter()
    for pattern, target in chosen:
        embeds(pattern, target)
    return (time.perf_counter() - started) / SAMPLE * len(paths) * (len(paths) - 1)


def scan_seconds(index: CoveringIndex, paths: list[Path], rng: random.Random) -> float:
    """What testing every expression against the maximal set would take, from a sample."""
    patterns = [pattern_of(index.path(number)) for number in index.maximal()]
    targets = [target_of(path) for path in rng.sample(paths, 100)]
    started = time.perf_counter()
    for target in targets:
        any(embeds(pattern, target) for pattern in patterns)
    return (time.perf_counter() - started) / len(targets) * len(paths)


def measure(cell: tuple[str, int, int]) -> dict[str, object]:
    """One row: counts first, then seconds and memory."""
    kind, size, seed = cell
    paths = workload(kind, size, seed)
    before = peak_mib()
    index = CoveringIndex()
    started = time.perf_counter()
    for number, path in enumerate(paths):
        index.add(number, path)
    maximal = len(index.maximal())
    built = time.perf_counter() - started
    pairs = sum(len(index.coverers_of(number)) for number in index) - size
    answered = time.perf_counter() - started
    peak = peak_mib()
    pairwise = pairwise_seconds(paths, random.Random(seed))
    return {
        "workload": kind,
        "expressions": size,
        "trie_nodes": index.count_nodes(),
        "covering_pairs": pairs,
        "maximal": maximal,
        "build_seconds": round(built, 2),
        "build_and_all_coverers_seconds": round(answered, 2),
        "pairwise_seconds_extrapolated": round(pairwise),
        "pairwise_ratio": round(pairwise / answered),
        "scan_seconds_extrapolated": round(scan_seconds(index, paths, random.Random(seed)), 2),
        "workload_mib": before,
        "peak_mib": peak,
    }


def peak_mib() -> int:
    """The most memory this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main() -> None:
    sizes = [int(size) for size in sys.argv[1:]] or list(SIZES)
    print(json.dumps({"python": platform.python_version(), "machine": platform.machine(), "seed": 1}))
    with get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for row in pool.imap(measure, [(kind, size, 1) for kind in WORKLOADS for size in sizes], chunksize=1):
            print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
