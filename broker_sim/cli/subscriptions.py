"""Reading a subscription file: one expression a line, numbered from 1.

Blank lines and lines that begin with `#` are no subscriptions, but count as lines. The file is UTF-8.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from broker_sim.engines import Engine
from broker_sim.errors import ConfigurationError, XPathError
from broker_sim.xpath import parse_xpath


def subscription_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines that hold a subscription, with their numbers; raises `ConfigurationError` for an unreadable file."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ConfigurationError(f"cannot be read: {error.strerror}", source=str(path)) from error
    except UnicodeDecodeError as error:
        place = error.object.count(b"\n", 0, error.start) + 1
        raise ConfigurationError("expected UTF-8 text", source=str(path), line=place) from error
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line.rstrip()


def subscribe(engine: Engine, path: Path) -> list[XPathError]:
    """Add every subscription of a file under its line number; returns what was wrong with the lines left out."""
    errors = []
    for number, line in subscription_lines(path):
        text = line.lstrip()
        try:
            engine.add(number, parse_xpath(text))
        except XPathError as error:
            column = len(line) - len(text) + (error.column or 1)
            errors.append(XPathError(_message(error, text), text=text, column=column, source=str(path), line=number))
    return errors


def _message(error: XPathError, text: str) -> str:
    return error.message if " in expression " in error.message else f"{error.message} in expression {text!r}"
