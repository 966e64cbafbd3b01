"""FLWR queries -> customised output."""

from broker_sim.delivery.delivery import Delivery, Optimisation
from broker_sim.delivery.groups import Groups
from broker_sim.delivery.parser import parse_queries, parse_query
from broker_sim.delivery.plans import Approach
from broker_sim.delivery.profile import Profile
from broker_sim.delivery.query import Condition, Query

__all__ = [
    "Approach",
    "Condition",
    "Delivery",
    "Groups",
    "Optimisation",
    "Profile",
    "Query",
    "parse_queries",
    "parse_query",
]
