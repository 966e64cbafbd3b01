"""The studies of `experiments/paper-delivery.toml`, as tables; `--record` keeps them with their environment.

Run it as `python experiments/benchmarks/delivery.py [--only TEXT ...] [--budget SECONDS] [--most QUERIES] [--record]`.
Each study runs in a process of its own. `--budget` is the processor time that one cell may spend on documents; a large
one measures all 180, which takes more than an hour in all.
"""

from __future__ import annotations

import argparse
import platform
import tomllib
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from broker_sim.delivery.benchmark import Row, Study, Workload, run_study

SPEC = Path(__file__).parents[1] / "paper-delivery.toml"
RECORD = Path(__file__).parents[2] / "docs" / "delivery-results.md"
LISTS = ("queries", "approach", "optimise", "sharing", "predicates", "returns", "paper")


def studies(spec: dict[str, Any]) -> Iterator[Study]:
    workloads = {name: Workload(**fields) for name, fields in spec["workloads"].items()}
    for fields in spec["studies"]:
        chosen = {name: tuple(value) if name in LISTS else value for name, value in fields.items()}
        yield Study(**{**chosen, "workload": workloads[fields["workload"]]})


def rows_of(task: tuple[Study, dict[str, Any]]) -> list[Row]:
    study, options = task
    return list(run_study(study, **options))


def table(study: Study, rows: list[Row]) -> str:
    """Counts and times of a study, then what operators cost."""
    lines = [
        f"## {study.name[0].upper()}{study.name[1:]}",
        "",
        f"{study.workload.dtd}, documents of {rows[0].elements:.0f} elements, MaxValue {study.max_value}.",
        "",
        "| approach | optimised by | sharing | Q | PP | RP | plans | paths | matches | documents | ms |",
        "|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        counts = f"{row.plans:,} | {row.paths:,} | {row.matches:,.0f} | {row.documents} | {row.milliseconds:,.1f}"
        sizes = f"{row.queries:,} | {row.predicates} | {row.returns}"
        lines.append(f"| {row.approach} | {row.optimise} | {'yes' if row.sharing else 'no'} | {sizes} | {counts} |")
    lines += ["", *(f"Paper: {remark}." for remark in study.paper), ""]
    return "\n".join([*lines, *details(rows)])


def details(rows: list[Row]) -> Iterator[str]:
    for row in rows:
        if row.costs:
            costs = ", ".join(f"{kind} {cost:.1f}" for kind, cost in row.costs.items())
            operators = ", ".join(f"{number:,} {kind}" for kind, number in row.operators.items())
            sharing = " shared" if row.sharing else ""
            yield f"- {row.approach} {row.optimise}{sharing}, Q = {row.queries:,}: {costs} ms. Plans: {operators}."
    yield ""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--only", nargs="*", default=[], help="studies whose name contains one of these")
    options.add_argument("--budget", type=float, default=5.0)
    options.add_argument("--most", type=int, default=100_000)
    options.add_argument("--record", action="store_true")
    chosen = options.parse_args()
    spec = tomllib.loads(SPEC.read_text())
    tables = [
        f"# {spec['description']}\n\nPython {platform.python_version()}, {platform.machine()}, seed {spec['seed']}; "
        f"milliseconds of processor time a document, parsing left out, at most {chosen.budget:g} s a cell.\n"
    ]
    common = {"seed": spec["seed"], **spec["documents"], "budget": chosen.budget}
    with get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for study in studies(spec):
            if not chosen.only or any(text in study.name for text in chosen.only):
                (rows,) = pool.map(rows_of, [(study.sized(chosen.most), common)])
                tables.append(table(study, rows))
                print(tables[-1], flush=True)
    if chosen.record:
        RECORD.parent.mkdir(exist_ok=True)
        RECORD.write_text("\n".join(tables).rstrip() + "\n")


if __name__ == "__main__":
    main()
