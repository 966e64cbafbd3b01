"""The studies of `experiments/paper-delivery.toml`, written to `results/delivery.md` with their environment.

Run it as `python experiments/benchmarks/delivery.py [--budget SECONDS]`. Each study runs in a process of its own. The
budget is the processor time that one cell may spend on documents; a large one measures all 180, which takes more
than an hour in all. `broker-sim bench delivery` prints the same tables without recording them.
"""

from __future__ import annotations

import argparse
import platform
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from broker_sim.delivery.benchmark import Row, run_study
from broker_sim.delivery.studies import Study, load_studies
from broker_sim.delivery.study_tables import study_table

RECORD = Path(__file__).parent / "results" / "delivery.md"


def rows_of(task: tuple[Study, dict[str, Any]]) -> list[Row]:
    study, options = task
    return list(run_study(study, **options))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--budget", type=float, default=4.0)
    budget = options.parse_args().budget
    spec = load_studies()
    common = {"seed": spec.seed, "warm_up": spec.warm_up, "measured": spec.measured, "budget": budget}
    tables = [
        f"# {spec.description}\n\nPython {platform.python_version()}, {platform.machine()}, seed {spec.seed}; "
        f"milliseconds of processor time a document, parsing left out, at most {budget:g} s a cell. "
        "`python experiments/benchmarks/delivery.py` writes this file.\n"
    ]
    with get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for study in spec.studies:
            (rows,) = pool.map(rows_of, [(study, common)])
            tables.append(study_table(study, rows))
            print(tables[-1], flush=True)
    RECORD.write_text("\n".join(tables).rstrip() + "\n")


if __name__ == "__main__":
    main()
