"""Topologies: shipped, read from GraphML of every kind, and what is refused."""

from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker_sim.errors import TopologyError
from broker_sim.network import Link, Topology, load_topology, shipped_topologies
from broker_sim.network import graphml as graphml_module
from broker_sim.network.graph import natural_key, topology_of
from broker_sim.network.graphml import write_graphml

HEADER = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'


def pairs(topology: Topology) -> list[tuple[str, str]]:
    return [(link.first, link.second) for link in topology.links]


@pytest.fixture
def load(tmp_path: Path):
    def load_text(text: str, **options: bool) -> Topology:
        path = tmp_path / "given.graphml"
        path.write_text(text, encoding="utf-8")
        return load_topology(path, **options)

    return load_text


def graph_text(body: str, keys: str = "", edgedefault: str = "undirected") -> str:
    return f'{HEADER}{keys}<graph edgedefault="{edgedefault}">{body}</graph></graphml>'


def nodes(*names: str) -> str:
    return "".join(f'<node id="{name}"/>' for name in names)


def edge(first: str, second: str, inner: str = "", attributes: str = "") -> str:
    return f'<edge source="{first}" target="{second}" {attributes}>{inner}</edge>'


def test_the_tree_of_the_router_paper() -> None:
    topology = load_topology("paper-8")
    assert topology.brokers == tuple("12345678")
    assert pairs(topology) == [("1", "2"), ("1", "3"), ("2", "4"), ("2", "5"), ("3", "6"), ("3", "7"), ("7", "8")]
    assert topology.is_tree
    assert topology.leaves == ("4", "5", "6", "8")
    assert topology.neighbours("3") == ("1", "6", "7")


@pytest.mark.parametrize(
    ("name", "spec"),
    [
        ("line-8", "line:n=8"),
        ("star-8", "star:n=8"),
        ("ring-8", "ring:n=8"),
        ("binary-7", "tree:branching=2,depth=2"),
        ("binary-63", "tree:branching=2,depth=5"),
        ("binary-127", "tree:branching=2,depth=6"),
        ("binary-1023", "tree:branching=2,depth=9"),
        ("grid-5x5", "grid:rows=5,columns=5"),
    ],
)
def test_shipped_topologies_are_what_their_names_say(name: str, spec: str) -> None:
    topology, generated = load_topology(name), load_topology(spec)
    assert topology.name == name
    assert (topology.brokers, topology.links) == (generated.brokers, generated.links)
    assert topology.positions == generated.positions


def test_every_shipped_topology_is_listed_once() -> None:
    assert len(shipped_topologies()) == 9
    for name in shipped_topologies():
        assert nx.is_connected(load_topology(name).graph)


def test_brokers_stand_in_natural_order(load) -> None:
    topology = load(graph_text(nodes("b10", "10", "b2", "2") + edge("10", "b2") + edge("b10", "2") + edge("2", "10")))
    assert topology.brokers == ("2", "10", "b2", "b10")
    assert pairs(topology) == [("2", "10"), ("2", "b10"), ("10", "b2")]


@given(st.lists(st.text(max_size=6), unique=True))
def test_natural_order_tells_all_names_apart(names: list[str]) -> None:
    assert len({natural_key(name) for name in names}) == len(names)
    sorted(names, key=natural_key)  # Any two keys can be compared.


def test_parallel_links_merge_into_the_best_and_loops_go(load) -> None:
    keys = (
        '<key id="l" for="edge" attr.name="latency" attr.type="double"/>'
        '<key id="b" for="edge" attr.name="bandwidth" attr.type="int"/>'
    )
    body = (
        nodes("a", "b")
        + edge("a", "b", '<data key="l">0.5</data>', 'id="e"')
        + edge("b", "a", '<data key="l">0.25</data><data key="b">10</data>', 'id="e"')
        + edge("a", "b", '<data key="b">30</data>')
        + edge("a", "a", '<data key="l">0.1</data>')
    )
    assert load(graph_text(body, keys)).links == (Link("a", "b", 0.25, 30.0),)


def test_defaults_of_keys_count(load) -> None:
    keys = '<key id="l" for="edge" attr.name="latency" attr.type="double"><default>2</default></key>'
    body = nodes("a", "b", "c") + edge("a", "b") + edge("b", "c", '<data key="l">1</data>')
    assert load(graph_text(body, keys)).links == (Link("a", "b", 2.0), Link("b", "c", 1.0))


def test_directed_and_mixed_graphs_are_read_as_undirected(load) -> None:
    body = nodes("a", "b", "c") + edge("b", "a") + edge("c", "b", attributes='directed="false"')
    expected = [("a", "b"), ("b", "c")]
    assert pairs(load(graph_text(body, edgedefault="directed"))) == expected
    assert pairs(load(graph_text(body, edgedefault="undirected"))) == expected


def test_labels_and_positions_are_kept_where_they_are(load) -> None:
    keys = "".join(
        f'<key id="{name}" for="node" attr.name="{name}" attr.type="{kind}"/>'
        for name, kind in (("label", "string"), ("Latitude", "double"), ("Longitude", "double"))
    )
    sydney = (
        '<node id="0"><data key="label">Sydney</data><data key="Latitude">-33.9</data>'
        '<data key="Longitude">151.2</data></node>'
    )
    nowhere = '<node id="1"><data key="label"></data><data key="Latitude">1</data></node>'
    topology = load(graph_text(sydney + nowhere + edge("0", "1"), keys))
    assert topology.labels == {"0": "Sydney"}
    assert topology.positions == {"0": (151.2, -33.9)}


def test_a_file_without_namespace_or_with_one_node(load) -> None:
    assert load("<graphml><graph><node id='x'/></graph></graphml>").brokers == ("x",)


def test_a_graph_in_parts(load) -> None:
    text = graph_text(nodes("a", "b", "c", "d", "e") + edge("d", "e") + edge("a", "c"))
    with pytest.raises(TopologyError, match=r"3 components of 2, 2, 1 brokers"):
        load(text)
    assert load(text, largest_component=True).brokers == ("a", "c")


BOMB = (
    '<!DOCTYPE graphml [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in zip("abcdefgh", "bcdefghi", strict=True))
    + "]>"
)


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("", "no well-formed XML", None),
        ("<graphml>\n<graph>", "no well-formed XML", 2),
        ("just text", "no well-formed XML", 1),
        ("<html/>", "expected <graphml>, found <html>", 1),
        (f"{HEADER}</graphml>", "expected one graph without graphs inside, found 0", None),
        (f"{HEADER}<graph/><graph/></graphml>", "found 2", None),
        (graph_text(""), "no nodes", None),
        (graph_text("<node/>"), "a node without an id", 1),
        (graph_text(nodes("a") + "\n" + nodes("a")), "a second node with the id 'a'", 2),
        (graph_text(nodes("a") + "\n" + edge("a", "b")), "an edge whose target is 'b'", 2),
        (graph_text(nodes("a") + "<edge source='a'/>"), "an edge whose target is None", 1),
        (graph_text('<node id="a"><graph><node id="b"/></graph></node>'), "graphs inside", None),
        (graph_text(nodes("a") + "<hyperedge/>"), "hyperedges", None),
        (graph_text('<node id="a"><data key="none">1</data></node>'), "not readable as GraphML", None),
        (BOMB + graph_text('<node id="&i;"/>'), "no well-formed XML|entities are not allowed", None),
        (BOMB + graph_text('<node id="a">&i;</node>'), "no well-formed XML|entities are not allowed", None),
        (
            '<!DOCTYPE graphml [<!ENTITY x SYSTEM "file:///etc/hostname">]>' + graph_text('<node id="a">&x;</node>'),
            "entities are not allowed",
            None,
        ),
    ],
)
def test_hostile_and_broken_files(load, text: str, message: str, line: int | None) -> None:
    with pytest.raises(TopologyError, match=message) as caught:
        load(text)
    assert caught.value.source is not None
    assert caught.value.source.endswith("given.graphml")
    if line is not None:
        assert caught.value.line == line


@pytest.mark.parametrize(
    ("name", "kind", "value", "message"),
    [
        ("latency", "double", "-1", "latency must be a number of at least 0, not -1.0"),
        ("latency", "string", "fast", "latency must be a number of at least 0, not 'fast'"),
        ("latency", "double", "nan", "latency must be"),
        ("bandwidth", "int", "0", "bandwidth must be more than 0"),
        ("bandwidth", "double", "inf", "bandwidth must be"),
        ("bandwidth", "int", "many", "not readable as GraphML"),
    ],
)
def test_impossible_link_attributes(load, name: str, kind: str, value: str, message: str) -> None:
    keys = f'<key id="k" for="edge" attr.name="{name}" attr.type="{kind}"/>'
    with pytest.raises(TopologyError, match=message):
        load(graph_text(nodes("a", "b") + edge("a", "b", f'<data key="k">{value}</data>'), keys))


def test_bounds_are_checked_before_decoding(load, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graphml_module, "MAX_BROKERS", 3)
    monkeypatch.setattr(graphml_module, "MAX_LINKS", 2)
    with pytest.raises(TopologyError, match="4 nodes: at most 3"):
        load(graph_text(nodes("a", "b", "c", "d")))
    with pytest.raises(TopologyError, match="3 edges: at most 2"):
        load(graph_text(nodes("a", "b") + edge("a", "b") * 3))
    monkeypatch.setattr(graphml_module, "MAX_BYTES", 20)
    with pytest.raises(TopologyError, match="larger than 20 bytes"):
        load(graph_text(nodes("a")))


def test_no_such_file_a_folder_and_an_unknown_name(tmp_path: Path) -> None:
    with pytest.raises(TopologyError, match="found nothing"):
        load_topology(tmp_path / "missing.graphml")
    with pytest.raises(TopologyError, match="found a folder"):
        load_topology(tmp_path)
    with pytest.raises(TopologyError, match=r"no such topology: .*paper-8.*line:n=8"):
        load_topology("paper-9")
    with pytest.raises(TopologyError, match=r"found nothing|cannot be read"):
        load_topology("a\0b.graphml")


@given(st.integers(1, 30), st.integers(0, 1000), st.data())
def test_written_topologies_read_back(tmp_path_factory, size: int, seed: int, data: st.DataObject) -> None:
    graph = nx.Graph(load_topology(f"random-tree:n={size},seed={seed}").graph)
    for first, second in graph.edges:
        for key, least in (("latency", 0.0), ("bandwidth", 1.0)):
            if data.draw(st.booleans()):
                graph.edges[first, second][key] = data.draw(st.floats(least, 1e9))
    for node in graph:
        if data.draw(st.booleans()):
            graph.nodes[node]["label"] = "Zürich & <co>"
            graph.nodes[node]["position"] = (1.5, -2.5)
    topology = topology_of(graph, "written")
    path = tmp_path_factory.mktemp("written") / "written.graphml"
    write_graphml(topology, path)
    again = load_topology(path)
    assert again == topology
    assert (again.labels, again.positions) == (topology.labels, topology.positions)
