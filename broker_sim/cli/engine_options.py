"""Options of an engine as the command line writes them: `name=value`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from broker_sim.errors import ConfigurationError

_WORDS: Final = {"true": True, "false": False}


def engine_options(written: Iterable[str]) -> dict[str, object]:
    """The options by name; a value is a truth value, a whole number or a word."""
    found: dict[str, object] = {}
    for text in written:
        name, equals, value = text.partition("=")
        if not (name and equals):
            raise ConfigurationError(f"{text!r} is no option; expected NAME=VALUE", source="--option")
        found[name] = _WORDS[value] if value in _WORDS else int(value) if value.isdecimal() else value
    return found
