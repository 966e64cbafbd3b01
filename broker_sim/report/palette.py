"""The colours of everything that we draw, in one place: the page, in light and dark, and the pictures, in light.

Names are those of the page's style variables. In both themes text and its background differ by a contrast of at least
4.5 to 1, bars, lines and messages and theirs by at least 3 to 1 (WCAG 2.2, level AA); tests measure both.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

LIGHT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "paper": "#f6f7f9",
        "panel": "#ffffff",
        "ink": "#17202b",
        "muted": "#55606e",
        "faint": "#e9edf2",
        "line": "#c3ccd6",
        "accent": "#1d4ed8",
        "good": "#0b6b3a",
        "good-paper": "#def5e7",
        "bad": "#a31621",
        "bad-paper": "#fde3e5",
        "c0": "#4269d0",
        "c1": "#c27a00",
        "c2": "#d6455d",
        "c3": "#2a9d8f",
        "c4": "#8f5bb5",
        "c5": "#7f6a5a",
        "c6": "#5f7f2f",
        "c7": "#5c6b7a",
        "advertise": "#8f5bb5",
        "unadvertise": "#7f6a5a",
        "subscribe": "#2f66d0",
        "unsubscribe": "#5c6b7a",
        "publish": "#d97706",
        "notify": "#0f8a5f",
        "reliability": "#c0306e",
        "level-0": "#e4ebf7",
        "level-1": "#c3d3ee",
        "level-2": "#98b4e0",
        "level-3": "#4a70b0",
        "level-4": "#38609f",
        "level-5": "#1e3f73",
    }
)
DARK: Final[Mapping[str, str]] = MappingProxyType(
    {
        "paper": "#10151c",
        "panel": "#19212b",
        "ink": "#e8edf3",
        "muted": "#a5b1bf",
        "faint": "#25303c",
        "line": "#465463",
        "accent": "#7ca8ff",
        "good": "#7ee2a8",
        "good-paper": "#123524",
        "bad": "#ff9aa2",
        "bad-paper": "#45171c",
        "c0": "#7f9ff5",
        "c1": "#f2b84b",
        "c2": "#f5788c",
        "c3": "#5fd0c2",
        "c4": "#c39be6",
        "c5": "#c2a892",
        "c6": "#a3c466",
        "c7": "#a0b0c0",
        "advertise": "#c39be6",
        "unadvertise": "#c2a892",
        "subscribe": "#7fa8f8",
        "unsubscribe": "#a0b0c0",
        "publish": "#f6a63c",
        "notify": "#4fd39b",
        "reliability": "#f58abb",
        "level-0": "#232f3f",
        "level-1": "#2c4160",
        "level-2": "#3d5d8c",
        "level-3": "#6890cc",
        "level-4": "#8fb0e2",
        "level-5": "#c4d8f8",
    }
)

SERIES: Final = tuple(f"c{place}" for place in range(8))
"""The colours of series, by their place."""

LEVELS: Final = tuple(f"level-{place}" for place in range(6))
"""The colours of brokers, from small tables to large ones."""


def style_variables() -> str:
    """The colours as CSS: light by default, dark by the system's wish or the button's."""
    light, dark = (" ".join(f"--{name}: {value};" for name, value in theme.items()) for theme in (LIGHT, DARK))
    return (
        f":root {{ {light} }}\n"
        f'@media (prefers-color-scheme: dark) {{ :root:not([data-theme="light"]) {{ {dark} }} }}\n'
        f':root[data-theme="dark"] {{ {dark} color-scheme: dark; }}\n'
        ':root[data-theme="light"] { color-scheme: light; }\n'
    )
