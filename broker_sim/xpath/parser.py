"""Parse a subscription.

Linear expressions, nearly all of a large workload, take the fast way (`linear`). The rest is split into tokens
(`tokens`), read by recursive descent (`grammar`) and turned into a disjunction of canonical paths (`elaborate`).
"""

from __future__ import annotations

from typing import Final

from broker_sim.xpath.elaborate import elaborate
from broker_sim.xpath.expression import Expression
from broker_sim.xpath.grammar import parse_expression
from broker_sim.xpath.limits import Limits
from broker_sim.xpath.linear import parse_linear
from broker_sim.xpath.tokens import syntax_error

_DEFAULT: Final = Limits()


def parse_xpath(text: str, limits: Limits = _DEFAULT) -> Expression:
    """The expression that `text` writes; raises `XPathError` where it is outside the language or the limits."""
    if len(text) > limits.max_length:
        raise syntax_error(text, limits.max_length, f"expected at most {limits.max_length} characters")
    path = parse_linear(text)
    if path is None:
        return elaborate(text, parse_expression(text, limits), limits)
    if len(path.steps) > limits.max_steps:
        raise syntax_error(text, 0, f"expected at most {limits.max_steps} steps, found {len(path.steps)}")
    return path
