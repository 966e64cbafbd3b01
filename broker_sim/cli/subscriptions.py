"""Filling an engine from a subscription file."""

from __future__ import annotations

from pathlib import Path

from broker_sim.engines import Engine
from broker_sim.errors import XPathError
from broker_sim.xpath import parse_xpath
from broker_sim.xpath.subscription_file import placed, subscription_lines


def subscribe(engine: Engine, path: Path) -> list[XPathError]:
    """Add every subscription of a file under its line number; returns what was wrong with the lines left out."""
    errors = []
    for number, line in subscription_lines(path):
        try:
            engine.add(number, parse_xpath(line.lstrip()))
        except XPathError as error:
            errors.append(placed(error, path, number, line))
    return errors
