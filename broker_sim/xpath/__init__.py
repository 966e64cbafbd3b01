"""The subscription language: parse, value types, canonical text."""

from broker_sim.xpath.expression import (
    CHILD,
    DESCENDANT,
    FOLLOWING_SIBLING,
    WILDCARD,
    Axis,
    Branch,
    Disjunction,
    Expression,
    Operator,
    Path,
    Predicate,
    Step,
    ValueTest,
    disjunction,
)
from broker_sim.xpath.limits import Limits
from broker_sim.xpath.parser import parse_xpath

__all__ = [
    "CHILD",
    "DESCENDANT",
    "FOLLOWING_SIBLING",
    "WILDCARD",
    "Axis",
    "Branch",
    "Disjunction",
    "Expression",
    "Limits",
    "Operator",
    "Path",
    "Predicate",
    "Step",
    "ValueTest",
    "disjunction",
    "parse_xpath",
]
