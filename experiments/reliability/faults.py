"""What faults cost: the shipped `faults-*` experiments, and what reliability costs while nothing fails.

    python -m experiments.reliability.faults [--record] [--seeds 5]

Every row follows from its seeds alone. Without faults, control messages are all but publications, and care is what
reliability adds to them.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from broker_sim.experiment import Experiment, load_experiment, run, shipped_experiments, summary_row
from experiments.reliability.recording import Figure, record_row

PLAIN = "with-adv-with-cov"
RELIABLE = f"{PLAIN}+reliable"
CONTROL = ("advertise", "unadvertise", "subscribe", "unsubscribe")
CALM = ("paper-traffic", "paper-traffic on binary-127")
"""Workloads without faults, beside `faults-*` with theirs taken out."""

Row = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--record", action="store_true", help="keep the figures under results/")
    parser.add_argument("--seeds", type=int, default=5)
    chosen = parser.parse_args()
    seeds = range(1, chosen.seeds + 1)
    faulty = [name for name in shipped_experiments() if name.startswith("faults-")]
    for name in faulty:
        for strategy in (PLAIN, RELIABLE):
            row = _survival(name, strategy, seeds)
            print(row, flush=True)
            if chosen.record:
                record_row("faults", "Faults in the overlay", "experiment", row)
    for name in (*faulty, *CALM):
        row = _overhead(name)
        print(row, flush=True)
        if chosen.record:
            record_row("overhead", "What reliability costs while nothing fails", "experiment", row)


def _survival(name: str, strategy: str, seeds: Sequence[int]) -> dict[str, Figure]:
    rows = [_row(name, strategy, [f"seed={seed}"]) for seed in seeds]
    return {
        "experiment": f"{name}, {'reliable' if strategy == RELIABLE else 'not reliable'}",
        "seeds": len(rows),
        "faults and their ends": _total(rows, "faults"),
        "delivered": _total(rows, "deliveries"),
        "lost": _total(rows, "lost"),
        "missed": _total(rows, "missed"),
        "unwanted": _total(rows, "unwanted"),
        "dropped by clients": _total(rows, "repeated"),
        "messages": _total(rows, "messages_received"),
        "trees rebuilt": _total(rows, "trees_rebuilt"),
        "median recovery s": _most(rows, "recovery_p50"),
        "longest recovery s": _most(rows, "recovery_max"),
        "delay p50 s": _most(rows, "delay_p50"),
        "delay p99 s": _most(rows, "delay_p99"),
        "delay max s": _most(rows, "delay_max"),
    }


def _overhead(name: str) -> dict[str, Figure]:
    calm = ["faults={}"]
    plain, reliable = (_row(name, strategy, calm) for strategy in (PLAIN, RELIABLE))
    control = sum(plain[f"{kind}_messages"] for kind in CONTROL)
    return {
        "experiment": name,
        "simulated s": reliable["simulated_seconds"],
        "publications": plain["publish_messages"],
        "control": control,
        "care": reliable["reliability_messages"],
        "control and care / control": (
            sum(reliable[f"{kind}_messages"] for kind in CONTROL) + reliable["reliability_messages"]
        )
        / control,
        "all messages / without": reliable["messages_received"] / plain["messages_received"],
        "bytes / without": reliable["bytes_sent"] / plain["bytes_sent"],
        "delay p99 / without": reliable["delay_p99"] / plain["delay_p99"],
        "missed": reliable["missed"],
        "wall s": reliable["wall_seconds"],
    }


def _row(name: str, strategy: str, words: list[str]) -> Row:
    shipped, _, topology = name.partition(" on ")
    if topology:
        words = [*words, f"topology={topology}", "subscriptions.generate.number=50"]
    experiment = load_experiment(shipped, [*words, f"strategies=['{strategy}']"])
    assert isinstance(experiment, Experiment)
    (outcome,) = run(experiment)
    return summary_row(outcome)


def _total(rows: Sequence[Row], column: str) -> int:
    return sum(row[column] or 0 for row in rows)


def _most(rows: Sequence[Row], column: str) -> float | None:
    return max((row[column] for row in rows if row[column] is not None), default=None)


if __name__ == "__main__":
    main()
