"""The engines under test, by name. A new engine joins here, and runs every case and property."""

from __future__ import annotations

LINEAR_ENGINES = ("scan",)
"""Engines that accept linear expressions only."""

PATTERN_ENGINES = ("lxml", "yfilter", "lazy-dfa", "chunked")
"""Engines that accept the whole language."""

ENGINES = (*LINEAR_ENGINES, *PATTERN_ENGINES)
