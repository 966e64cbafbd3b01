"""GraphML files, in and out.

A file is read twice: lxml parses it with entities, network and DTD loading off, counts its nodes and edges against the
bounds and checks that every edge joins declared nodes, so that errors carry a line; networkx then decodes the
attributes. Understood are `latency` and `bandwidth` of an edge, `label` (or `name`), `Latitude` and `Longitude` of a
node. Not read: hyperedges and graphs inside nodes, which have no meaning for an overlay.
"""

from __future__ import annotations

import math
import re
import warnings
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import networkx as nx
from lxml import etree

from broker_sim.atomic import atomic_writer
from broker_sim.errors import TopologyError
from broker_sim.network.graph import MAX_BROKERS, MAX_LINKS, Topology

MAX_BYTES: Final = 200_000_000
MAX_TAGS: Final = 10_000_000

_NAMESPACE: Final = "http://graphml.graphdrawing.org/xmlns"


def read_graphml(path: Path) -> nx.Graph[str]:
    """The simple graph that a file describes; raises `TopologyError` with the place."""
    source = str(path)
    content = _content(path)
    _check_tags(content, source)
    root = _parse(content, source)
    graph_element = _graph_element(root, source)
    _check(graph_element, source)
    return _simple(_decode(root, source), source)


def write_graphml(topology: Topology, path: Path) -> None:
    """Write a topology so that reading gives it back, labels and positions included."""
    graph: nx.Graph[str] = nx.Graph(topology.graph)
    graph.graph.clear()
    for broker, label in topology.labels.items():
        graph.nodes[broker]["label"] = label
    for broker, (x, y) in topology.positions.items():
        graph.nodes[broker].update(Longitude=x, Latitude=y)
    with atomic_writer(path) as file:
        nx.write_graphml_xml(graph, file, named_key_ids=True)


def _content(path: Path) -> bytes:
    source = str(path)
    try:
        if not path.is_file():
            found = "a folder" if path.is_dir() else "something else" if path.exists() else "nothing"
            raise TopologyError(f"expected a GraphML file, found {found}", source=source)
        if path.stat().st_size > MAX_BYTES:
            raise TopologyError(f"the file is larger than {MAX_BYTES:,} bytes", source=source)
        return path.read_bytes()
    except (OSError, ValueError) as error:
        raise TopologyError(f"cannot be read: {error}", source=source) from error


def _check_tags(content: bytes, source: str) -> None:
    """Refuse what is far too large before a tree is built of it, which takes ten times the memory."""
    for tag, bound in (("node", MAX_BROKERS), ("edge", MAX_LINKS)):
        count = len(re.findall(rb"<%s[\s/>]" % tag.encode(), content))
        _check_bound(count, tag, bound, source)
    _check_bound(content.count(b"<"), "tag", MAX_TAGS, source)


def _parse(content: bytes, source: str) -> etree._Element:
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, huge_tree=False, remove_pis=True
    )
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        line, column = error.position
        problem = error.msg.rpartition(", line ")[0] or error.msg
        raise TopologyError(f"no well-formed XML: {problem}", source=source, line=line, column=column) from error
    declared: Any = root.getroottree().docinfo.internalDTD
    if declared is not None and any(True for _ in declared.iterentities()):
        raise TopologyError("entities are not allowed in a topology", source=source)
    return root


def _graph_element(root: etree._Element, source: str) -> etree._Element:
    for element in root.iter("*"):
        if not element.tag.startswith("{"):
            element.tag = f"{{{_NAMESPACE}}}{element.tag}"
    if root.tag != _tag("graphml"):
        raise TopologyError(
            f"expected <graphml>, found <{etree.QName(root).localname}>", source=source, line=_line(root)
        )
    graphs = list(root.iter(_tag("graph")))
    if len(graphs) != 1 or graphs[0].getparent() is not root:
        raise TopologyError(f"expected one graph without graphs inside, found {len(graphs)}", source=source)
    graphs[0].set("edgedefault", "undirected")
    return graphs[0]


def _check(graph: etree._Element, source: str) -> None:
    _check_bounds(graph, source)
    known: set[str] = set()
    for node in graph.iterchildren(_tag("node")):
        name = node.get("id")
        if not name or name in known:
            problem = f"a second node with the id {name!r}" if name else "a node without an id"
            raise TopologyError(problem, source=source, line=_line(node))
        known.add(name)
    for edge in graph.iterchildren(_tag("edge")):
        for end in ("source", "target"):
            if edge.get(end) not in known:
                raise TopologyError(
                    f"an edge whose {end} is {edge.get(end)!r}: expected the id of a node",
                    source=source,
                    line=_line(edge),
                )
        edge.attrib.pop("directed", "")
        edge.attrib.pop("id", "")


def _check_bounds(graph: etree._Element, source: str) -> None:
    for tag, bound in (("node", MAX_BROKERS), ("edge", MAX_LINKS)):
        _check_bound(sum(1 for _ in graph.iterchildren(_tag(tag))), tag, bound, source)


def _check_bound(count: int, what: str, bound: int, source: str) -> None:
    if count > bound:
        raise TopologyError(f"{count:,} {what}s: at most {bound:,} are supported", source=source)


def _decode(root: etree._Element, source: str) -> nx.MultiGraph[str]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            graph: nx.MultiGraph[str] = nx.MultiGraph(
                nx.read_graphml(BytesIO(etree.tostring(root)), force_multigraph=True)
            )
            return graph
    except (nx.NetworkXException, ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise TopologyError(f"not readable as GraphML: {error}", source=source) from error


def _simple(decoded: nx.MultiGraph[str], source: str) -> nx.Graph[str]:
    graph: nx.Graph[str] = nx.Graph()
    for node, data in decoded.nodes(data=True):
        graph.add_node(node, **_node_attributes(data))
    defaults = decoded.graph.get("edge_default", {})
    for first, second, data in decoded.edges(data=True):
        if first == second:
            continue
        place = f"{source}, link {first} - {second}"
        latency = _measure({**defaults, **data}, "latency", place)
        bandwidth = _measure({**defaults, **data}, "bandwidth", place)
        if bandwidth == 0:
            raise TopologyError("bandwidth must be more than 0", source=place)
        known = graph.get_edge_data(first, second, {})
        graph.add_edge(first, second)
        _set(graph.edges[first, second], "latency", min, latency, known.get("latency"))
        _set(graph.edges[first, second], "bandwidth", max, bandwidth, known.get("bandwidth"))
    return graph


def _set(attributes: dict[str, Any], key: str, better: Any, *values: float | None) -> None:
    given = [value for value in values if value is not None]
    if given:
        attributes[key] = better(given)


def _node_attributes(data: dict[str, Any]) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    label = data.get("label", data.get("name"))
    if label not in (None, ""):
        kept["label"] = str(label)
    position = (_finite(data.get("Longitude")), _finite(data.get("Latitude")))
    if None not in position:
        kept["position"] = position
    return kept


def _measure(data: dict[str, Any], key: str, place: str) -> float | None:
    if data.get(key) in (None, ""):
        return None
    value = _finite(data[key])
    if value is None or value < 0:
        raise TopologyError(f"{key} must be a number of at least 0, not {data[key]!r}", source=place)
    return value


def _finite(value: object) -> float | None:
    try:
        number = float(value) if isinstance(value, int | float | str) else math.nan
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _line(element: etree._Element) -> int | None:
    return element.sourceline if isinstance(element.sourceline, int) else None


def _tag(name: str) -> str:
    return f"{{{_NAMESPACE}}}{name}"
