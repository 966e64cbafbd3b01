"""Seeded topology generators, named by a specification such as `watts-strogatz:n=100,k=4,p=0.1,seed=3`.

The graphs are networkx's; brokers are named 1 .. n. Sizes are bounded before anything is built. Random graphs of the
Watts-Strogatz and Waxman models may fall into parts; the caller decides what to do then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import networkx as nx

from broker_sim.errors import TopologyError
from broker_sim.network.graph import MAX_BROKERS, MAX_LINKS

MAX_WAXMAN: Final = 5_000
"""Waxman's model looks at every pair of brokers."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number in [low, high]; without a default it must be given."""

    low: float
    high: float
    default: float | None = None
    whole: bool = True

    def __str__(self) -> str:
        kind = "a whole number" if self.whole else "a number"
        return f"{kind} from {self.low:,} to {self.high:,}"

    def read(self, text: str) -> float | None:
        """The value that `text` writes, or None where it is out of bounds or no number."""
        try:
            value = int(text) if self.whole else float(text)
        except ValueError:
            return None
        return value if self.low <= value <= self.high else None


@dataclass(frozen=True, slots=True)
class Generator:
    """What it makes, its parameters by name, and how to build it from their values."""

    help: str
    parameters: Mapping[str, Parameter]
    build: Callable[..., nx.Graph[Any]]

    @property
    def usage(self) -> str:
        """The parameters as one writes them, optional ones in brackets."""
        written = (
            f",{key}=.." if parameter.default is None else f"[,{key}={parameter.default:g}]"
            for key, parameter in self.parameters.items()
        )
        return "".join(written).removeprefix(",")


def generate_graph(spec: str) -> nx.Graph[str]:
    """The graph that `spec` names, nodes `1` .. `n`; raises `TopologyError` that lists what is allowed."""
    name, _, written = spec.partition(":")
    generator = GENERATORS.get(name)
    if generator is None:
        raise TopologyError(f"no generator {name!r}: expected one of {', '.join(GENERATORS)}", source=spec)
    try:
        graph = generator.build(**_values(name, generator, written))
    except TopologyError as error:
        raise TopologyError(error.message, source=spec) from error
    return nx.relabel_nodes(graph, {node: str(index) for index, node in enumerate(graph, start=1)})


def _values(name: str, generator: Generator, written: str) -> dict[str, float]:
    given: dict[str, str] = {}
    for item in written.split(",") if written else []:
        key, equals, text = (part.strip() for part in item.partition("="))
        if not equals or key not in generator.parameters or key in given:
            raise TopologyError(f"{item!r} is not understood: expected {name}:{generator.usage}")
        given[key] = text
    return {key: _value(key, parameter, given.get(key)) for key, parameter in generator.parameters.items()}


def _value(key: str, parameter: Parameter, text: str | None) -> float:
    value = parameter.default if text is None else parameter.read(text)
    if value is None:
        raise TopologyError(f"{key} must be {parameter}" + ("" if text is None else f", not {text!r}"))
    return value


def _require(holds: bool, expected: str) -> None:
    if not holds:
        raise TopologyError(expected)


def _tree(branching: int, depth: int) -> nx.Graph[int]:
    size = 0
    for level in range(depth + 1):
        size += branching**level
        _require(size <= MAX_BROKERS, f"a tree of more than {MAX_BROKERS:,} brokers: choose less branching or depth")
    graph: nx.Graph[int] = nx.balanced_tree(branching, depth)
    return graph


def _random_tree(n: int, seed: int) -> nx.Graph[int]:
    if n == 1:
        return _tree(1, 0)
    random = Random(seed).random
    graph: nx.Graph[int] = nx.from_prufer_sequence([int(random() * n) for _ in range(n - 2)])
    return graph


def _barabasi_albert(n: int, m: int, seed: int) -> nx.Graph[int]:
    _require(m < n, f"m must be less than n, not m={m} with n={n}")
    _require(m * n <= MAX_LINKS, f"more than {MAX_LINKS:,} links: choose a smaller n or m")
    return nx.barabasi_albert_graph(n, m, seed=seed)


def _watts_strogatz(n: int, k: int, p: float, seed: int) -> nx.Graph[int]:
    _require(k < n and k % 2 == 0, f"k must be even and less than n, not k={k} with n={n}")
    _require(n * k // 2 <= MAX_LINKS, f"more than {MAX_LINKS:,} links: choose a smaller n or k")
    graph: nx.Graph[int] = nx.watts_strogatz_graph(n, k, p, seed=seed)
    return graph


def _waxman(n: int, alpha: float, beta: float, seed: int) -> nx.Graph[int]:
    graph: nx.Graph[int] = nx.waxman_graph(n, beta=beta, alpha=alpha, seed=seed)
    for node, data in graph.nodes(data=True):
        graph.nodes[node]["position"] = data["pos"]
    _require(graph.number_of_edges() <= MAX_LINKS, f"more than {MAX_LINKS:,} links: choose a smaller n, alpha or beta")
    return graph


def _grid(rows: int, columns: int) -> nx.Graph[tuple[int, int]]:
    _require(rows * columns <= MAX_BROKERS, f"a grid of more than {MAX_BROKERS:,} brokers")
    graph = nx.grid_2d_graph(rows, columns)
    for row, column in graph:
        graph.nodes[row, column]["position"] = (float(column), float(-row))
    return graph


_SIZE: Final = Parameter(1, MAX_BROKERS)
_SEED: Final = Parameter(0, 2**63 - 1, default=0)
_SHARE: Final = Parameter(0, 1, whole=False)

GENERATORS: Final[Mapping[str, Generator]] = {
    "line": Generator("n brokers in a row", {"n": _SIZE}, lambda n: nx.path_graph(n)),
    "star": Generator("n brokers, the first linked to all others", {"n": _SIZE}, lambda n: nx.star_graph(n - 1)),
    "ring": Generator("n brokers in a circle", {"n": Parameter(3, MAX_BROKERS)}, lambda n: nx.cycle_graph(n)),
    "grid": Generator("rows x columns brokers", {"rows": _SIZE, "columns": _SIZE}, _grid),
    "tree": Generator(
        "a balanced tree; depth is the number of levels below the root",
        {"branching": _SIZE, "depth": Parameter(0, MAX_BROKERS)},
        _tree,
    ),
    "random-tree": Generator(
        "one of all labelled trees of n brokers, uniformly", {"n": _SIZE, "seed": _SEED}, _random_tree
    ),
    "barabasi-albert": Generator(
        "preferential attachment, each new broker with m links",
        {"n": _SIZE, "m": Parameter(1, MAX_BROKERS), "seed": _SEED},
        _barabasi_albert,
    ),
    "watts-strogatz": Generator(
        "a small world: a ring with k neighbours each, links moved with probability p",
        {"n": _SIZE, "k": Parameter(2, MAX_BROKERS), "p": _SHARE, "seed": _SEED},
        _watts_strogatz,
    ),
    "waxman": Generator(
        "random points, linked with probability beta * exp(-distance / (alpha * largest distance))",
        {
            "n": Parameter(1, MAX_WAXMAN),
            "alpha": Parameter(0.000001, 1, whole=False),
            "beta": _SHARE,
            "seed": _SEED,
        },
        _waxman,
    ),
}
"""Every generator by its name."""
