"""Merging on a large DTD: how many entries are left, and what finding them costs.

Subscriptions are walks of the element graph from the root with `//` and `*` put in at random, a seeded stand-in for a
query generator. Each row: paths given, entries left, the part of the paths that merging (not covering) took in,
the largest degree; then seconds for the set, and milliseconds for one imperfect degree, as it comes and once warm.

Run `python experiments/benchmarks/merging.py [DTD [SIZE ...]]`.
"""

from __future__ import annotations

import platform
import random
import sys
import time
from collections.abc import Iterable

from broker_sim.relations import merge_set
from broker_sim.relations.imperfect_degree import exact_degree
from broker_sim.relations.publication_count import PublicationCounter
from broker_sim.xpath import Path
from broker_sim.xpath.linear import linear_step
from dtd_ads import Schema, load_schema

SEED = 7
MAX_STEPS = 10
SHORTEST = 4


def main(dtd: str = "nitf", sizes: Iterable[int] = (1_000, 10_000)) -> None:
    """Print one row for each kind of workload, size and bound."""
    schema = load_schema(dtd)
    print(f"{dtd}, seed {SEED}, Python {platform.python_version()} on {platform.machine()}")
    print(f"publications of up to 10 elements: {PublicationCounter(schema).count([('/*',)]):,}")
    print("    *   //   paths entries taken-in  largest  degree | seconds  ms/degree  warm")
    for wildcard, descendant in ((0.0, 0.0), (0.1, 0.0), (0.0, 0.1), (0.1, 0.1)):
        for size in sizes:
            paths = workload(schema, size, wildcard, descendant)
            for max_degree in (0.0, 0.1):
                print(f"{wildcard:5} {descendant:4} {_row(paths, schema, max_degree)}")


def workload(schema: Schema, size: int, wildcard: float, descendant: float) -> list[Path]:
    """Up to `size` different paths, the same for the same arguments."""
    rng = random.Random(SEED)
    found: dict[Path, None] = {}
    for _ in range(20 * size):
        path = _walk(schema, rng, wildcard, descendant)
        if len(path.steps) >= SHORTEST:
            found[path] = None
        if len(found) == size:
            break
    return list(found)


def _walk(schema: Schema, rng: random.Random, wildcard: float, descendant: float) -> Path:
    steps = [linear_step("/", schema.root)]
    children = schema.children(schema.root)
    skipped = False
    for _ in range(MAX_STEPS - 1):
        if not children:
            break
        name = rng.choice(children)
        children = schema.children(name)
        if children and rng.random() < descendant:
            skipped = True
            continue
        starred = children and rng.random() < wildcard
        steps.append(linear_step("//" if skipped else "/", "*" if starred else name))
        skipped = False
    return Path(tuple(steps))


def _row(paths: list[Path], schema: Schema, max_degree: float) -> str:
    begin = time.perf_counter()
    entries = merge_set(paths, schema, max_degree)
    seconds = time.perf_counter() - begin
    merged = [entry for entry in entries if entry.expression not in entry.parts]
    taken = sum(len(entry.parts) for entry in merged)
    fresh = Schema(schema.name, schema.root, schema.elements)
    sample = [entry for entry in merged if len(entry.parts) < 50][:200]
    cold, warm = (_degree_milliseconds(sample, fresh) for _ in range(2))
    return (
        f"{len(paths):7} {len(entries):7} {taken:8} {max(len(entry.parts) for entry in entries):8} "
        f"{max(entry.degree for entry in entries):7.4f} | {seconds:7.2f} {cold:10.3f} {warm:5.3f}"
    )


def _degree_milliseconds(entries: list, schema: Schema) -> float:
    begin = time.perf_counter()
    for entry in entries:
        exact_degree(entry.expression, entry.parts, schema)
    return 1000 * (time.perf_counter() - begin) / max(1, len(entries))


if __name__ == "__main__":
    main(*sys.argv[1:2], **({"sizes": map(int, sys.argv[2:])} if len(sys.argv) > 2 else {}))
