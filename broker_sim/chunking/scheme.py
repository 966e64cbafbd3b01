"""PREPTOOL, second half: the filtering scheme, chunks with the queries that each of them answers.

The definitions at the end of section 4 of the chunking paper. A chunk is a pair (P, F): a prefix whose subtrees it
holds, and paths to single nodes that predicates need (see `needs`). A filtering scheme of degree n has n chunks with
their query sets and the potpourri, whose queries fit no chunk and are asked of the whole document.

A path goes to the chunk with the longest prefix at which it may be cut. Several paths of one subscription in one chunk
are joined where they differ only below the cut: `/a/b/l/c` and `/a/b/m/c` become `/a/b//c` again in the chunk at
`/a/b`, if no other chunk answers a part of it. That is what a chunk *finds*.

What it *asks*, to know whether a subscription matches, may differ. Paths with all names resolved are the fastest
questions there are, if they are few. Else the path as written is asked: in a chunk it can find only what it finds in
the document, so it is right too, and `//c` from the root is one walk for libxml2, whereas `/a/b//c` joins the results
of a walk for each `b`, in steps that grow with their square. Only a test of a string value needs the exact form: filter
nodes lack their text, and an empty string may pass where the real one does not.

Building a scheme costs one pass over the rewritten paths.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from broker_sim.chunking.needs import FilterPath, filter_paths
from broker_sim.chunking.transformation import Names, Rewritten, Steps
from broker_sim.xpath import Expression, ValueTest, disjunction

FEW: Final = 8
"""How many resolved paths are asked rather than the one path that they were made from."""


@dataclass(frozen=True, slots=True)
class Query:
    """What a chunk asks for a subscription, and what it finds: the elements at which these paths end."""

    asked: Expression
    found: Expression


Queries = Mapping[int, Query]


@dataclass(frozen=True, slots=True)
class Chunk:
    """The prefix P whose subtrees the chunk holds, the filter nodes F, and its queries by subscription."""

    prefix: Names
    filters: frozenset[FilterPath]
    queries: Queries

    @property
    def name(self) -> str:
        """The prefix as a path."""
        return "/" + "/".join(self.prefix)


@dataclass(frozen=True, slots=True)
class Scheme:
    """Chunks, and the queries that are asked of the whole document."""

    chunks: tuple[Chunk, ...]
    potpourri: Queries

    @property
    def query_sets(self) -> tuple[Queries, ...]:
        """The queries of every chunk, those of the potpourri last."""
        return (*(chunk.queries for chunk in self.chunks), self.potpourri)


def build_scheme(subscriptions: Mapping[int, tuple[Rewritten, ...]], cuts: Iterable[Names]) -> Scheme:
    """The scheme that cuts at `cuts`; chunks without a query are left out."""
    known = frozenset(cuts)
    queries: dict[Names, dict[int, Query]] = {}
    filters: dict[Names, set[FilterPath]] = {}
    for id, paths in subscriptions.items():
        for prefix, assigned in assign(paths, known).items():
            queries.setdefault(prefix, {})[id] = _query(assigned, paths, len(prefix))
            if prefix:
                filters.setdefault(prefix, set()).update(*(filter_paths(one.path, prefix) for one in assigned))
    potpourri = queries.pop((), {})
    return Scheme(
        tuple(Chunk(prefix, frozenset(filters[prefix]), queries[prefix]) for prefix in sorted(queries)), potpourri
    )


def assign(paths: Iterable[Rewritten], cuts: frozenset[Names]) -> dict[Names, list[Rewritten]]:
    """The paths of a subscription by the prefix of their chunk; the potpourri has the empty prefix."""
    assigned: dict[Names, list[Rewritten]] = {}
    for path in paths:
        ends = (end for end in range(len(path.cut), 0, -1) if path.cut[:end] in cuts)
        assigned.setdefault(path.cut[: next(ends, 0)], []).append(path)
    return assigned


def _query(assigned: list[Rewritten], paths: tuple[Rewritten, ...], level: int) -> Query:
    found = _joined(assigned, paths, level)
    if len(assigned) <= FEW and not any(one.is_open for one in assigned):
        return Query(disjunction({one.path for one in assigned}), found)
    if any(_tests_string_value(one.path.steps) for one in assigned):
        return Query(found, found)
    return Query(disjunction({one.forms[0] for one in assigned}), found)


def _joined(assigned: list[Rewritten], paths: tuple[Rewritten, ...], level: int) -> Expression:
    """The paths assigned to a chunk, joined where a form that is resolved for fewer levels stands for several.

    It stands for every path that was made from it, so all of those must be assigned here.
    """
    here = {one.path for one in assigned}
    joined = set()
    for one in assigned:
        for depth in range(level, len(one.forms)):
            form = one.forms[depth]
            made_from = [other.path for other in paths if depth < len(other.forms) and other.forms[depth] == form]
            if here.issuperset(made_from):
                joined.add(form if len(made_from) > 1 else one.path)
                break
    return disjunction(joined)


def _tests_string_value(steps: Steps) -> bool:
    return any(
        predicate.subject == "." if isinstance(predicate, ValueTest) else _tests_string_value(predicate.steps)
        for step in steps
        for predicate in step.predicates
    )
