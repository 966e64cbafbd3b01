"""Find a topology: a shipped one by name, any GraphML file by path, a generated one by specification."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from broker_sim.errors import TopologyError
from broker_sim.network.generators import GENERATORS, generate_graph
from broker_sim.network.graph import Link, Topology, topology_of
from broker_sim.network.graphml import read_graphml
from broker_sim.shipped import shipped

__all__ = ["Link", "Topology", "load_topology", "shipped_topologies"]

_SUFFIXES = (".graphml", ".xml")


def load_topology(where: str | os.PathLike[str], *, largest_component: bool = False) -> Topology:
    """The topology that `where` names.

    A `Path`, a text with a path separator or one that ends in `.graphml` or `.xml` is a file; a text with a colon is a
    generator's specification; any other is the name of a shipped topology, or else of a file. A graph that is not
    connected is a `TopologyError` unless `largest_component` asks for its largest part.
    """
    if not isinstance(where, str) or _is_path(where):
        return _from_file(Path(where), largest_component)
    if ":" in where:
        return topology_of(generate_graph(where), where, largest_component=largest_component, source=where)
    if where in shipped_topologies():
        return _from_file(shipped("topologies") / f"{where}.graphml", largest_component)
    with suppress(OSError, ValueError):
        if Path(where).exists():
            return _from_file(Path(where), largest_component)
    raise TopologyError(
        f"no such topology: expected a GraphML file, one of {', '.join(shipped_topologies())}, "
        f"or a generator with its parameters, such as line:n=8 ({', '.join(GENERATORS)})",
        source=where,
    )


def shipped_topologies() -> tuple[str, ...]:
    """The names of the topologies that come with broker-sim."""
    return tuple(sorted(path.stem for path in shipped("topologies").glob("*.graphml")))


def _is_path(text: str) -> bool:
    return text.endswith(_SUFFIXES) or os.sep in text or (os.altsep is not None and os.altsep in text)


def _from_file(path: Path, largest_component: bool) -> Topology:
    return topology_of(read_graphml(path), path.stem, largest_component=largest_component, source=str(path))
