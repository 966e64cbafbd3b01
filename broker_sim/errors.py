"""The errors of broker-sim, by cause; all derive from `dtd_ads.errors.InputError` and carry their place."""

from __future__ import annotations

from dtd_ads.errors import AdvertisementError, DtdError, InputError, shortened

__all__ = [
    "AdvertisementError",
    "ConfigurationError",
    "DocumentError",
    "DtdError",
    "InputError",
    "QueryError",
    "TopologyError",
    "XPathError",
    "shortened",
]


class XPathError(InputError):
    """An expression outside the subscription language; `text` is the whole of it, `column` counts from 1."""

    def __init__(
        self, message: str, *, text: str, column: int, source: str | None = None, line: int | None = None
    ) -> None:
        super().__init__(message, source=source, line=line, column=column)
        self.text = text


class QueryError(InputError):
    """A query outside the FLWR language, with line and column."""


class DocumentError(InputError):
    """A document that is malformed, hostile, too large or too deep."""


class TopologyError(InputError):
    """A graph that cannot be an overlay."""


class ConfigurationError(InputError):
    """An experiment, option or combination of options that makes no sense."""
