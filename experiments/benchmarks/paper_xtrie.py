"""The experiment `paper-xtrie` on record: figure 7 of the XTrie paper and the memory of its engines, on this machine.

    python experiments/benchmarks/paper_xtrie.py [--profile quick|full] [--figures abcdm] [--record]

`broker-sim run paper-xtrie` runs the same and prints it; `broker_sim.experiment.filtering_time` says what is measured.
`--figures` runs a part of it, `m` being memory. `--record` writes `results/paper-xtrie.json`, `.md` and `.png`, and
keeps what it finds there of figures that were not run, if they have the same profile.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from broker_sim.experiment import FilteringTimeExperiment, Row, load_experiment, measure_filtering_time
from broker_sim.experiment.filtering_time import MEMORY

RESULTS = Path(__file__).parent / "results"


def part_of(profile: str, figures: str) -> FilteringTimeExperiment:
    """The experiment with some of its figures only."""
    whole = load_experiment("paper-xtrie", [f"profile={profile}"])
    if not isinstance(whole, FilteringTimeExperiment):
        raise SystemExit("paper-xtrie: expected the kind filtering-time")
    chosen = whole.chosen if "m" in figures else replace(whole.chosen, memory=0)
    return replace(
        whole,
        figures={name: figure for name, figure in whole.figures.items() if name in figures},
        profiles={**whole.profiles, profile: chosen},
    )


def run(spec: FilteringTimeExperiment) -> list[Row]:
    """All rows, printed as they come; stops where engines disagree."""
    rows: list[Row] = []
    for row in measure_filtering_time(spec):
        print(json.dumps(row), flush=True)
        if row["same_matches"] is False:
            raise SystemExit(f"{row['engine']} finds other matches than the rest, figure {row['figure']}, {row['x']}")
        rows.append(row)
    return rows


def record(spec: FilteringTimeExperiment, rows: Sequence[Row]) -> None:
    """Write the results, with those of earlier runs for figures that this one left out."""
    from paper_xtrie_report import write

    file = RESULTS / "paper-xtrie.json"
    profile = {"name": spec.profile, **asdict(spec.chosen)}
    del profile["memory"]
    before = json.loads(file.read_text()) if file.exists() else {}
    figures = {row["figure"] for row in rows}
    kept = [row for row in before.get("rows", ()) if row["figure"] not in figures and before["profile"] == profile]
    results = {
        "environment": {
            "python": platform.python_version(),
            "machine": platform.machine(),
            "cores": os.cpu_count(),
            "seed": spec.seed,
        },
        "profile": profile,
        "rows": sorted([*kept, *rows], key=lambda row: (row["figure"] == MEMORY, str(row["figure"]))),
    }
    RESULTS.mkdir(exist_ok=True)
    file.write_text(json.dumps(results, indent=1) + "\n")
    write(results, RESULTS)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--profile", choices=("quick", "full"), default="quick")
    options.add_argument("--figures", default="abcdm", help="which to run; m is memory")
    options.add_argument("--record", action="store_true")
    chosen = options.parse_args()
    spec = part_of(chosen.profile, chosen.figures)
    rows = run(spec)
    if chosen.record:
        record(spec, rows)


if __name__ == "__main__":
    main()
