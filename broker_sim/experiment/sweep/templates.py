"""Placeholders: `"{name}"` in an experiment's tables, keys included, stands for the value of the axis of that name.

A string that is just a placeholder becomes the value itself, of whatever type; inside a longer string, such as
`"random-tree:n={size},seed={seed}"`, the value's text is put in. An axis may use others in its own
values. Other braces are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

_PLACEHOLDER: Final = re.compile(r"\{([A-Za-z_][A-Za-z0-9_-]*)\}")


def placeholders(value: object) -> Iterator[str]:
    """The names that are used anywhere in `value`."""
    if isinstance(value, str):
        yield from _PLACEHOLDER.findall(value)
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from placeholders(key)
            yield from placeholders(each)
    elif isinstance(value, list):
        for each in value:
            yield from placeholders(each)


def filled(value: Any, names: Mapping[str, Any]) -> Any:
    """`value` with every placeholder of `names` filled in, as a copy."""
    if isinstance(value, str):
        return _filled_text(value, names)
    if isinstance(value, Mapping):
        return {str(_filled_text(key, names)): filled(each, names) for key, each in value.items()}
    if isinstance(value, list):
        return [filled(each, names) for each in value]
    return value


def _filled_text(text: str, names: Mapping[str, Any]) -> Any:
    whole = _PLACEHOLDER.fullmatch(text)
    if whole is not None and whole.group(1) in names:
        return names[whole.group(1)]
    return _PLACEHOLDER.sub(lambda found: str(names.get(found.group(1), found.group(0))), text)
