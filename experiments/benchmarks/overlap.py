"""How fast overlap is decided: many subscriptions against what one publisher advertises.

Run it as `python experiments/benchmarks/overlap.py [SIZE ...]`; it prints one JSON object a row and writes nothing.

Subscriptions are random walks in the element graph with `//` and `*`, and now and then a name that does not belong.
One that does not overlap is decided at its first wrong step, so it is cheaper, and since each subscription is asked
once, a small schema runs out of those that do overlap: read the rate together with `overlapping` and `steps`.

`cold` is the first thousand, the automaton not yet made; `warm` is each size of others, none of which was asked before,
with the masks that the ones before left behind. Parsing is not counted. Counts depend on the seed alone.
"""

from __future__ import annotations

import json
import platform
import random
import sys
import time
from collections.abc import Iterator, Sequence

from broker_sim.relations import overlaps
from broker_sim.xpath import CHILD, DESCENDANT, WILDCARD, Path
from broker_sim.xpath.linear import linear_step
from dtd_ads import AdvertisementSet, Schema, compile_advertisements, load_schema
from dtd_ads.automaton import automaton_of

SEED = 20
LONGEST = 10
COLD = 1_000
SIZES = (10_000, 50_000)
CASES = (("nitf", "automaton", None), ("nitf", "automaton", LONGEST), ("psd", "paths", None))


def walk(schema: Schema, rng: random.Random) -> Path:
    """A walk from the root: one name in 10 is skipped (`//`), one in 15 is `*`, one in 500 any name of the schema."""
    name, steps = schema.root, []
    axis = CHILD
    for level in range(rng.randint(1, LONGEST)):
        if level and not schema.children(name):
            break
        name = rng.choice(schema.children(name)) if level else name
        if rng.random() < 0.1:
            axis = DESCENDANT
            continue
        shown = WILDCARD if rng.random() < 1 / 15 else rng.choice(schema.reachable) if rng.random() < 0.002 else name
        steps.append(linear_step(axis, shown))
        axis = CHILD
    return Path(tuple(steps) or (linear_step(DESCENDANT, name),))


def distinct(schema: Schema, seed: int) -> Iterator[Path]:
    """Subscriptions without end, each once; a small schema may run out of them, which ends the walk."""
    rng = random.Random(seed)
    seen: set[Path] = set()
    misses = 0
    while misses < 10_000:
        path = walk(schema, rng)
        misses = misses + 1 if path in seen else 0
        if path not in seen:
            seen.add(path)
            yield path


def timed(advertised: AdvertisementSet, paths: Sequence[Path]) -> tuple[int, float]:
    """How many of `paths` overlap, and how many were decided in a second."""
    begin = time.perf_counter()
    overlapping = sum(overlaps(advertised, path) for path in paths)
    return overlapping, len(paths) / (time.perf_counter() - begin)


def rows(name: str, form: str, max_depth: int | None, sizes: Sequence[int], seed: int) -> Iterator[dict[str, object]]:
    """One row for the cold start, then one for each size."""
    schema = load_schema(name)
    advertised = compile_advertisements(schema, form, max_depth)
    paths = distinct(schema, seed)
    for state, size in (("cold", COLD), *(("warm", size) for size in sizes)):
        batch = [path for path, _ in zip(paths, range(size), strict=False)]
        if not batch:
            return
        overlapping, rate = timed(advertised, batch)
        automaton = automaton_of(advertised)
        yield {
            "schema": name,
            "form": form,
            "max_depth": max_depth,
            "advertisements": len(advertised),
            "positions": len(automaton),
            "state": state,
            "subscriptions": len(batch),
            "steps": sum(len(path.steps) for path in batch),
            "overlapping": overlapping,
            "masks_remembered": automaton.forward.remembered,
            "subscriptions_per_second": round(rate),
        }


def main(sizes: Sequence[int] = SIZES, seed: int = SEED) -> None:
    """Print the environment, then a row for each case and size."""
    print(json.dumps({"python": platform.python_version(), "machine": platform.machine(), "seed": seed}))
    for name, form, max_depth in CASES:
        for row in rows(name, form, max_depth, sizes, seed):
            print(json.dumps(row))


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or SIZES)
