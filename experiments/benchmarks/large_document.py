"""A document larger than the memory allowed: `broker-sim match --stream` on a generated file, and its peak memory.

    python experiments/benchmarks/large_document.py [--megabytes 200] [--engine xtrie] [--record]

The document is a valid `nitf` of the size asked for; the subscriptions are 1,000 paths, a third of them tree patterns
with branches and value tests. Peak memory is that of the matching process as a whole, Python and libraries included.
"""

from __future__ import annotations

import argparse
import json
import platform
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from broker_sim.workload import DocumentGenerator, DocumentParameters, XPathParameters, generate_xpaths
from dtd_ads import load_schema

RESULTS = Path(__file__).parent / "results" / "large-document.json"
SEED = 7


def write_subscriptions(file: Path) -> None:
    schema = load_schema("nitf")
    linear = XPathParameters(667, max_length=10, wildcard=0.1, descendant=0.1)
    trees = XPathParameters(333, max_length=10, wildcard=0.1, descendant=0.1, predicates=1, branching=0.3)
    paths = [*generate_xpaths(schema, linear, SEED), *generate_xpaths(schema, trees, SEED)]
    file.write_text("".join(f"{path}\n" for path in paths))


def measure(megabytes: int, engine: str, folder: Path) -> dict[str, object]:
    document, subscriptions = folder / "large.xml", folder / "subscriptions.txt"
    write_subscriptions(subscriptions)
    parameters = DocumentParameters(1, size=megabytes * 1_000_000)
    with document.open("wb") as file:
        DocumentGenerator(load_schema("nitf"), parameters, Random(SEED)).write(file)
    command = [sys.executable, "-m", "broker_sim.cli", "match", "--engine", engine, "--stream", "--json"]
    started = time.perf_counter()
    done = subprocess.run(
        [*command, "--subscriptions", str(subscriptions), str(document)], capture_output=True, check=True, text=True
    )
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "engine": engine,
        "document_megabytes": document.stat().st_size / 1e6,
        "subscriptions": 1_000,
        "matches": len(json.loads(done.stdout)[0]["matches"]),
        "peak_megabytes": usage.ru_maxrss * 1_024 / 1e6,
        "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 1),
        "wall_seconds": round(time.perf_counter() - started, 1),
        "python": platform.python_version(),
        "machine": platform.machine(),
        "seed": SEED,
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--megabytes", type=int, default=200)
    options.add_argument("--engine", choices=("xtrie", "xtrie-eager"), default="xtrie")
    options.add_argument("--record", action="store_true")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        row = measure(chosen.megabytes, chosen.engine, Path(folder))
    print(json.dumps(row, indent=1))
    if chosen.record:
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(json.dumps(row, indent=1) + "\n")


if __name__ == "__main__":
    main()
