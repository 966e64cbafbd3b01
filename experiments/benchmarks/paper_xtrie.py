"""Figure 7 of the XTrie paper on this machine: XFilter, XFilter-LB, eager and lazy XTrie, YFilter and the lazy DFA.

    python experiments/benchmarks/paper_xtrie.py [--profile quick|full] [--figures abcdm] [--record]

Base case as in the paper: `nitf`, 100 tag pairs, P = 10,000, L = 20, p_w = p_d = 0.1, p_b = 0, theta = 0; then (a) P,
(b) tag pairs, (c) p_d and (d) L vary one at a time. Times are CPU milliseconds a document, parsing included, as in the
paper: `first` is the first pass over the documents, `again` the second, when engines that remember have seen all
shapes. A cell stops early when its pass exceeds `BUDGET` seconds; the table says how many documents it saw. On every
document that two engines saw they must find the same subscriptions. `--figures` runs a part of it. `--record` writes
`results/paper-xtrie.json`, `.md` and `.png`, and keeps what it finds there of figures that were not run.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import time
import tracemalloc
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from lxml import etree
from pyroaring import BitMap

from broker_sim.engines import Engine
from broker_sim.engines.benchmark import new_engine
from broker_sim.workload import DocumentParameters, XPathParameters, generate_documents, generate_xpaths
from broker_sim.xpath import Path as XPath
from dtd_ads import load_schema

RESULTS = Path(__file__).parent / "results"
SEED = 7
ALL = ("xfilter", "xfilter-lb", "xtrie-eager", "xtrie", "yfilter", "lazy-dfa")
MOST = ALL[1:]
"""The paper drops plain XFilter after figure 7 (a)."""
BUDGET = 4.0
FEWEST = 5


@dataclass(frozen=True, slots=True)
class Case:
    """One point of a figure; `x` is what varies."""

    figure: str
    x: float
    queries: int = 10_000
    length: int = 20
    descendant: float = 0.1
    tags: int = 100


@dataclass(frozen=True, slots=True)
class Cell:
    """What one engine took for one point."""

    figure: str
    x: float
    engine: str
    documents: int
    tags: float
    matches: float
    add_microseconds: float
    first: float
    again: float
    parsing: float


@dataclass(frozen=True, slots=True)
class Profile:
    """How much to run."""

    sizes: tuple[int, ...]
    documents: int
    memory: int


PROFILES = {
    "quick": Profile((1_000, 5_000), 10, 5_000),
    "full": Profile((10_000, 50_000, 100_000, 250_000, 500_000), 250, 500_000),
}


def cases(profile: Profile) -> Iterator[tuple[Case, tuple[str, ...]]]:
    """The points of figure 7 with the engines of each; `quick` shrinks the base case too."""
    base = profile.sizes[0]
    yield from ((Case("a", size, queries=size), ALL) for size in profile.sizes)
    yield from ((Case("b", tags, base, tags=tags), ALL) for tags in (20, 100, 1_000))
    yield from ((Case("c", share, base, descendant=share), MOST) for share in (0.0, 0.1, 0.2, 0.3, 0.4, 0.5))
    yield from ((Case("d", length, base, length=length), MOST) for length in (10, 15, 20, 25, 30))


def queries_of(case: Case) -> list[XPath]:
    chosen = XPathParameters(case.queries, max_length=case.length, wildcard=0.1, descendant=case.descendant)
    return list(generate_xpaths(load_schema("nitf"), chosen, SEED))


@cache
def documents_of(tags: int, number: int) -> tuple[bytes, ...]:
    return tuple(generate_documents(load_schema("nitf"), DocumentParameters(number, elements=tags), SEED))


def filled(name: str, queries: Sequence[XPath]) -> Engine:
    engine = new_engine(name)
    for id, path in enumerate(queries):
        engine.add(id, path)
    return engine


def measure(case: Case, name: str, queries: Sequence[XPath], documents: Sequence[bytes]) -> tuple[Cell, list[BitMap]]:
    """What an engine takes for a point, and what it finds in the documents that it has time for."""
    gc.collect()
    started = time.process_time()
    engine = filled(name, queries)
    added = time.process_time() - started
    first, found = timed(engine, documents)
    seen = documents[: len(found)]
    again, _ = timed(engine, seen)
    started = time.process_time()
    roots = [etree.fromstring(document) for document in seen]
    parsing = (time.process_time() - started) / len(seen) * 1e3
    cell = Cell(
        figure=case.figure,
        x=case.x,
        engine=name,
        documents=len(seen),
        tags=sum(len(list(root.iter("*"))) for root in roots) / len(roots),
        matches=sum(map(len, found)) / len(found),
        add_microseconds=added / len(queries) * 1e6,
        first=first,
        again=again,
        parsing=parsing,
    )
    return cell, found


def timed(engine: Engine, documents: Sequence[bytes]) -> tuple[float, list[BitMap]]:
    """CPU milliseconds a document, and which subscriptions each matched."""
    found: list[BitMap] = []
    started = time.process_time()
    for document in documents:
        found.append(engine.match(document))
        if len(found) >= FEWEST and time.process_time() - started > BUDGET:
            break
    return (time.process_time() - started) / len(found) * 1e3, found


def require_agreement(case: Case, found: Mapping[str, list[BitMap]]) -> None:
    """Stop unless all engines found the same in every document that they saw."""
    referee = max(found, key=lambda name: len(found[name]))
    for name, answers in found.items():
        for place, (ours, theirs) in enumerate(zip(answers, found[referee], strict=False)):
            if ours != theirs:
                counts = f"{len(ours)} and {len(theirs)}"
                raise SystemExit(f"{name} and {referee} disagree on {case}, document {place}: {counts} matches")


def memory(name: str, queries: Sequence[XPath], documents: Sequence[bytes]) -> tuple[float, float, float]:
    """Megabytes that an engine holds for the queries, after documents, and at the peak while it matches them."""
    new_engine(name)  # So that what is imported for it does not count.
    gc.collect()
    tracemalloc.start()
    engine = filled(name, queries)
    gc.collect()
    built = tracemalloc.get_traced_memory()[0]
    tracemalloc.reset_peak()
    for document in documents:
        engine.match(document)
    gc.collect()
    used, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return built / 1e6, used / 1e6, peak / 1e6


def run(profile: Profile, figures: str) -> list[Cell]:
    """All points of some figures; stops where engines disagree."""
    cells: list[Cell] = []
    for case, engines in cases(profile):
        if case.figure in figures:
            queries, documents = queries_of(case), documents_of(case.tags, profile.documents)
            found: dict[str, list[BitMap]] = {}
            for name in engines:
                cell, found[name] = measure(case, name, queries, documents)
                print(json.dumps(asdict(cell)), flush=True)
                cells.append(cell)
            require_agreement(case, found)
    return cells


def run_memory(profile: Profile) -> dict[str, tuple[float, float, float]]:
    queries = queries_of(Case("memory", profile.memory, queries=profile.memory))
    held: dict[str, tuple[float, float, float]] = {}
    for name in ALL:
        held[name] = memory(name, queries, documents_of(100, profile.documents)[:10])
        print(json.dumps({name: held[name]}), flush=True)
    return held


def record(profile: Profile, cells: Sequence[Cell], held: dict[str, tuple[float, float, float]]) -> None:
    """Write the results, with those of earlier runs for figures that this one left out."""
    from paper_xtrie_report import write

    file = RESULTS / "paper-xtrie.json"
    before = json.loads(file.read_text()) if file.exists() else {"cells": [], "memory": {}}
    figures = {cell.figure for cell in cells}
    kept = [cell for cell in before["cells"] if cell["figure"] not in figures]
    environment = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "seed": SEED,
    }
    results = {
        "environment": environment,
        "profile": asdict(profile),
        "cells": sorted(kept + [asdict(cell) for cell in cells], key=lambda cell: str(cell["figure"])),
        "memory": held or before["memory"],
    }
    RESULTS.mkdir(exist_ok=True)
    file.write_text(json.dumps(results, indent=1) + "\n")
    write(results, RESULTS)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--profile", choices=PROFILES, default="quick")
    options.add_argument("--figures", default="abcdm", help="which to run; m is memory")
    options.add_argument("--record", action="store_true")
    chosen = options.parse_args()
    profile = PROFILES[chosen.profile]
    cells = run(profile, chosen.figures)
    held = run_memory(profile) if "m" in chosen.figures else {}
    if chosen.record:
        record(profile, cells, held)


if __name__ == "__main__":
    main()
