"""How many paths a DTD has, by length, counted without listing them.

A path is a walk in the element graph from the root. Two conventions are counted side by side: *may end* (the last
element can occur without a child element; every advertisement uses this one) and *leaf only* (the last element can
never have one). The count is a dynamic programme over length and last element with unbounded integers: one step
costs time in the number of edges. Only elements from which some path can end take part, so the count of a
non-recursive DTD stops by itself; a recursive DTD has no last length and is counted up to a bound. No path of more
than `MAX_DEPTH` elements is ever counted: with at most a million edges (`loading.MAX_EDGES`) a step multiplies a count
by at most a thousand, so that every count can be printed (Python refuses numbers of more than 4,300 digits).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import networkx as nx

from dtd_ads.errors import AdvertisementError
from dtd_ads.schema import Schema

DEFAULT_DEPTH: Final = 10
MAX_DEPTH: Final = 1_000


@dataclass(frozen=True, slots=True)
class PathCounts:
    """Paths under both conventions; `max_depth` is the bound that was used, None where all paths were counted.

    `by_depth` holds the number of may-end paths of each length, in elements.
    """

    leaf_only: int
    may_end: int
    max_depth: int | None
    by_depth: tuple[tuple[int, int], ...]


def useful_graph(schema: Schema) -> nx.DiGraph[str]:
    """The part of the element graph that lies on some path: reachable, and an end can be reached; DTD order."""
    graph = schema.graph
    queue = [name for name in graph if schema.may_end(name)]
    useful = set(queue)
    for name in queue:
        for parent in graph.predecessors(name):
            if parent not in useful:
                useful.add(parent)
                queue.append(parent)
    kept: nx.DiGraph[str] = nx.DiGraph()
    kept.add_nodes_from(name for name in graph if name in useful)
    kept.add_edges_from((parent, child) for parent, child in graph.edges if parent in useful and child in useful)
    return kept


def check_depth(max_depth: int | None) -> None:
    """Raise `AdvertisementError` for a depth bound that makes no sense."""
    if max_depth is not None and not 1 <= max_depth <= MAX_DEPTH:
        raise AdvertisementError(f"maximum depth {max_depth} is not within 1..{MAX_DEPTH}")


def count_paths(schema: Schema, max_depth: int | None = None) -> PathCounts:
    """Count the paths of at most `max_depth` elements.

    Without it, of at most 10 where the DTD is recursive; elsewhere all, or those of at most `MAX_DEPTH` elements.
    """
    check_depth(max_depth)
    graph = useful_graph(schema)
    if max_depth is None and not nx.is_directed_acyclic_graph(graph):
        max_depth = DEFAULT_DEPTH
    leaf_only = 0
    by_depth = []
    for depth, walks in enumerate(_walks(graph, schema.root), start=1):
        if depth > (max_depth or MAX_DEPTH):
            max_depth = max_depth or MAX_DEPTH
            break
        leaf_only += sum(number for name, number in walks.items() if not schema.children(name))
        ending = sum(number for name, number in walks.items() if schema.may_end(name))
        if ending:
            by_depth.append((depth, ending))
    return PathCounts(leaf_only, sum(number for _, number in by_depth), max_depth, tuple(by_depth))


def _walks(graph: nx.DiGraph[str], root: str) -> Iterator[dict[str, int]]:
    """For length 1, 2, ...: the number of walks from the root of that length to each element."""
    walks = {root: 1} if root in graph else {}
    while walks:
        yield walks
        longer: dict[str, int] = {}
        for name, number in walks.items():
            for child in graph.successors(name):
                longer[child] = longer.get(child, 0) + number
        walks = longer
