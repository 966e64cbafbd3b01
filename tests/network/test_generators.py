"""Generated topologies have the size and form they were asked for, and wrong requests say what is allowed."""

import math
from itertools import combinations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker_sim.errors import TopologyError
from broker_sim.network import load_topology
from broker_sim.network.generators import GENERATORS


@pytest.mark.parametrize(
    ("spec", "brokers", "links"),
    [
        ("line:n=1", 1, 0),
        ("line:n=5", 5, 4),
        ("star:n=1", 1, 0),
        ("star:n=9", 9, 8),
        ("ring:n=3", 3, 3),
        ("grid:rows=2,columns=3", 6, 7),
        ("tree:branching=3,depth=5", 364, 363),
        ("tree:branching=1,depth=4", 5, 4),
        ("tree:branching=7,depth=0", 1, 0),
        ("random-tree:n=1", 1, 0),
        ("random-tree:n=2", 2, 1),
        ("random-tree:n=200,seed=1", 200, 199),
        ("barabasi-albert:n=100,m=2,seed=3", 100, 196),
        ("watts-strogatz:n=20,k=4,p=0", 20, 40),
    ],
)
def test_sizes(spec: str, brokers: int, links: int) -> None:
    topology = load_topology(spec)
    assert topology.name == spec
    assert topology.brokers == tuple(str(number) for number in range(1, brokers + 1))
    assert len(topology.links) == links
    assert nx.is_connected(topology.graph)


def test_forms() -> None:
    assert load_topology("star:n=5").neighbours("1") == ("2", "3", "4", "5")
    assert load_topology("tree:branching=2,depth=2").neighbours("2") == ("1", "4", "5")
    assert load_topology("grid:rows=2,columns=3").neighbours("2") == ("1", "3", "5")


@given(
    st.sampled_from(("random-tree:n=30", "barabasi-albert:n=30,m=2", "watts-strogatz:n=30,k=6,p=0.3")),
    st.integers(0, 99),
)
def test_a_seed_decides(spec: str, seed: int) -> None:
    first = load_topology(f"{spec},seed={seed}")
    assert first.links == load_topology(f"{spec},seed={seed}").links
    assert first.links != load_topology(f"{spec},seed={seed + 1}").links


def test_waxman_links_are_likelier_where_brokers_are_near() -> None:
    topology = load_topology("waxman:n=200,alpha=0.2,beta=0.9,seed=5")
    where = topology.positions
    near = sum(math.dist(where[link.first], where[link.second]) < 0.2 for link in topology.links)
    pairs = list(combinations(topology.brokers, 2))
    near_pairs = sum(math.dist(where[first], where[second]) < 0.2 for first, second in pairs)
    far, far_pairs = len(topology.links) - near, len(pairs) - near_pairs
    assert near / near_pairs > 3 * far / far_pairs
    assert topology.links == load_topology("waxman:n=200,alpha=0.2,beta=0.9,seed=5").links


def test_random_trees_reach_every_tree() -> None:
    found = {load_topology(f"random-tree:n=4,seed={seed}").links for seed in range(400)}
    assert len(found) == 4**2


def test_a_generated_graph_in_parts() -> None:
    with pytest.raises(TopologyError, match="not connected"):
        load_topology("waxman:n=30,alpha=0.1,beta=0.1")
    assert load_topology("waxman:n=30,alpha=0.1,beta=0.1", largest_component=True).brokers


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("mesh:n=4", "no generator 'mesh': expected one of line, star, ring"),
        ("line:", "n must be a whole number from 1 to 100,000"),
        ("line:m=3", "'m=3' is not understood: expected line:n="),
        ("line:n=3,n=4", "'n=4' is not understood"),
        ("line:n=0", "from 1 to 100,000, not '0'"),
        ("line:n=1e3", "not '1e3'"),
        ("line:n=100001", "not '100001'"),
        ("line:n", "'n' is not understood"),
        ("line:n=3,", "'' is not understood"),
        ("ring:n=2", "from 3 to"),
        ("tree:branching=2,depth=99999", "more than 100,000 brokers"),
        ("grid:rows=1000,columns=1000", "more than 100,000 brokers"),
        ("barabasi-albert:n=5,m=5", "m must be less than n, not m=5 with n=5"),
        ("barabasi-albert:n=100000,m=50", "more than 1,000,000 links"),
        ("watts-strogatz:n=10,k=3,p=0.1", "k must be even and less than n"),
        ("watts-strogatz:n=10,k=10,p=0.1", "k must be even and less than n"),
        ("watts-strogatz:n=10,k=4,p=2", "p must be a number from 0 to 1, not '2'"),
        ("watts-strogatz:n=10,k=4,p=nan", "not 'nan'"),
        ("waxman:n=6000,alpha=0.1,beta=0.1", "from 1 to 5,000"),
        ("waxman:n=60,alpha=0,beta=0.1", "alpha must be"),
    ],
)
def test_wrong_specifications(spec: str, message: str) -> None:
    with pytest.raises(TopologyError) as caught:
        load_topology(spec)
    assert message in caught.value.message
    assert caught.value.source == spec


def test_usage_names_every_parameter() -> None:
    assert GENERATORS["waxman"].usage == "n=..,alpha=..,beta=..[,seed=0]"
