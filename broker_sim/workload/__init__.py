"""Seeded generators: XPath subscriptions, XML documents, client placement."""

from broker_sim.workload.xpaths import XPathParameters, generate_xpaths

__all__ = ["XPathParameters", "generate_xpaths"]
