"""Hyperscan as a peer: linear queries as regular expressions over the paths of documents, one database for all.

A publication `/a/b` is the text `/a/b`. A query matches where its steps embed from the root on and the rest is free, so
`/a//b` is `^/a(?:/[^/]+)*/b(?:/|$)`. Hyperscan reports each query at most once a path.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import hyperscan

from broker_sim.xpath import DESCENDANT, WILDCARD, Path, Step


class HyperscanPeer:
    """Queries by number, compiled when made."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._database = hyperscan.Database()
        self._database.compile(
            expressions=[regular_expression(path).encode() for path in paths],
            ids=list(range(len(paths))),
            elements=len(paths),
            flags=[hyperscan.HS_FLAG_SINGLEMATCH] * len(paths),
        )

    def match_path(self, text: bytes) -> list[int]:
        """The queries that a path matches."""
        found: list[int] = []
        self._database.scan(text, match_event_handler=lambda id, *_: found.append(id))
        return found


def regular_expression(path: Path) -> str:
    """What a linear query asks of a path, as text."""
    return f"^{''.join(map(_step, path.steps))}(?:/|$)"


def _step(step: Step) -> str:
    name = "[^/]+" if step.name == WILDCARD else re.escape(step.name)
    return f"(?:/[^/]+)*/{name}" if step.axis == DESCENDANT else f"/{name}"
