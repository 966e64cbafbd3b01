"""Measures and drawings of a topology."""

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker_sim.network import load_topology
from broker_sim.network.layout import layout
from broker_sim.network.shape import shape
from broker_sim.network.sketch import sketch

specs = st.one_of(
    st.builds("random-tree:n={},seed={}".format, st.integers(1, 40), st.integers(0, 999)),
    st.builds("barabasi-albert:n={},m=2,seed={}".format, st.integers(4, 40), st.integers(0, 999)),
)


@given(specs)
def test_centre_and_diameter_agree_with_networkx(spec: str) -> None:
    topology = load_topology(spec)
    measured = shape(topology)
    assert measured.diameter == nx.diameter(topology.graph)
    assert measured.centre == min(nx.center(topology.graph), key=topology.brokers.index)
    assert measured.is_tree == nx.is_tree(topology.graph)


def test_large_graphs_leave_the_diameter_open() -> None:
    measured = shape(load_topology("barabasi-albert:n=5001,m=2"))
    assert measured.diameter is None
    assert shape(load_topology("star:n=20000")).diameter == 2


@given(specs)
def test_layouts_are_stable_and_apart(spec: str) -> None:
    topology = load_topology(spec)
    found = layout(topology)
    assert tuple(sorted(found, key=topology.brokers.index)) == topology.brokers
    assert found == layout(load_topology(spec))
    rounded = {(round(x, 9), round(y, 9)) for x, y in found.values()}
    assert len(rounded) == len(topology.brokers)


def test_a_large_cyclic_graph_is_laid_out_in_rings() -> None:
    topology = load_topology("barabasi-albert:n=500,m=2")
    assert len(set(layout(topology).values())) == 500


def test_a_sketch_has_every_broker_once() -> None:
    assert sketch(load_topology("grid:rows=2,columns=2")).split() == [
        "1" + "." * 61 + "2",
        *["."] * 40,
        "3" + "." * 61 + "4",
    ]
    drawn = sketch(load_topology("ring:n=8"))
    assert sorted(character for character in drawn if character not in ". \n") == list("12345678")


@pytest.mark.parametrize("spec", ["line:n=1", "barabasi-albert:n=41,m=2", "grid:rows=39,columns=1"])
def test_what_cannot_be_read_is_not_sketched(spec: str) -> None:
    assert sketch(load_topology(spec)) is None
