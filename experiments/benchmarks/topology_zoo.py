"""Every topology of a folder, such as the Topology Zoo, runs a small experiment with ground truth.

Run it as `python experiments/benchmarks/topology_zoo.py FOLDER [--record] [--seed N]`. Each GraphML file, or the
largest connected part of it, becomes an overlay with three publishers of two DTDs, 20 subscribers, and clients that
come, go and move while documents flow. One line each: size, cycles, messages, deliveries, what was missed or unwanted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

from recording import Row, report

from broker_sim.experiment import Experiment, run, summary_row
from broker_sim.experiment.spec import (
    ChurnSpec,
    DocumentSpec,
    NetworkSpec,
    PublisherSpec,
    SchemaSpec,
    SubscriptionSpec,
)
from broker_sim.workload import DocumentParameters, XPathParameters
from dtd_ads.errors import InputError

STRATEGY = "with-adv-with-cov"


def experiment(file: Path, seed: int) -> Experiment:
    """The small experiment on one topology."""
    return Experiment(
        name="zoo",
        seed=seed,
        unit="document",
        strategies=(STRATEGY,),
        topology=str(file),
        largest_component=True,
        schema=SchemaSpec(dtd="psd", also=("nitf",), form="automaton"),
        publishers=PublisherSpec(number=3),
        subscriptions=SubscriptionSpec(
            placement="zipf",
            subscribers=20,
            theta=0.5,
            generate=XPathParameters(number=10, wildcard=0.1, descendant=0.1, predicates=1, branching=0.1),
        ),
        documents=DocumentSpec(generate=DocumentParameters(number=30, elements=60)),
        network=NetworkSpec(),
        churn=ChurnSpec(arrivals=3, departures=3, moves=3, publisher_arrivals=0.5, publisher_departures=0.5),
    )


def rows(folder: Path, seed: int, failed: list[str]) -> Iterator[Row]:
    """One row for each file."""
    for file in sorted(folder.glob("*.graphml")):
        try:
            (outcome,) = run(experiment(file, seed))
        except InputError as error:
            failed.append(f"{file.name}: {error}")
            continue
        topology = outcome.scenario.topology
        row = summary_row(outcome)
        if outcome.verdict:
            failed.append(file.name)
        yield {
            "topology": file.stem,
            "brokers": len(topology.brokers),
            "links": len(topology.links),
            "cycles": len(topology.links) - len(topology.brokers) + 1,
            **{name: row[name] for name in ("messages_received", "deliveries", "missed", "unwanted", "uncertain")},
            "window ms": 1e3 * float(row["window"] or 0),
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--record", action="store_true")
    chosen = parser.parse_args()
    failed: list[str] = []
    notes = f"Strategy {STRATEGY}, unit document, tree patterns among the subscriptions, churn while documents flow."
    recorded = SimpleNamespace(seed=chosen.seed, record=chosen.record)
    report("topology_zoo", "Real topologies", notes, rows(chosen.folder, chosen.seed, failed), recorded, seconds=None)
    for line in failed:
        print(line, file=sys.stderr)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
