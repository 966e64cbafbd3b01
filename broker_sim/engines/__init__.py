"""Matching engines: document -> ids of the matching subscriptions, one module per engine, chosen by name."""

from __future__ import annotations

import importlib
import inspect
from typing import Final

from broker_sim.engines.documents import Document
from broker_sim.engines.engine import Engine
from broker_sim.errors import ConfigurationError

__all__ = ["DEFAULT_ENGINE", "ENGINES", "Document", "Engine", "create_engine"]

ENGINES: Final = {
    "lxml": ("lxml_engine", "LxmlEngine"),
    "scan": ("scan", "Scan"),
    "yfilter": ("yfilter", "YFilter"),
    "lazy-dfa": ("lazy_dfa", "LazyDfa"),
    "xtrie": ("xtrie.engine", "XTrie"),
    "xtrie-eager": ("xtrie.engine", "EagerXTrie"),
    "xfilter": ("xfilter.engine", "XFilter"),
    "relational": ("relational", "Relational"),
    "chunked": ("chunked", "Chunked"),
}
"""Engine name -> module of this package and class; imported on first use."""

DEFAULT_ENGINE: Final = "lazy-dfa"

_SIMPLE: Final = {"bool": (bool, "true or false"), "int": (int, "a whole number"), "str": (str, "a word")}
"""Options of these types are checked for all engines; those of others check themselves."""


def create_engine(name: str, **options: object) -> Engine:
    """A new engine without subscriptions; raises `ConfigurationError` for a name or option it does not know."""
    if name not in ENGINES:
        raise ConfigurationError(f"unknown engine {name!r}; expected one of {', '.join(ENGINES)}")
    module, class_name = ENGINES[name]
    factory = getattr(importlib.import_module(f"broker_sim.engines.{module}"), class_name)
    known = inspect.signature(factory).parameters
    unknown = sorted(options.keys() - known.keys())
    if unknown:
        expected = f"expected {', '.join(known)}" if known else "it takes none"
        raise ConfigurationError(f"unknown option {', '.join(unknown)} of engine {name!r}; {expected}")
    for option, value in options.items():
        kind, expected = _SIMPLE.get(known[option].annotation, (type(value), ""))
        if type(value) is not kind:
            raise ConfigurationError(f"option {option} of engine {name!r} is {value!r}, expected {expected}")
    engine: Engine = factory(**options)
    return engine
