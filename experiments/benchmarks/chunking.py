"""Chunking against whole documents, in the paper's two scenarios; `--record` keeps the tables with their environment.

Run it as `python experiments/benchmarks/chunking.py [--quick] [--repeats N] [--record] [SPEC]`.
"""

from __future__ import annotations

import argparse
import os
import platform
import tomllib
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

from broker_sim.chunking.benchmark import Row, measure, prepare
from broker_sim.chunking.execution import Pool
from broker_sim.chunking.scenarios import SCENARIOS

SPEC = Path(__file__).parent.parent / "paper-chunking.toml"
RESULTS = Path(__file__).parent / "results" / "chunking.md"

HEAD = (
    "| queries | inner | chunks | potpourri | whole, lxml | wall | whole, rewritten | whole, lazy-dfa | cutting "
    "| chunks in turn | gain | {workers} processes, wall | gain | cutting + longest | gain | first answer "
    "| last answer | same answers |\n" + "|--:" * 17 + "|---|"
)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("spec", nargs="?", type=Path, default=SPEC)
    options.add_argument("--quick", action="store_true", help="100 queries only")
    options.add_argument("--repeats", type=int, default=1)
    options.add_argument("--record", action="store_true")
    chosen = options.parse_args()
    spec = tomllib.loads(chosen.spec.read_text())
    lines = [
        f"# Chunking\n\nPython {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores, load "
        f"{os.getloadavg()[0]:.1f} at the start, seed {spec['seed']}. Processor seconds (wall seconds "
        f"where it says so) of one document, best of {chosen.repeats}, parsing included."
    ]
    for line in tables(spec, chosen.quick, chosen.repeats):
        print(line, flush=True)
        lines.append(line)
    if chosen.record:
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text("\n".join(lines) + "\n")


def tables(spec: dict[str, Any], quick: bool, repeats: int) -> Iterator[str]:
    """The cases of a spec as Markdown, line by line."""
    pool = Pool(spec["workers"])
    try:
        for case in spec["case"]:
            rows: list[Row] = []
            yield f"\n## {case['scenario']}, {case['scale']:g} times the paper's document\n"
            yield HEAD.format(workers=spec["workers"])
            for number in case["queries"][:1] if quick else case["queries"]:
                prepared = prepare(SCENARIOS[case["scenario"]], number, spec["seed"], case["scale"], repeats)
                for inner, chunks in product(case.get("inner", ["lxml"]), case["chunks"]):
                    rows.append(measure(prepared, chunks, pool, inner))
                    yield line_of(rows[-1])
            yield f"\n{rows[-1].elements:,} elements. Chunks with {rows[-1].queries:,} queries:\n"
            yield "| chunks | prefix | queries | bytes |\n|--:|---|--:|--:|"
            for row in rows[-len(case["chunks"]) :]:
                for prefix, share, size in zip(row.prefixes, row.shares, row.sizes, strict=True):
                    yield f"| {row.chunks} | `{prefix}` | {share:.0%} | {size:,} |"
    finally:
        pool.close()


def line_of(row: Row) -> str:
    """One row of a table."""
    whole = row.whole
    gains = (
        f"{row.sequential:.3f} | {row.gain(row.sequential):.0%} | {row.parallel:.3f} | {row.parallel_gain:.0%} | "
        f"{row.ideal:.3f} | {row.gain(row.ideal):.0%}"
    )
    return (
        f"| {row.queries:,} | {row.inner} | {row.chunks} | {row.potpourri:,} | {whole.lxml:.3f} | {whole.wall:.3f} | "
        f"{whole.rewritten:.3f} | {whole.lazy_dfa:.3f} | {row.splitting:.3f} | {gains} | "
        f"{row.earliest / whole.lxml:.0%} | {row.sequential / whole.lxml:.0%} | {'yes' if row.same_answers else 'NO'} |"
    )


if __name__ == "__main__":
    main()
