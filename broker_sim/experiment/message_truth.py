"""The referee for customised messages: each query on each document by lxml's own XPath, and nothing of `delivery`.

Of our own code only the text of the query's paths takes part. The binding path selects elements from the document, each
condition and return path from each of these; the answer is written down and compared in canonical form.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import cast

from lxml import etree

from broker_sim.delivery import Query
from broker_sim.engines.documents import parse
from broker_sim.engines.lxml_engine import selecting
from broker_sim.experiment.scenario import Scenario
from broker_sim.network.edge import Fingerprints, fingerprint
from broker_sim.xpath import Path, Step

Messages = dict[str, Fingerprints]
"""What each client with queries must be handed for one document, if anything."""


def true_messages(scenario: Scenario) -> tuple[Messages, ...]:
    """For each document, the customised messages of each client that gets any."""
    asking = [client for client in scenario.subscribers if client.queries]
    referees = {query: NaiveQuery(query) for client in asking for query in client.queries}
    found: list[Messages] = []
    for document in scenario.documents if asking else ():
        root = parse(document.content, source=document.name)
        made = {query: referee.message(root) for query, referee in referees.items()}
        prints = {query: fingerprint(text) for query, text in made.items() if text is not None}
        handed = {client.name: _of(client.queries, prints) for client in asking}
        found.append({name: messages for name, messages in handed.items() if messages})
    return tuple(found) or tuple({} for _ in scenario.documents)


def _of(queries: Sequence[Query], prints: dict[Query, bytes]) -> Fingerprints:
    return tuple((place, prints[query]) for place, query in enumerate(queries) if query in prints)


class NaiveQuery:
    """One query, evaluated on its own."""

    def __init__(self, query: Query) -> None:
        self._query = query
        (self._binding,) = selecting(query.binding_path)
        self._conditions = [_below(condition.branch.steps) for condition in query.conditions]
        self._returns = [_below(steps) if steps else None for steps in query.returns]

    def message(self, root: etree._Element) -> str | None:
        """The result; None where nothing is bound."""
        bound = [each for each in _found(self._binding, root) if all(map(_found, self._conditions, repeat(each)))]
        if not bound:
            return None
        return f"{self._query.opening}{''.join(map(self._group, bound))}{self._query.closing}"

    def _group(self, bound: etree._Element) -> str:
        first, *rest = self._query.template.parts
        lists = ([bound] if path is None else _found(path, bound) for path in self._returns)
        return first + "".join(_written(found) + after for found, after in zip(lists, rest, strict=True))


def _found(path: etree.XPath, start: etree._Element) -> list[etree._Element]:
    return cast("list[etree._Element]", path(start))


def _written(elements: Iterable[etree._Element]) -> str:
    return "".join(etree.tostring(each, encoding="unicode", with_tail=False) for each in elements)


def _below(steps: tuple[Step, ...]) -> etree.XPath:
    """The XPath of steps from an element on."""
    (absolute,) = selecting(Path(steps))
    return etree.XPath(f".{absolute.path}", smart_strings=False)
