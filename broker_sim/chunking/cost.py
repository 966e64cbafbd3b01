"""How many chunks: an estimate of what a document will cost.

The chunking paper leaves the number to the user and shows that it matters: its second scenario is best with two chunks.
We estimate from the sizes of a sample document, which are counted by path (how many elements stand at and below each
prefix), in units of one query looking at one element. Cutting reads every element once; a chunk is parsed, then each of
its queries looks at its elements; the potpourri's at all of them. On several processes chunks are given out by size,
the largest first, and the busiest process counts. The cheapest set of cuts that figure 6's algorithm passes through is
taken, the smaller one if two cost the same.

The units were measured (`experiments/benchmarks/chunking.py`); they differ from machine to machine less than the sums.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from heapq import heapify, heapreplace
from itertools import islice
from typing import IO, Final
from xml.parsers import expat

from broker_sim.chunking.projection import SEPARATOR, written
from broker_sim.chunking.query_tree import QueryTree, Weights, remaining
from broker_sim.chunking.transformation import Names
from broker_sim.chunking.utf8 import utf8_blocks
from broker_sim.engines.documents import MAX_DEPTH
from broker_sim.errors import DocumentError

SPLIT: Final = 10.0
"""Reading an element while cutting."""

PARSE: Final = 3.0
"""Parsing an element of a chunk."""

ASK: Final = {"lxml": 1.0, "scan": 1.0}
"""A query looking at an element; nothing for engines that look at each element once for all queries."""

MAX_STEPS: Final = 64
"""How far the algorithm of figure 6 is followed."""

MAX_COUNTED: Final = 100_000
"""How many different paths a sample may have; what lies deeper is counted where the bound was met."""

_BLOCK: Final = 1 << 16


class _Counted:
    __slots__ = ("number", "to")

    def __init__(self) -> None:
        self.number = 0
        self.to: dict[str, _Counted] = {}


@dataclass(frozen=True)
class Sizes:
    """How many elements a sample document has at and below each path."""

    elements: dict[Names, int]

    @cached_property
    def total(self) -> int:
        """The elements of the document."""
        return sum(number for path, number in self.elements.items() if len(path) == 1)

    def at(self, prefix: Names) -> int:
        """The elements at and below a prefix."""
        return self.elements.get(prefix, 0)


def measure(source: IO[bytes], name: str = "document") -> Sizes:
    """Count the elements of a document by path, in one pass."""
    top = _Counted()
    parser = expat.ParserCreate("utf-8", SEPARATOR)
    parser.namespace_prefixes = True
    _count(parser, top)
    try:
        for block in utf8_blocks(source, _BLOCK):
            parser.Parse(block, False)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        message = expat.ErrorString(error.code)
        raise DocumentError(message, source=name, line=error.lineno, column=error.offset + 1) from error
    return Sizes(_summed(top))


def best_cuts(tree: QueryTree, sizes: Sizes, inner: str, workers: int = 1) -> tuple[Names, ...]:
    """The cheapest set of cuts."""
    ask = ASK.get(inner, 0.0)
    steps = islice(tree.growing_cuts(), MAX_STEPS)
    return min(steps, key=lambda cuts: (cost(tree.weights, tree.total, cuts, sizes, ask, workers), len(cuts)))


def cost(weights: Weights, paths: int, cuts: tuple[Names, ...], sizes: Sizes, ask: float, workers: int) -> float:
    """What a document like the sample would cost, of `paths` paths altogether."""
    left = remaining(weights, set(cuts))
    rest = paths - sum(left[cut] for cut in cuts)
    loads = [(PARSE + ask * left[cut]) * sizes.at(cut) for cut in cuts]
    if rest:
        loads.append((PARSE + ask * rest) * sizes.total)
    return (SPLIT * sizes.total if cuts else 0.0) + _busiest(loads, workers)


def _busiest(loads: Iterable[float], workers: int) -> float:
    busy = [0.0] * workers
    heapify(busy)
    for load in sorted(loads, reverse=True):
        heapreplace(busy, busy[0] + load)
    return max(busy)


def _count(parser: expat.XMLParserType, top: _Counted) -> None:
    here = top
    above: list[_Counted] = []
    known = 0

    def start(key: str, attributes: object) -> None:
        nonlocal here, known
        above.append(here)
        if len(above) > MAX_DEPTH:
            raise DocumentError(f"elements nest deeper than {MAX_DEPTH}")
        inside = here.to.get(key)
        if inside is None and known < MAX_COUNTED:
            inside = here.to[key] = _Counted()
            known += 1
        here = inside or here
        here.number += 1

    def end(key: str) -> None:
        nonlocal here
        here = above.pop()

    parser.StartElementHandler = start
    parser.EndElementHandler = end


def _summed(top: _Counted) -> dict[Names, int]:
    order: list[tuple[Names, _Counted]] = [((), top)]
    for path, node in order:
        order.extend(((*path, written(key)), inside) for key, inside in node.to.items())
    sums: dict[Names, int] = {}
    for path, node in reversed(order):
        sums[path] = sums.get(path, 0) + node.number
        if path:
            sums[path[:-1]] = sums.get(path[:-1], 0) + sums[path]
    return sums
