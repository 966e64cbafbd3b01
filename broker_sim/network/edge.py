"""The edge of the overlay: what a client is handed when a document is for it.

A client that subscribed with FLWR queries gets a message of its own making for each query that has a result; one whose
plain subscriptions match gets the document. The messages come from `broker_sim.delivery` (PathSharing-FWR, optimised by
the queries alone, shared), one plan for all queries at an edge; a document is worked on when it first arrives there.
Of each message only its size and a fingerprint are kept, so an edge costs its plan and some words for each result.

Sizes follow the model of `broker_sim.routing.values`. Handing over takes no simulated time, as for whole documents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from lxml import etree

from broker_sim.delivery import Delivery, Query
from broker_sim.routing.values import HEADER_BYTES

Fingerprints = tuple[tuple[int, bytes], ...]
"""For each query that has a result, its place among the client's queries, and the fingerprint of the message."""

_parser: Final = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)


@dataclass(frozen=True, slots=True)
class Handover:
    """What one client is handed for one document; `bytes` counts the document itself where `whole`."""

    bytes: int
    whole: bool = True
    messages: Fingerprints = ()


NOTICE: Final = Handover(0)
"""No more than the word that there is a document."""


class Edge:
    """The queries of some clients, and what documents become for them."""

    def __init__(self, queries: Mapping[str, Sequence[Query]]) -> None:
        self._delivery: Final = Delivery()
        self._wanted: dict[str, list[int]] = {}
        numbers: dict[Query, int] = {}
        for client, asked in queries.items():
            self._wanted[client] = [numbers.setdefault(query, len(numbers)) for query in asked]
        for query, number in numbers.items():
            self._delivery.add(number, query)
        self._made: dict[int, dict[int, tuple[int, bytes]]] = {}

    def hand_over(self, client: str, doc_id: int, document: bytes, *, whole: bool) -> Handover:
        """What `client` gets for a document, which is the same whenever `doc_id` is."""
        if doc_id not in self._made:
            messages = self._delivery.deliver(document)
            self._made[doc_id] = {
                number: (HEADER_BYTES + len(text.encode()), fingerprint(text)) for number, text in messages.items()
            }
        made = self._made[doc_id]
        found = [(place, *made[number]) for place, number in enumerate(self._wanted[client]) if number in made]
        size = sum(each for _, each, _ in found) + (HEADER_BYTES + len(document) if whole else 0)
        return Handover(size, whole, tuple((place, print_) for place, _, print_ in found))


def fingerprint(message: str) -> bytes:
    """The same for messages of the same canonical form, and for no others."""
    canonical = etree.tostring(etree.fromstring(message.encode(), _parser), method="c14n")
    return blake2b(canonical, digest_size=16).digest()
