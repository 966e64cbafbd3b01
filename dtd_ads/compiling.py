"""`compile_advertisements`: what a publisher of this DTD must advertise.

Section 4 of the router paper derives advertisements from the DTD: all paths from the root to a leaf, with `( ...
)+` where the DTD is recursive. Two forms exist. `paths` is that list; it is exact for every non-recursive DTD and
for recursive ones whose components can be written (module `recursion`); a component that cannot, a knot, becomes
`(/*)+`, which claims too much and misses nothing. `automaton` is one advertisement that carries the element graph
and is always exact. With `max_depth` the language is finite, so its path list is plain and exact.

Lists are counted before they are written (both counts are dynamic programmes over the graph), so a list beyond
`limit` costs nothing but an error. Order follows the DTD: an element before its content, children as their parent
names them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, get_args

import networkx as nx

from dtd_ads.advertisement import AdvertisementSet, AutomatonAdvertisement, PathAdvertisement
from dtd_ads.counting import check_depth, count_paths, useful_graph
from dtd_ads.errors import AdvertisementError
from dtd_ads.outline import Outline
from dtd_ads.schema import Schema

Form = Literal["auto", "paths", "automaton"]


def compile_advertisements(
    schema: Schema, form: Form = "auto", max_depth: int | None = None, *, limit: int = 10_000
) -> AdvertisementSet:
    """All that a publisher of `schema` advertises.

    `auto` takes paths where they are exact and at most `limit`, else the automaton. Raises `AdvertisementError` for
    a list of more than `limit`, for a DTD without any path, and for options that make no sense.
    """
    if form not in get_args(Form):
        raise AdvertisementError(f"unknown form {form!r}, expected one of {', '.join(get_args(Form))}")
    if limit < 1:
        raise AdvertisementError(f"limit {limit} is not positive")
    check_depth(max_depth)
    graph = _within_depth(useful_graph(schema), schema, max_depth)
    if schema.root not in graph:
        bound = "" if max_depth is None else f" within {max_depth} elements"
        raise AdvertisementError(f"no path from {schema.root!r} can end{bound}: every element requires a child")
    if form == "automaton":
        return _automaton(schema, graph, max_depth)
    return (
        _unbounded(schema, graph, form, limit) if max_depth is None else _bounded(schema, graph, form, max_depth, limit)
    )


def _unbounded(schema: Schema, graph: nx.DiGraph[str], form: Form, limit: int) -> AdvertisementSet:
    outline = Outline(graph, schema)
    number = outline.count()
    if form == "auto" and (number > limit or not outline.exact):
        return _automaton(schema, graph, None)
    _check_limit(number, limit)
    listed = dict.fromkeys(map(PathAdvertisement, outline.paths()))
    return AdvertisementSet(tuple(listed), "paths", outline.exact)


def _bounded(schema: Schema, graph: nx.DiGraph[str], form: Form, max_depth: int, limit: int) -> AdvertisementSet:
    number = count_paths(schema, max_depth).may_end
    if form == "auto" and number > limit:
        return _automaton(schema, graph, max_depth)
    _check_limit(number, limit)
    return AdvertisementSet(tuple(map(PathAdvertisement, _short_walks(schema, graph, max_depth))), "paths", True)


def _automaton(schema: Schema, graph: nx.DiGraph[str], max_depth: int | None) -> AdvertisementSet:
    edges = tuple((name, tuple(graph.successors(name))) for name in graph)
    ends = frozenset(name for name in graph if schema.may_end(name))
    return AdvertisementSet((AutomatonAdvertisement(schema.root, edges, ends, max_depth),), "automaton", True)


def _short_walks(schema: Schema, graph: nx.DiGraph[str], max_depth: int) -> Iterator[tuple[str, ...]]:
    """All walks of at most `max_depth` elements that may end, in DTD order; never enters a branch without an end."""
    left = _distances(graph.reverse(copy=False), [name for name in graph if schema.may_end(name)])
    stack: list[tuple[str, ...]] = [(schema.root,)]
    while stack:
        walk = stack.pop()
        if schema.may_end(walk[-1]):
            yield walk
        room = max_depth - len(walk)
        stack += [(*walk, child) for child in reversed(list(graph.successors(walk[-1]))) if left[child] <= room]


def _within_depth(graph: nx.DiGraph[str], schema: Schema, max_depth: int | None) -> nx.DiGraph[str]:
    """Without the edges that lie on no path of at most `max_depth` elements."""
    if max_depth is None or schema.root not in graph:
        return graph
    deep = _distances(graph, [schema.root])
    left = _distances(graph.reverse(copy=False), [name for name in graph if schema.may_end(name)])
    kept: nx.DiGraph[str] = nx.DiGraph()
    kept.add_nodes_from(name for name in graph if deep[name] + left[name] - 1 <= max_depth)
    kept.add_edges_from((up, down) for up, down in graph.edges if deep[up] + left[down] <= max_depth)
    return kept


def _distances(graph: nx.DiGraph[str], starts: list[str]) -> dict[str, int]:
    """The number of elements on a shortest walk from one of `starts`."""
    found = dict.fromkeys(starts, 1)
    queue = list(starts)
    for name in queue:
        for child in graph.successors(name):
            if child not in found:
                found[child] = found[name] + 1
                queue.append(child)
    return found


def _check_limit(number: int, limit: int) -> None:
    if number > limit:
        written = f"{number:,}" if number < 10**18 else f"about 10^{int(number.bit_length() * 0.30103)}"
        raise AdvertisementError(
            f"{written} path advertisements are more than the limit of {limit:,}; "
            "the automaton form says the same in one advertisement"
        )
