"""Outcomes as tidy rows: one table for strategies, brokers, links, and table sizes over time.

Rows hold plain numbers and strings only and start with what they belong to. `SCHEMA_VERSION` changes whenever a
column changes its name or meaning. `wall_seconds` is the one column that differs between two runs of the same seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from broker_sim.experiment.running import Outcome
from broker_sim.network.faulty import FaultyOverlay
from broker_sim.network.reliable.overlay import ReliableOverlay
from broker_sim.network.trace import Hop, Journey
from broker_sim.network.wire import Station, Wire
from broker_sim.routing import KINDS
from broker_sim.routing.values import HEADER_BYTES

Row = dict[str, str | int | float | None]

SCHEMA_VERSION: Final = 2

PERCENTILES: Final = (50, 95, 99)


def summary_row(outcome: Outcome) -> Row:
    """The costs of one strategy.

    `reliability_messages` are acknowledgements, signs of life, repetitions and the care of trees in a reliable overlay;
    `recovery` is the time from a fault, or its end, to the tree that takes it into account. `lost` counts what clients
    asked for and did not get where no promise was made: without reliability, or cut off for good.

    `bytes_delivered` is what clients were handed: customised messages, or the document where they asked for it. Had
    each been handed the document instead, it would be `bytes_saved` more; several messages can outweigh one document.
    """
    overlay, verdict, least = outcome.overlay, outcome.verdict, outcome.least_publish_messages
    stations = list(overlay.stations.values())
    delivered = sum(delivery.handed.bytes for delivery in overlay.deliveries)
    whole = [HEADER_BYTES + len(document.content) for document in outcome.scenario.documents]
    overhead = sum(station.overhead for station in stations)
    received = {kind: sum(station.received[kind] for station in stations) for kind in KINDS}
    return {
        **_origin(outcome),
        "messages_received": sum(received.values()) + overhead,
        **{f"{kind}_messages": count for kind, count in received.items()},
        "reliability_messages": overhead,
        "bytes_sent": sum(wire.bytes for wire in overlay.wires.values()),
        "srt_total": sum(station.broker.srt_size for station in stations),
        "prt_total": sum(station.broker.prt_size for station in stations),
        "prt_max": max(station.broker.prt_size for station in stations),
        "least_publish_messages": least,
        "false_positives": None if least is None else received["publish"] - least,
        "deliveries": len(overlay.deliveries),
        "missed": None if verdict is None else len(verdict.missed),
        "unwanted": None if verdict is None else len(verdict.unwanted),
        "window": None if outcome.window is None else outcome.window.change,
        "uncertain": None if verdict is None else verdict.uncertain,
        "uncertain_delivered": None if verdict is None else verdict.uncertain_delivered,
        **_faults(outcome),
        "altered": None if verdict is None else len(verdict.altered),
        "bytes_delivered": delivered,
        "bytes_saved": sum(whole[delivery.doc_id] for delivery in overlay.deliveries) - delivered,
        **_delays([delivery.delay for delivery in overlay.deliveries]),
        "hops_mean": _mean([delivery.hops for delivery in overlay.deliveries]),
        "queue_peak": max(station.queue_peak for station in stations),
        "offered_load": overlay.offered_load,
        "stopped": outcome.stopped,
        "link_load_max": max((_load(wire.busy, overlay.now) for wire in overlay.wires.values()), default=0.0),
        "simulated_seconds": overlay.now,
        "wall_seconds": outcome.wall_seconds,
    }


def _faults(outcome: Outcome) -> Row:
    overlay, verdict = outcome.overlay, outcome.verdict
    recoveries = overlay.recoveries() if isinstance(overlay, ReliableOverlay) else []
    lost = None
    if verdict is not None and outcome.scenario.faults:
        lost = verdict.uncertain - verdict.uncertain_delivered
    return {
        "faults": len(overlay.strikes) if isinstance(overlay, FaultyOverlay) else 0,
        "lost": lost,
        "repeated": overlay.sessions.repeated,
        "trees_rebuilt": len(recoveries),
        "recovery_p50": _percentile(sorted(recoveries), 50),
        "recovery_max": max(recoveries, default=None),
        "kept": overlay.kept if isinstance(overlay, ReliableOverlay) else 0,
    }


def broker_rows(outcome: Outcome) -> list[Row]:
    """What each broker received, knows and was busy with."""
    return [_broker_row(outcome, station) for station in outcome.overlay.stations.values()]


def _broker_row(outcome: Outcome, station: Station) -> Row:
    return {
        **_origin(outcome),
        "broker": station.broker.name,
        "messages_received": sum(station.received.values()) + station.overhead,
        **{f"{kind}_messages": count for kind, count in station.received.items()},
        "reliability_messages": station.overhead,
        "srt_size": station.broker.srt_size,
        "prt_size": station.broker.prt_size,
        "queue_peak": station.queue_peak,
        "load": _load(station.busy, outcome.overlay.now),
    }


def link_rows(outcome: Outcome) -> list[Row]:
    """What went over each link, by direction."""
    return [_link_row(outcome, wire) for wire in outcome.overlay.wires.values()]


def _link_row(outcome: Outcome, wire: Wire) -> Row:
    return {
        **_origin(outcome),
        "sender": wire.sender,
        "receiver": wire.receiver.broker.name,
        "messages": wire.messages,
        "bytes": wire.bytes,
        "load": _load(wire.busy, outcome.overlay.now),
    }


def timeline_rows(outcome: Outcome) -> list[Row]:
    """Table sizes over simulated time."""
    return [
        {**_origin(outcome), "time": sample.time, "srt_total": sample.srt_total, "prt_total": sample.prt_total}
        for sample in outcome.overlay.timeline.samples
    ]


def delivery_rows(outcome: Outcome) -> list[Row]:
    """Each notification of a client."""
    return [
        {**_origin(outcome), "document": one.doc_id, "client": one.client, "delay": one.delay, "hops": one.hops}
        for one in outcome.overlay.deliveries
    ]


def trace_rows(outcome: Outcome) -> list[Row]:
    """Each hop that was recorded; none if nothing was."""
    recording = outcome.recording
    return [
        {**_origin(outcome), **_hop_row(number, journey, hop)}
        for number, journey in enumerate(recording.trace.journeys if recording else ())
        for hop in journey.hops
    ]


def _hop_row(number: int, journey: Journey, hop: Hop) -> Row:
    return {
        "journey": number,
        "kind": "notify" if hop.notification else journey.kind,
        "origin": journey.origin,
        "document": journey.doc_id if journey.kind == "publish" else None,
        "content": journey.content,
        "sender": hop.sender,
        "receiver": hop.receiver,
        "departed": hop.departed,
        "arrived": hop.arrived,
        "until": hop.until,
        "messages": hop.messages,
        "bytes": hop.bytes,
    }


def _origin(outcome: Outcome) -> Row:
    experiment = outcome.scenario.experiment
    return {
        "schema_version": SCHEMA_VERSION,
        "experiment": experiment.name,
        "strategy": outcome.strategy.name,
        "seed": experiment.seed,
        "topology": outcome.scenario.topology.name,
    }


def _delays(delays: Sequence[float]) -> Row:
    ordered = sorted(delays)
    chosen = {f"delay_p{percent}": _percentile(ordered, percent) for percent in PERCENTILES}
    return {**chosen, "delay_max": ordered[-1] if ordered else None}


def _percentile(ordered: Sequence[float], percent: int) -> float | None:
    """The smallest value that at least `percent` % of all do not exceed."""
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)] if ordered else None


def _mean(values: Sequence[int]) -> float | None:
    return sum(values) / len(values) if values else None


def _load(busy: float, duration: float) -> float:
    return busy / duration if duration else 0.0
