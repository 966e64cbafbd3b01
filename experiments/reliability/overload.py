"""Publish faster and faster, up to ten times what a broker can handle, with and without a bounded queue.

    python -m experiments.reliability.overload --record

The paper's overlay and workload, one strategy. All figures but the last follow from the input alone.
"""

from __future__ import annotations

import argparse

from broker_sim.experiment import Experiment, load_experiment, run, summary_row
from experiments.reliability.recording import record_row

LOADS = (0.1, 0.5, 0.9, 2.0, 10.0)
MAX_QUEUE = 2_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--record", action="store_true", help="keep the figures under results/")
    chosen = parser.parse_args()
    interval = _interval_at_full_load()
    for load in LOADS:
        for bound in (None, MAX_QUEUE):
            row = _row(load, interval / load, bound)
            print(row, flush=True)
            if chosen.record:
                record_row("overload", "Load up to ten times the capacity", "published", row)


def _interval_at_full_load() -> float:
    """The interval between documents at which the busiest broker or link has just enough time."""
    calm = _run(1.0, None)
    assert isinstance(calm["offered_load"], float)
    return calm["offered_load"]


def _run(interval: float, bound: int | None) -> dict[str, str | int | float | None]:
    words = [
        f"network.publish_interval={interval}",
        "strategies=['with-adv-with-cov']",
        "documents.generate.number=300",
    ]
    if bound is not None:
        words.append(f"network.stop.max_queue={bound}")
    experiment = load_experiment("paper-traffic", words)
    assert isinstance(experiment, Experiment)
    (outcome,) = run(experiment)
    return summary_row(outcome)


def _row(load: float, interval: float, bound: int | None) -> dict[str, str | int | float | None]:
    found = _run(interval, bound)
    return {
        "published": f"{load:g} x capacity, queue {'unbounded' if bound is None else f'at most {bound:,}'}",
        "offered load": found["offered_load"],
        "queue peak": found["queue_peak"],
        "delay p99 s": found["delay_p99"],
        "simulated s": found["simulated_seconds"],
        "missed": found["missed"],
        "stopped": found["stopped"],
        "wall s": found["wall_seconds"],
    }


if __name__ == "__main__":
    main()
