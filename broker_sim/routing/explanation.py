"""Why a broker does what it does: read from its tables, never recorded on the side.

`explain_subscription` says for each link why a subscription was or was not forwarded there. `explain_publication` says
to which hops a publication goes and which table entries cause it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pyroaring import BitMap

from broker_sim.relations import overlaps
from broker_sim.routing.broker import Broker
from broker_sim.routing.tree import Tree

Reason = Literal["forwarded", "covered", "merged", "not advertised", "nobody else asks"]


@dataclass(frozen=True, slots=True)
class LinkReason:
    """What became of a subscription on one link.

    `because` holds the advertisements that it overlaps, what covers it or the merger that stands for it, as text.
    """

    tree: int
    hop: str
    reason: Reason
    because: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HopCause:
    """A publication goes to a hop because these entries of the PRT match it."""

    hop: str
    entries: tuple[str, ...]


def sources(broker: Broker, key: int) -> tuple[str, ...]:
    """The hops that a subscription came from, clients first."""
    clients = [client for client, table in broker.clients.tables.items() if key in table]
    neighbours = [hop for tree in broker.trees.values() for hop, table in tree.prt.items() if key in table]
    return tuple(dict.fromkeys(clients + neighbours))


def explain_subscription(broker: Broker, key: int) -> Iterator[LinkReason]:
    """One reason for each link of each tree."""
    for number, tree in broker.trees.items():
        for hop, link in tree.links.items():
            if key in link.needed:
                yield _carried(broker, tree, number, hop, key)
            elif tree.asks_beside(key, hop):
                yield LinkReason(number, hop, "not advertised", ())
            else:
                yield LinkReason(number, hop, "nobody else asks", ())


def _carried(broker: Broker, tree: Tree, number: int, hop: str, key: int) -> LinkReason:
    values, link = broker.knowledge.values, tree.links[hop]
    if key in link.wire:
        path = values.path(key)
        advertised = [values.advertised(each) for _, each in sorted(tree.srt.get(hop, ()))]
        texts = tuple(dict.fromkeys(str(each) for each in advertised if overlaps(each, path)))
        return LinkReason(number, hop, "forwarded", texts)
    standing = link.standing_for(key)
    reason: Reason = "covered" if standing.issubset(tree.asked()) else "merged"
    return LinkReason(number, hop, reason, tuple(sorted(str(values.path(each)) for each in standing)))


def explain_publication(broker: Broker, publication: int, tree: int, from_hop: str) -> Iterator[HopCause]:
    """Where a publication goes from here, clients last, whether or not they have been notified already."""
    matches = broker.knowledge.matches(publication)
    tables = [
        (hop, table) for hop, table in broker.trees[tree].prt.items() if hop != from_hop and table.intersect(matches)
    ]
    tables += [(client, table) for client, table in broker.clients.tables.items() if table.intersect(matches)]
    for hop, table in tables:
        yield HopCause(hop, _texts(broker, table & matches))


def _texts(broker: Broker, keys: BitMap) -> tuple[str, ...]:
    return tuple(sorted(str(broker.knowledge.values.path(key)) for key in keys))
