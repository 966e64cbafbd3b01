"""Brokers on a topology: links, clocks, faults, metrics."""

from broker_sim.network.graph import Link, Topology
from broker_sim.network.topology import load_topology, shipped_topologies

__all__ = ["Link", "Topology", "load_topology", "shipped_topologies"]
