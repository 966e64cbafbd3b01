"""Bounds of workload parameters; a value outside them is a `ConfigurationError` that names the parameter."""

from __future__ import annotations

from broker_sim.errors import ConfigurationError


def expect_whole(name: str, value: object, low: int, high: int) -> None:
    """`value` must be a whole number in [low, high]."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise ConfigurationError(f"expected a whole number from {low:,} to {high:,}, not {value!r}", source=name)


def expect_number(name: str, value: object, low: int, high: int) -> None:
    """`value` must be a number in [low, high]."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not low <= value <= high:
        raise ConfigurationError(f"expected a number from {low:,} to {high:,}, not {value!r}", source=name)
