"""TOML tables -> frozen dataclasses, with an error for everything that does not fit.

The dataclass is the schema: its fields are the keys, their types say what is allowed, and fields without a
default are required. A wrong key, type or value is a `ConfigurationError` with the file, the dotted key and what would
have been right. No key is ever ignored.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
import re
import tomllib
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from broker_sim.errors import ConfigurationError

T = TypeVar("T")

MAX_BYTES = 1 << 20

_part = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_long_key = re.compile(rf"(?<![\w-])(?:{_part}[ \t]*+\.[ \t]*+){{100}}")
"""tomllib takes time by the square of a key's length."""


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of a file of at most 1 MiB."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise ConfigurationError(f"cannot be read: {error.strerror}", source=str(path)) from error
    if len(data) > MAX_BYTES:
        raise ConfigurationError(f"larger than {MAX_BYTES:,} bytes", source=str(path))
    try:
        text = data.decode()
        if _long_key.search(text):
            raise ValueError("a dotted key has more than 100 parts")
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"is no TOML: {error}", source=str(path)) from error


def override(tables: dict[str, Any], assignment: str) -> None:
    """Set one value, written `dotted.key=value` with the value as TOML (a bare word is a string)."""
    dotted, equals, text = assignment.partition("=")
    if not equals or not dotted.strip():
        raise ConfigurationError(f"expected key=value, not {assignment!r}", source="--set")
    *above, last = dotted.strip().split(".")
    table = tables
    for name in above:
        table = table.setdefault(name, {})
        if not isinstance(table, dict):
            raise ConfigurationError(f"{name!r} of {dotted!r} is a value, not a table", source="--set")
    table[last] = _value(text.strip())


def _value(text: str) -> object:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        return text


def build(cls: type[T], table: object, *, source: str, key: str = "") -> T:
    """An instance of dataclass `cls` from a TOML table."""
    if not isinstance(table, Mapping):
        raise _wrong(source, key, f"expected a table, not {table!r}")
    hints = get_type_hints(cls)
    fields = {field.name: field for field in dataclasses.fields(cls) if field.init}  # type: ignore[arg-type]
    for name in table:
        if name not in fields:
            raise _unknown(source, key, str(name), list(fields))
    for name, field in fields.items():
        required = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        if required and name not in table:
            raise _wrong(source, _join(key, name), "is missing")
    values = {name: _converted(hints[name], table[name], source, _join(key, name)) for name in table}
    try:
        return cls(**values)
    except ConfigurationError as error:
        inner = error.source if error.source in fields else None
        raise _wrong(source, _join(key, inner) if inner else key, error.message) from error


def _converted(hint: Any, value: object, source: str, key: str) -> Any:
    """`value` as the type `hint` asks for."""
    origin, arguments = get_origin(hint), get_args(hint)
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return build(hint, value, source=source, key=key)
    if origin is Literal:
        if value not in arguments:
            raise _wrong(source, key, f"expected one of {', '.join(map(repr, arguments))}, not {value!r}")
        return value
    if origin in (Union, types.UnionType):
        return _converted(next(each for each in arguments if each is not type(None)), value, source, key)
    if origin is tuple:
        if not isinstance(value, list):
            raise _wrong(source, key, f"expected a list, not {value!r}")
        return tuple(_converted(arguments[0], each, source, f"{key}[{i}]") for i, each in enumerate(value))
    if origin in (dict, Mapping):
        if not isinstance(value, dict):
            raise _wrong(source, key, f"expected a table, not {value!r}")
        return {name: _converted(arguments[1], each, source, _join(key, name)) for name, each in value.items()}
    return _scalar(hint, value, source, key)


def _scalar(hint: Any, value: object, source: str, key: str) -> object:
    if hint is float and isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    if isinstance(value, hint) and (hint is bool or not isinstance(value, bool)) and hint is not float:
        return value
    words = {int: "a whole number", float: "a finite number", str: "a string", bool: "true or false"}
    raise _wrong(source, key, f"expected {words.get(hint, hint)}, not {value!r}")


def _join(key: str, name: str) -> str:
    return f"{key}.{name}" if key else name


def _wrong(source: str, key: str, message: str) -> ConfigurationError:
    return ConfigurationError(f"{key}: {message}" if key else message, source=source)


def _unknown(source: str, key: str, name: str, allowed: list[str]) -> ConfigurationError:
    near = difflib.get_close_matches(name, allowed, 1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return _wrong(source, _join(key, name), f"is unknown; {hint}expected one of {', '.join(allowed)}")
