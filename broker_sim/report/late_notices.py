"""Documents that waited for a client: handed over when it came back, not when they arrived.

A trace follows messages as they arrive at brokers, so it does not hold these. They are among the deliveries, with the
time that they took; where the client was then is known from its stays. Times of stays count from the first document on:
the first that was recorded stands for it, which is near enough to tell one stay of a client from the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Row = dict[str, Any]


def late_notices(trace: Sequence[Row], deliveries: Sequence[Row], manifest: Mapping[str, Any]) -> Iterator[Row]:
    """A hop for each delivery of a recorded document that the trace does not have."""
    published = _published(trace)
    if not published:
        return
    shown = {(row["document"], row["receiver"]) for row in trace if row["kind"] == "notify"}
    stays = {one["name"]: one.get("stays", ()) for one in manifest.get("subscribers", ())}
    begun = min(row["departed"] for row in published.values())
    for delivery in deliveries:
        first = published.get(delivery["document"])
        if first is None or (delivery["document"], delivery["client"]) in shown:
            continue
        moment = first["departed"] + delivery["delay"]
        returns = [stay for stay in stays.get(delivery["client"], ()) if "since" in stay]
        if returns:
            home = min(returns, key=lambda stay: abs(begun + stay["since"] - moment))["broker"]
            times = dict.fromkeys(("departed", "arrived", "until"), moment)
            yield {**first, "kind": "notify", "sender": home, "receiver": delivery["client"], "messages": 1, **times}


def _published(trace: Sequence[Row]) -> dict[int, Row]:
    """The first hop of each document, from its publisher to a broker."""
    found: dict[int, Row] = {}
    for row in trace:
        if row["kind"] == "publish" and row["sender"] == row["origin"]:
            known = found.setdefault(row["document"], row)
            if row["departed"] < known["departed"]:
                found[row["document"]] = row
    return found
