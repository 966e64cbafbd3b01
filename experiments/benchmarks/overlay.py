"""Simulating large overlays: what a message costs, from 8 brokers to 1,023.

Run it as `python experiments/benchmarks/overlay.py [--record] [SIZE ...]`; sizes are numbers of subscriptions, shared
out among clients at the leaves. About 10,000 NITF publications (fewer below 10,000 subscriptions) flow from the first
broker of each tree under `with-adv-with-cov`. Each row: counts, then seconds to subscribe and to publish, simulated
messages for each second of both together, microseconds for one publication message, and the peak memory of the process.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from dataclasses import replace

from recording import Row, best_rows, options, report

from broker_sim.experiment import Experiment, load_experiment
from broker_sim.experiment.building import build_scenario
from broker_sim.experiment.simulation import Simulation
from broker_sim.routing import KINDS, strategy_named

SIZES = (100_000,)
TOPOLOGIES = ("paper-8", "binary-63", "binary-127", "binary-1023")
CLIENTS = 500


def measure(cell: tuple[str, int, int]) -> list[Row]:
    """One row: counts, then times."""
    topology, subscriptions, seed = cell
    spec = load_experiment("scale")
    assert isinstance(spec, Experiment)
    clients = min(CLIENTS, subscriptions)
    generate = replace(spec.subscriptions.generate, number=subscriptions // clients)
    placed = replace(spec.subscriptions, subscribers=clients, generate=generate)
    drawn = replace(spec.documents.generate, number=min(spec.documents.generate.number, subscriptions // 50))
    documents = replace(spec.documents, generate=drawn)
    scenario = build_scenario(replace(spec, topology=topology, seed=seed, subscriptions=placed, documents=documents))
    publications = sum(map(len, scenario.publications))
    simulation = Simulation(scenario, strategy_named("with-adv-with-cov"), spec.network.service)
    subscribing = _seconds(simulation.advertise) + _seconds(simulation.subscribe)
    publishing = _seconds(simulation.publish)
    stations = simulation.overlay.stations.values()
    received = {kind: sum(station.received[kind] for station in stations) for kind in KINDS}
    row: Row = {
        "topology": topology,
        "brokers": len(scenario.topology.brokers),
        "subscriptions": sum(len(client.subscriptions) for client in scenario.subscribers),
        "publications": publications,
        "messages": sum(received.values()),
        "PRT": sum(station.broker.prt_size for station in stations),
        "subscribe s": subscribing,
        "publish s": publishing,
        "seconds": subscribing + publishing,
        "messages a second": sum(received.values()) / (subscribing + publishing),
        "us a publish message": 1e6 * publishing / max(1, received["publish"]),
        "peak MiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    return [row]


def _seconds(act: Callable[[], None]) -> float:
    begin = time.process_time()
    act()
    return time.process_time() - begin


def main() -> None:
    chosen = options(__doc__ or "", SIZES)
    cells = [(topology, size, chosen.seed) for size in chosen.sizes for topology in TOPOLOGIES]
    notes = "NITF queries with W = DO = 0.1 at the leaves of each tree, one publisher at its first broker."
    rows = best_rows(measure, cells, chosen.repeat, "seconds")
    report("overlay", "Overlays of 8 to 1,023 brokers", notes, rows, chosen)


if __name__ == "__main__":
    main()
