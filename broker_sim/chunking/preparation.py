"""The prepare phase: subscriptions come and go, and the filtering scheme follows.

Section 3 of the chunking paper: preparing does not count to the time of a document. A new subscription is rewritten and
counted in the query tree at once; the scheme is worked out again when the next document asks for it. Queries that no
valid document can match are eliminated, and reported as `dead`.
"""

from __future__ import annotations

from collections.abc import Iterable

from broker_sim.chunking.element_graph import ElementGraph
from broker_sim.chunking.query_tree import QueryTree
from broker_sim.chunking.scheme import Scheme, build_scheme
from broker_sim.chunking.transformation import MAX_PATHS, Names, Rewritten, Transformation
from broker_sim.xpath import Expression
from dtd_ads.schema import Schema


class Preparation:
    """Subscriptions by id, rewritten by the schema if there is one."""

    def __init__(self, schema: Schema | None, max_paths: int = MAX_PATHS) -> None:
        self.schema = schema
        self.tree = QueryTree()
        self.rewritten: dict[int, tuple[Rewritten, ...]] = {}
        self._transformation = Transformation(ElementGraph(schema) if schema else None, max_paths)

    def add(self, id: int, expression: Expression) -> None:
        """Take up a subscription."""
        self.rewritten[id] = self._transformation.rewrite(expression)
        for cut in self._cuts(id):
            self.tree.add(cut)

    def remove(self, id: int) -> None:
        """Forget a subscription."""
        for cut in self._cuts(id):
            self.tree.remove(cut)
        del self.rewritten[id]

    @property
    def dead(self) -> tuple[int, ...]:
        """The subscriptions that no valid document can match."""
        return tuple(id for id, paths in self.rewritten.items() if not paths)

    def scheme(self, cuts: Iterable[Names]) -> Scheme:
        """The filtering scheme that cuts at `cuts`: those of `tree.cuts`, or of `cost.best_cuts`."""
        return build_scheme(self.rewritten, cuts)

    def _cuts(self, id: int) -> set[Names]:
        return {path.cut for path in self.rewritten[id]}
