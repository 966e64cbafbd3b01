"""Which workload comes nearest to the router paper's traffic table?

The paper (section 6.3) says neither which wildcard and descendant probabilities its queries had nor how its documents
were made, only how many publications there were. So we search: first the document size that gives the paper's
number of publications, then, over a grid of the query generator's parameters, the least mean error over the
paper's four totals. The winner stands in `experiments/paper-traffic.toml`.

Run it as `python experiments/benchmarks/paper_traffic_search.py [--quick]`; it prints the best cells as a table.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product

from broker_sim.errors import ConfigurationError
from broker_sim.experiment import Experiment, load_experiment, run, summary_row
from broker_sim.experiment.building import build_scenario

PUBLICATIONS = 4_182
ELEMENTS = range(120, 151)
WILDCARD = (0.0, 0.005, 0.01, 0.05, 0.1, 0.2)
DESCENDANT = (0.0, 0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
THETA = (0.0, 0.5, 1.0, 1.5)
SHOWN = 10


@dataclass(frozen=True, slots=True)
class Cell:
    """One point of the grid: the parameters, our totals by strategy and the mean relative error."""

    wildcard: float
    descendant: float
    theta: float
    totals: tuple[int, ...]
    error: float


def document_size(experiment: Experiment, sizes: Iterable[int]) -> int:
    """The target size, in elements, that gives the number of publications nearest to the paper's."""
    return min(sizes, key=lambda size: (abs(_publications(experiment, size) - PUBLICATIONS), size))


def _publications(experiment: Experiment, size: int) -> int:
    generate = replace(experiment.documents.generate, elements=size)
    sized = replace(experiment, documents=replace(experiment.documents, generate=generate))
    return sum(map(len, build_scenario(sized).publications))


def cells(
    experiment: Experiment, wildcards: Iterable[float], descendants: Iterable[float], thetas: Iterable[float]
) -> Iterator[Cell]:
    """Every point of the grid that the DTD has enough distinct queries for."""
    spec = experiment.subscriptions
    for wildcard, descendant, theta in product(wildcards, descendants, thetas):
        generate = replace(spec.generate, wildcard=wildcard, descendant=descendant, theta=theta)
        tried = replace(experiment, subscriptions=replace(spec, generate=generate))
        try:
            totals = tuple(int(summary_row(outcome)["messages_received"] or 0) for outcome in run(tried))
        except ConfigurationError:
            continue
        errors = [abs(total / experiment.paper[name] - 1) for total, name in zip(totals, tried.strategies, strict=True)]
        yield Cell(wildcard, descendant, theta, totals, sum(errors) / len(errors))


def main(quick: bool) -> None:
    experiment = load_experiment("paper-traffic")
    assert isinstance(experiment, Experiment)
    experiment = replace(experiment, verify=False, strategies=tuple(experiment.paper))
    size = document_size(experiment, ELEMENTS if not quick else (135,))
    print(f"documents of {size} elements: {_publications(experiment, size):,} publications (paper: {PUBLICATIONS:,})")
    generate = replace(experiment.documents.generate, elements=size)
    experiment = replace(experiment, documents=replace(experiment.documents, generate=generate))
    grid = ((0.0,), (0.005, 0.02), (0.0,)) if quick else (WILDCARD, DESCENDANT, THETA)
    found = sorted(cells(experiment, *grid), key=lambda cell: cell.error)
    print("| W | DO | theta | " + " | ".join(experiment.strategies) + " | mean error |")
    print("|--:" * (len(experiment.strategies) + 4) + "|")
    print("| paper | | | " + " | ".join(f"{experiment.paper[name]:,.0f}" for name in experiment.strategies) + " | |")
    for cell in found[:SHOWN]:
        totals = " | ".join(f"{total:,}" for total in cell.totals)
        print(f"| {cell.wildcard} | {cell.descendant} | {cell.theta} | {totals} | {cell.error:.1%} |")


if __name__ == "__main__":
    main("--quick" in sys.argv[1:])
