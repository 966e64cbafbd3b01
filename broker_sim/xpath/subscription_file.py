"""Reading a subscription file: one expression a line, numbered from 1.

Blank lines and lines that begin with `#` are no subscriptions, but count as lines. The file is UTF-8.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path as File

from broker_sim.errors import ConfigurationError, XPathError
from broker_sim.xpath.expression import Expression
from broker_sim.xpath.parser import parse_xpath


def subscription_lines(path: str | os.PathLike[str]) -> Iterator[tuple[int, str]]:
    """The lines that hold a subscription, with their numbers; raises `ConfigurationError` for an unreadable file."""
    try:
        text = File(path).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ConfigurationError(f"cannot be read: {error.strerror}", source=str(path)) from error
    except UnicodeDecodeError as error:
        place = error.object.count(b"\n", 0, error.start) + 1
        raise ConfigurationError("expected UTF-8 text", source=str(path), line=place) from error
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line.rstrip()


def read_subscriptions(path: str | os.PathLike[str]) -> Iterator[tuple[int, Expression]]:
    """The expressions of a file with their line numbers; raises `XPathError` with the place of the first wrong one."""
    for number, line in subscription_lines(path):
        try:
            yield number, parse_xpath(line.lstrip())
        except XPathError as error:
            raise placed(error, path, number, line) from error


def placed(error: XPathError, path: str | os.PathLike[str], number: int, line: str) -> XPathError:
    """What is wrong with the expression on a line of a file, with that place."""
    text = line.lstrip()
    column = len(line) - len(text) + (error.column or 1)
    message = error.message if " in expression " in error.message else f"{error.message} in expression {text!r}"
    return XPathError(message, text=text, column=column, source=str(path), line=number)
