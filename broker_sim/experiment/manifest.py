"""What results were made from: the full specification, the topology, the clients, and the environment of the run.

It stands beside the rows as `run.json`, so that results explain themselves wherever they are taken.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping
from dataclasses import asdict, fields, is_dataclass
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path
from typing import Any, Final

from broker_sim import __version__
from broker_sim.atomic import atomic_writer
from broker_sim.experiment.loading import AnyExperiment
from broker_sim.experiment.scenario import Publisher, Scenario, Stay
from broker_sim.network.graph import Topology
from broker_sim.network.layout import layout

MANIFEST: Final = "run.json"

Manifest = dict[str, Any]


def environment() -> dict[str, str | int | None]:
    """Where and when this is run."""
    return {
        "broker_sim": __version__,
        "python": platform.python_version(),
        "system": platform.platform(),
        "machine": platform.machine(),
        "processors": os.cpu_count(),
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def manifest(experiment: AnyExperiment, scenario: Scenario | None = None) -> Manifest:
    """The manifest of an experiment; with the overlay and its clients if it has one."""
    found: Manifest = {"specification": _plain(experiment), "environment": environment()}
    if scenario is not None:
        found["topology"] = _topology(scenario.topology)
        found["publishers"] = [
            {
                "name": one.name,
                "broker": one.broker,
                "dtd": one.schema.name,
                "advertisements": len(one.advertisements),
                "stays": [_stay(one)],
            }
            for one in scenario.publishers
        ]
        found["subscribers"] = [
            {
                "name": one.name,
                "broker": one.broker,
                "subscriptions": len(one.subscriptions),
                "stays": [_stay(stay) for stay in one.stays],
            }
            for one in scenario.subscribers
        ]
        found["documents"] = len(scenario.documents)
    return found


def _stay(stay: Stay | Publisher) -> Manifest:
    """Where a client is, and from when to when where that is not the whole run; times count from the first document."""
    times = {"since": stay.since, "until": stay.until}
    return {"broker": stay.broker, **{key: time for key, time in times.items() if isfinite(time)}}


def _plain(value: Any) -> Any:
    """Dataclasses and mappings as objects, sequences as lists."""
    if is_dataclass(value):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple | set | frozenset) else value


def _topology(topology: Topology) -> Manifest:
    positions = layout(topology)
    return {
        "name": topology.name,
        "brokers": list(topology.brokers),
        "labels": dict(topology.labels),
        "positions": [list(positions[broker]) for broker in topology.brokers],
        "links": [asdict(link) for link in topology.links],
    }


def write_json(value: object, file: Path) -> None:
    """Write JSON in one atomic step."""
    with atomic_writer(file) as out:
        out.write(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())
