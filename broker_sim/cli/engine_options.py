"""Options of an engine on the command line: NAME=VALUE, where a value may be a number, true or false."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import click

MAX_DIGITS: Final = 18
"""So many digits fit a number of 64 bits; Python itself refuses to read thousands."""

ENGINE_OPTION = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    callback=lambda _context, _parameter, words: engine_options(words),
    help="An option of the engine (repeatable), such as database=postgresql.",
)


def engine_options(words: Iterable[str]) -> dict[str, object]:
    """The options by name; raises `click.BadParameter` for what is not NAME=VALUE."""
    options: dict[str, object] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not (name and equals):
            raise click.BadParameter(f"{word!r} is not NAME=VALUE")
        options[name] = _value(value)
    return options


def _value(text: str) -> object:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS else text
