"""Seeded generators: XPath subscriptions, FLWR queries, XML documents, client placement."""

from broker_sim.workload.documents import DocumentGenerator, DocumentParameters, generate_documents
from broker_sim.workload.flwr import FlwrParameters, generate_flwr
from broker_sim.workload.placement import Placement, place
from broker_sim.workload.xpaths import XPathParameters, generate_xpaths

__all__ = [
    "DocumentGenerator",
    "DocumentParameters",
    "FlwrParameters",
    "Placement",
    "XPathParameters",
    "generate_documents",
    "generate_flwr",
    "generate_xpaths",
    "place",
]
