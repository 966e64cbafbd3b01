"""What the page replays: the trace and the table excerpts of one strategy, in a compact form.

Names are numbered, times are whole microseconds, hops stand in the order of their departure in columns. Each strategy
is packed by itself, and unpacked by the page when it is looked at.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from typing import Any

from broker_sim.report.reading import Recorded
from broker_sim.routing import KINDS

Row = Mapping[str, Any]

HOP_KINDS = (*KINDS, "notify")


def replay_data(recorded: Recorded, summary: Row) -> dict[str, Any]:
    """The replay of the strategy of `summary`."""
    rows = sorted(recorded.trace, key=lambda row: (row["departed"], row["arrived"]))
    names = _Numbers()
    journeys: dict[int, Row] = {}
    for row in rows:
        journeys.setdefault(row["journey"], row)
    place = {journey: number for number, journey in enumerate(journeys)}
    return {
        "sample": _sample(rows, summary),
        "journeys": [_journey(row) for row in journeys.values()],
        "hops": {
            "journey": [place[row["journey"]] for row in rows],
            "kind": [HOP_KINDS.index(row["kind"]) for row in rows],
            "sender": [names.of(row["sender"]) for row in rows],
            "receiver": [names.of(row["receiver"]) for row in rows],
            "departed": [_micro(row["departed"]) for row in rows],
            "travel": [_micro(row["arrived"]) - _micro(row["departed"]) for row in rows],
            "span": [_micro(row["until"]) - _micro(row["departed"]) for row in rows],
            "messages": [row["messages"] for row in rows],
        },
        "names": names.all,
        "kinds": HOP_KINDS,
        "tables": recorded.tables,
    }


def _journey(row: Row) -> dict[str, Any]:
    return {"origin": row["origin"], "content": row["content"], "document": row["document"]}


def _sample(rows: Sequence[Row], summary: Row) -> list[dict[str, Any]]:
    """For each kind, how many messages are in the trace, of how many there were."""
    shown = dict.fromkeys(HOP_KINDS, 0)
    for row in rows:
        shown[row["kind"]] += row["messages"]
    total: dict[str, int] = {kind: summary[f"{kind}_messages"] for kind in KINDS}
    total["notify"] = summary["deliveries"]
    return [{"kind": kind, "shown": shown[kind], "total": total[kind]} for kind in HOP_KINDS if total[kind]]


def _micro(seconds: float) -> int:
    return round(seconds * 1_000_000)


class _Numbers:
    """Names, numbered as they come."""

    def __init__(self) -> None:
        self.all: list[str] = []
        self._known: dict[str, int] = {}

    def of(self, name: str) -> int:
        if name not in self._known:
            self._known[name] = len(self.all)
            self.all.append(name)
        return self._known[name]


def packed(value: object) -> str:
    """JSON, compressed, as text that is safe inside an element; the same value gives the same text."""
    data = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    return base64.b64encode(gzip.compress(data, mtime=0)).decode()
