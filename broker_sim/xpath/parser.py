"""Parse a subscription."""

from __future__ import annotations

from broker_sim.errors import XPathError
from broker_sim.xpath.expression import Expression
from broker_sim.xpath.linear import parse_linear


def parse_xpath(text: str) -> Expression:
    """The expression that `text` writes; raises `XPathError` where it is outside the language."""
    path = parse_linear(text)
    if path is None:
        raise XPathError("outside the language", text=text, column=1)
    return path
