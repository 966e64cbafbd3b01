"""Taking subscriptions back: what one removal costs among 100,000, and what is left when all are gone.

Run it as `python experiments/benchmarks/removal.py [--record] [SIZE ...]`; sizes are numbers of subscriptions, at the
leaves of the tree of 127 brokers under `with-adv-with-cov`. In the first row of a size, 200 drawn at random are taken
back one after the other: the time on the clock from handing over an unsubscription until the overlay is at rest. Then
all others go, the keys that stand in no table are given up, and the list of deliveries is dropped. The second row does
the same under `tracemalloc`: what Python objects hold before anybody has subscribed, at the fullest and at the end,
beside what the process has from the system, which an allocator need not give back.
"""

from __future__ import annotations

import ctypes
import gc
import statistics
import time
import tracemalloc
from dataclasses import replace
from pathlib import Path
from random import Random

from recording import Row, best_rows, options, report

from broker_sim.experiment import Experiment, load_experiment
from broker_sim.experiment.building import build_scenario
from broker_sim.experiment.simulation import Simulation
from broker_sim.routing import Message, strategy_named
from broker_sim.routing.knowledge import tidy

SIZES = (10_000, 100_000)
TRIED = 200
PAGE = 4096


def measure(cell: tuple[int, int, bool]) -> list[Row]:
    """One row: single removals, then all."""
    size, seed, traced = cell
    if traced:
        tracemalloc.start(1)
    simulation = _subscribable(size, seed)
    start = _held()
    simulation.subscribe()
    simulation.publish()
    fullest, entries = _held(), _entries(simulation)
    subscribers = simulation.scenario.subscribers
    held = [(client.name, path) for client in subscribers for path in client.subscriptions]
    Random(seed).shuffle(held)
    seconds = [_removed(simulation, *each) for each in held[:TRIED]]
    for client, path in held[TRIED:]:
        _submit(simulation, client, path)
    held.clear()
    simulation.overlay.run_to_rest()
    tidy([simulation.knowledge], simulation.values)
    simulation.overlay.deliveries.clear()
    return [
        {
            "subscriptions": size,
            "median ms": None if traced else 1e3 * statistics.median(seconds),
            "worst ms": None if traced else 1e3 * max(seconds),
            "entries": entries,
            "left": _entries(simulation),
            "start MiB": start,
            "fullest MiB": fullest,
            "end MiB": _held(),
            "resident MiB": _resident(),
        }
    ]


def _subscribable(size: int, seed: int) -> Simulation:
    """An overlay in which everybody has advertised."""
    spec = load_experiment("scale")
    assert isinstance(spec, Experiment)
    generate = replace(spec.subscriptions.generate, number=size // spec.subscriptions.subscribers)
    placed = replace(spec.subscriptions, generate=generate)
    documents = replace(spec.documents, generate=replace(spec.documents.generate, number=20))
    scenario = build_scenario(
        replace(spec, topology="binary-127", seed=seed, subscriptions=placed, documents=documents)
    )
    _ = scenario.publications
    simulation = Simulation(scenario, strategy_named("with-adv-with-cov"), spec.network.service)
    simulation.advertise()
    return simulation


def _removed(simulation: Simulation, client: str, path: object) -> float:
    begin = time.perf_counter()
    _submit(simulation, client, path)
    simulation.overlay.run_to_rest()
    return time.perf_counter() - begin


def _submit(simulation: Simulation, client: str, path: object) -> None:
    key = simulation.values.subscription(path, client)
    simulation.overlay.submit(client, Message("unsubscribe", client, 0, key))


def _entries(simulation: Simulation) -> int:
    return sum(station.broker.prt_size for station in simulation.overlay.stations.values())


def _held() -> float | None:
    """What Python objects hold, in MiB; None where that is not traced."""
    gc.collect()
    return tracemalloc.get_traced_memory()[0] / 2**20 if tracemalloc.is_tracing() else None


def _resident() -> float:
    ctypes.CDLL(None).malloc_trim(0)
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE / 2**20


def main() -> None:
    chosen = options(__doc__ or "", SIZES)
    cells = [(size, chosen.seed, traced) for size in chosen.sizes for traced in (False, True)]
    notes = f"NITF queries with W = DO = 0.1, 500 clients at the leaves of 127 brokers; {TRIED} removals one by one."
    report(
        "removal", "Taking subscriptions back", notes, best_rows(measure, cells, chosen.repeat, "resident MiB"), chosen
    )


if __name__ == "__main__":
    main()
