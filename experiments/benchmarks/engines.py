"""The engines side by side on NITF queries; `--record` keeps the table with its environment.

Run it as `python experiments/benchmarks/engines.py [--documents DIR] [--number N] [--record] [SIZE ...]`. Engines that
look at every query are measured on ten documents, and left out beyond 10,000 queries.
"""

from __future__ import annotations

import argparse
import platform
from pathlib import Path

from broker_sim.cli.bench import documents_of, table
from broker_sim.engines.benchmark import ENGINES, measure

RESULTS = Path(__file__).parent / "results" / "engines.md"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("sizes", nargs="*", type=int, default=[10_000, 100_000])
    options.add_argument("--documents", type=Path)
    options.add_argument("--number", type=int, default=500)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--record", action="store_true")
    chosen = options.parse_args()
    documents = documents_of(chosen.documents, chosen.number, chosen.seed)
    average = sum(map(len, documents)) / len(documents)
    cells = [(name, size) for size in chosen.sizes for name in ENGINES if size <= 10_000 or name == "lazy-dfa"]
    rows = [measure(name, size, documents, chosen.seed) for name, size in cells]
    source = "given" if chosen.documents else "generated"
    text = (
        f"# Engines on NITF\n\nPython {platform.python_version()}, {platform.machine()}, seed {chosen.seed}; "
        f"{len(documents)} {source} documents of {average:,.0f} bytes on average; W = DO = 0.1, L = 10. "
        f"Times are per document and include parsing.\n\n{table(rows)}\n"
    )
    print(text)
    if chosen.record:
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(text)


if __name__ == "__main__":
    main()
