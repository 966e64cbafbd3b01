"""Customised delivery: queries come and go, documents become one message for each query that has a result.

The system of "Query Processing for High-Volume XML Message Brokering" (VLDB 2003): a shared path matching engine, a
customisation module behind it, and the message factory. Choose how much the engine matches (`approach`), what plans may
rely on (`optimise`: nothing, the query, or query and DTD) and whether post-processing is shared.

Optimisation by a DTD is sound only for documents that keep to its element graph. A document that does not is refused
with a `DocumentError`, never answered wrongly. A document that paths match in too many ways is answered query by query.
"""

from __future__ import annotations

from collections import Counter
from typing import Final, Literal, Protocol, cast, get_args

from broker_sim.delivery.by_search import groups_by_search
from broker_sim.delivery.claims import Claims
from broker_sim.delivery.element_graph import ElementGraph
from broker_sim.delivery.factory import MessageFactory
from broker_sim.delivery.groups import Groups
from broker_sim.delivery.individual import IndividualPlans
from broker_sim.delivery.operators import Message
from broker_sim.delivery.path_streams import PathStreams, TooManyTuples
from broker_sim.delivery.plans import Approach, Planner
from broker_sim.delivery.prepared import Prepared, prepare
from broker_sim.delivery.profile import EXECUTOR, PATH_MATCHING, TREE_SEARCH, Profile
from broker_sim.delivery.query import Query
from broker_sim.delivery.shared import SharedPlans
from broker_sim.engines.documents import Document, parse
from broker_sim.engines.engine import require_known, require_new
from broker_sim.engines.outline import Outline
from broker_sim.errors import ConfigurationError, DocumentError
from dtd_ads.schema import Schema

Optimisation = Literal["none", "query", "dtd"]


class Plans(Protocol):
    """Post-processing for all queries."""

    def add(self, id: int, query: Prepared) -> None:
        """Take up a query."""

    def remove(self, id: int, query: Prepared) -> None:
        """Forget a query."""

    def run(self, message: Message) -> dict[int, Groups]:
        """The groups of every query that has any."""

    def operators(self) -> Counter[str]:
        """How many operators of which kind there are."""

    def __len__(self) -> int:
        """How many distinct plans there are."""


class Delivery:
    """Queries by id, and the messages that documents become."""

    def __init__(
        self,
        approach: Approach = "FWR",
        optimise: Optimisation | None = None,
        *,
        schema: Schema | None = None,
        sharing: bool | None = None,
        profile: Profile | None = None,
    ) -> None:
        optimise = optimise or ("dtd" if schema is not None else "query")
        sharing = approach == "FWR" if sharing is None else sharing
        _check(approach, optimise, schema, sharing)
        self._graph: Final = ElementGraph(schema) if schema is not None and optimise == "dtd" else None
        self._profile: Final = profile or Profile()
        self._engine: Final = PathStreams()
        claims = Claims(self._graph) if optimise != "none" else None
        self._plans: Final[Plans] = (
            SharedPlans(self._engine, claims, self._profile)
            if sharing
            else IndividualPlans(self._engine, Planner(self._engine, approach, claims, profile))
        )
        self._queries: dict[int, tuple[Query, Prepared]] = {}

    def add(self, id: int, query: Query) -> None:
        """Take up a query under an id; raises `ValueError` if the id is taken or no 32-bit number."""
        require_new(self._queries, id)
        prepared = prepare(query, self._graph)
        self._plans.add(id, prepared)
        self._queries[id] = (query, prepared)

    def remove(self, id: int) -> None:
        """Forget a query; raises `KeyError` if the id is unknown."""
        require_known(self._queries, id)
        _, prepared = self._queries.pop(id)
        self._plans.remove(id, prepared)

    def deliver(self, document: Document) -> dict[int, str]:
        """The message for each query that has a result, by id; raises `DocumentError`."""
        outline = Outline(parse(document))
        factory = MessageFactory(outline)
        found = self.groups(outline)
        return {id: factory.message(self._queries[id][0], found[id]) for id in sorted(found)}

    def groups(self, outline: Outline) -> dict[int, Groups]:
        """The groups of each query that has any, before the message factory."""
        if self._graph is not None:
            _check_document(outline, self._graph)
        try:
            with self._profile.time(PATH_MATCHING):
                streams = self._engine.streams(outline)
        except TooManyTuples:
            return self._by_search(outline)
        with self._profile.time(EXECUTOR):
            return self._plans.run(Message(outline, streams))

    def _by_search(self, outline: Outline) -> dict[int, Groups]:
        message = Message(outline, {})
        with self._profile.time(TREE_SEARCH):
            found = {id: groups_by_search(query, message) for id, (query, _) in self._queries.items()}
        return {id: groups for id, groups in found.items() if groups is not None}

    def __len__(self) -> int:
        return len(self._queries)

    def __contains__(self, id: object) -> bool:
        return id in self._queries

    @property
    def plans(self) -> int:
        """How many distinct plans there are."""
        return len(self._plans)

    @property
    def paths(self) -> int:
        """How many distinct paths the engine matches."""
        return len(self._engine)

    def operators(self) -> Counter[str]:
        """How many operators of which kind there are, and how many the optimisation removed."""
        return self._plans.operators()


def _check(approach: str, optimise: str, schema: Schema | None, sharing: bool) -> None:
    if approach not in get_args(Approach):
        raise ConfigurationError(
            f"expected one of {', '.join(get_args(Approach))}, not {approach!r}", source="approach"
        )
    if optimise not in get_args(Optimisation):
        expected = ", ".join(get_args(Optimisation))
        raise ConfigurationError(f"expected one of {expected}, not {optimise!r}", source="optimise")
    if optimise == "dtd" and schema is None:
        raise ConfigurationError("optimisation by DTD needs a DTD", source="optimise")
    if sharing and approach != "FWR":
        raise ConfigurationError(f"shared post-processing needs approach FWR, not {approach}", source="sharing")


def _check_document(outline: Outline, graph: ElementGraph) -> None:
    names = outline.names
    for element, parent in enumerate(outline.parents):
        above = names[parent] if parent >= 0 else None
        if not graph.allows(names[element], above):
            place = f"inside {above}" if above is not None else "as the root"
            line = cast("int | None", outline.elements[element].sourceline)
            raise DocumentError(f"the DTD {graph.name} does not allow {names[element]} {place}", line=line)
