"""Axes: the values that a parameter of a sweep takes, and all combinations of them.

An axis is a list, or a range: `{ from = 100, to = 500, step = 100 }`, `{ from = 0, to = 1, count = 5 }` or
`{ from = 10, to = 1000, factor = 10 }`; both ends are included, `to` where the steps meet it. A zipped group is a table
of lists of one length, whose values go together. A combination is excluded when all values that an exclusion names
are its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, Final

from broker_sim.errors import ConfigurationError

Value = Any
"""What TOML can write: a string, number, truth value, or a list or table of these."""
Point = dict[str, Value]
"""One value for each parameter."""

MAX_CELLS: Final = 100_000

_RULES: Final = ("step", "count", "factor")


def axis_values(written: object, name: str) -> list[Value]:
    """The values of one axis, in order."""
    values = _range(written, name) if isinstance(written, Mapping) else written
    if not isinstance(values, list) or not values:
        raise ConfigurationError(f"expected a list or a range {{ from, to, step }}, not {written!r}", source=name)
    values = _of_one_type(values, name)
    for place, value in enumerate(values):
        if value in values[:place]:
            raise ConfigurationError(f"names {value!r} twice", source=name)
    return values


def _of_one_type(values: list[Value], name: str) -> list[Value]:
    """The values, whole numbers among fractions as fractions: a column of results has one type."""
    types = {type(value) for value in values}
    if types == {int, float}:
        return [float(value) for value in values]
    if len(types) > 1:
        raise ConfigurationError(f"expected values of one type, not {values!r}", source=name)
    return values


def _range(written: Mapping[str, object], name: str) -> list[int | float]:
    rules = [rule for rule in _RULES if rule in written]
    if written.keys() - {"from", "to", *_RULES} or not {"from", "to"} <= written.keys() or len(rules) != 1:
        raise ConfigurationError(f"expected from, to and one of {', '.join(_RULES)}, not {dict(written)}", source=name)
    (rule,) = rules
    first, last, by = (_number(written[key], f"{name}.{key}") for key in ("from", "to", rule))
    if last < first:
        raise ConfigurationError(f"goes from {first} down to {last}", source=name)
    if rule == "count":
        return _counted(first, last, by, name)
    if by <= (rule == "factor") or (rule == "factor" and first <= 0):
        raise ConfigurationError(f"{rule} {by} never leads from {first} to {last}", source=name)
    steps = math.log(last / first, by) if rule == "factor" else (last - first) / by
    number = math.floor(steps + 1e-9) + 1
    _bounded(number, name)
    return [_tidy(first * by**i if rule == "factor" else first + i * by) for i in range(number)]


def _counted(first: float, last: float, count: float, name: str) -> list[int | float]:
    if count < 2 or count != int(count):
        raise ConfigurationError(f"expected a whole number of at least 2, not {count}", source=f"{name}.count")
    _bounded(count, name)
    return [_tidy(first + (last - first) * i / (count - 1)) for i in range(int(count))]


def _bounded(number: float, name: str) -> None:
    if number > MAX_CELLS:
        raise ConfigurationError(f"has {number:,.0f} values, expected at most {MAX_CELLS:,}", source=name)


def _number(value: object, name: str) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ConfigurationError(f"expected a finite number, not {value!r}", source=name)
    return value


def _tidy(value: int | float) -> int | float:
    """Without the last digits that binary fractions leave: 0.30000000000000004 is 0.3."""
    return value if isinstance(value, int) else round(value, 12)


def zipped(group: object, name: str) -> list[Point]:
    """The points of a zipped group."""
    if not isinstance(group, Mapping) or not group:
        raise ConfigurationError(f"expected a table of lists, not {group!r}", source=name)
    lists = {key: _list(values, f"{name}.{key}") for key, values in group.items()}
    lengths = {key: len(values) for key, values in lists.items()}
    if len(set(lengths.values())) > 1:
        raise ConfigurationError(f"expected lists of one length, not of {lengths}", source=name)
    points = [dict(zip(lists, values, strict=True)) for values in zip(*lists.values(), strict=True)]
    for place, point in enumerate(points):
        if point in points[:place]:
            raise ConfigurationError(f"names {point} twice", source=name)
    return points


def _list(values: object, name: str) -> list[Value]:
    if not isinstance(values, list) or not values:
        raise ConfigurationError(f"expected a list, not {values!r}", source=name)
    return _of_one_type(values, name)


def combinations(groups: Sequence[Sequence[Point]], exclusions: Sequence[Point]) -> Iterator[Point]:
    """One point of each group, in all combinations but the excluded ones; the last group changes fastest."""
    number = math.prod(map(len, groups))
    if number > MAX_CELLS:
        raise ConfigurationError(f"the axes make {number:,} cells, expected at most {MAX_CELLS:,}", source="axes")
    for parts in product(*groups):
        point = {key: value for part in parts for key, value in part.items()}
        if not any(_agrees(point, exclusion) for exclusion in exclusions):
            yield point


def _agrees(point: Point, exclusion: Point) -> bool:
    return all(point[key] == value for key, value in exclusion.items())
