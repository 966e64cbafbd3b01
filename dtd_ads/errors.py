"""The one family of errors for wrong input.

Every error that a user's input can cause derives from `InputError`, says what was given and what was expected,
and carries its place: source (a file or a field), line and column, as far as they are known. The command line
turns any of them into one line on standard error and exit code 2.
"""

from __future__ import annotations

from typing import Final

LONGEST: Final = 600
"""How many characters of a place or a message are shown."""


class InputError(Exception):
    """Input that cannot be used, with its place; line and column count from 1."""

    exit_code = 2

    def __init__(
        self, message: str, *, source: str | None = None, line: int | None = None, column: int | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.source = source
        self.line = line
        self.column = column

    def __str__(self) -> str:
        source = None if self.source is None else shortened(self.source)
        place = ":".join(str(part) for part in (source, self.line, self.column) if part is not None)
        return f"{place}: {shortened(self.message)}" if place else shortened(self.message)


def shortened(text: str) -> str:
    """A text with its middle left out where it is very long: what was given may be megabytes."""
    half = LONGEST // 2
    return text if len(text) <= LONGEST else f"{text[:half]} ... {text[-half:]}"


class DtdError(InputError):
    """A DTD that cannot be read, or that leaves its root open."""


class AdvertisementError(InputError):
    """Text that is no advertisement, or an advertisement set that cannot be written in the form asked for."""
