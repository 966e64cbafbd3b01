"""The one family of errors for wrong input.

Every error that a user's input can cause derives from `InputError`, says what was given and what was expected,
and carries its place: source (a file or a field), line and column, as far as they are known. The command line
turns any of them into one line on standard error and exit code 2.
"""

from __future__ import annotations


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
        place = ":".join(str(part) for part in (self.source, self.line, self.column) if part is not None)
        return f"{place}: {self.message}" if place else self.message


class DtdError(InputError):
    """A DTD that cannot be read, or that leaves its root open."""


class AdvertisementError(InputError):
    """Text that is no advertisement, or an advertisement set that cannot be written in the form asked for."""
