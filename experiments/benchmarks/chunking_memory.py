"""A university document larger than the memory allowed: `broker-sim chunk split`, and its peak memory.

    python experiments/benchmarks/chunking_memory.py [--megabytes 1000] [--chunks 5] [--record]

The subscriptions are 2,000 queries of the chunking paper's first scenario. Peak memory is that of the cutting process
as a whole, Python and libraries included.
"""

from __future__ import annotations

import argparse
import json
import platform
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from broker_sim.chunking.scenarios import UNIVERSITY, scenario_queries, write_scenario

RESULTS = Path(__file__).parent / "results" / "chunking-memory.md"
SEED = 1
QUERIES = 2_000


def measure(megabytes: int, chunks: int, folder: Path) -> dict[str, str]:
    """Generate document and queries, and cut the one for the other."""
    document, queries = folder / "university.xml", folder / "queries.txt"
    with document.open("wb") as file:
        write_scenario(file, UNIVERSITY, SEED, megabytes * 1_000_000)
    queries.write_text("".join(f"{query}\n" for query in scenario_queries(UNIVERSITY, QUERIES, SEED)))
    command = [sys.executable, "-m", "broker_sim.cli", "chunk", "split", "--json", "--dtd", UNIVERSITY.name]
    options = ["--subscriptions", str(queries), "--chunks", str(chunks), "--out", str(folder / "parts")]
    done = subprocess.run([*command, *options, str(document)], stdout=subprocess.PIPE, check=True, text=True)
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    written = [row["bytes"] / 1e6 for row in json.loads(done.stdout)["chunks"]]
    return {
        "document, MB": f"{document.stat().st_size / 1e6:,.0f}",
        "queries": f"{QUERIES:,}",
        "chunks, MB": " + ".join(f"{size:,.0f}" for size in written),
        "peak memory, MB": f"{usage.ru_maxrss * 1_024 / 1e6:,.0f}",
        "processor seconds": f"{usage.ru_utime + usage.ru_stime:,.1f}",
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--megabytes", type=int, default=1_000)
    options.add_argument("--chunks", type=int, default=5)
    options.add_argument("--record", action="store_true")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        row = measure(chosen.megabytes, chosen.chunks, Path(folder))
    environment = f"Python {platform.python_version()}, {platform.machine()}, seed {SEED}."
    table = [" | ".join(cells) for cells in (row, ["--:"] * len(row), row.values())]
    text = "\n".join(["# Cutting a large document", "", environment, "", *(f"| {line} |" for line in table)])
    print(text)
    if chosen.record:
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(text + "\n")


if __name__ == "__main__":
    main()
