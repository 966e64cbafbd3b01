"""An overlay that survives faults: reliable links, failure detection, trees that are built anew, documents kept."""

from broker_sim.network.reliable.settings import Reliability

__all__ = ["Reliability"]
