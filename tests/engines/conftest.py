"""The engines under test, by name. A new engine joins here, and runs every case and property."""

from __future__ import annotations

LINEAR_ENGINES = ("scan",)
"""Engines that accept linear expressions only."""

PATTERN_ENGINES = ("lxml", "yfilter", "lazy-dfa", "xtrie", "xtrie-eager", "xfilter", "chunked")
"""Engines that accept the whole language."""

ENGINES = (*LINEAR_ENGINES, *PATTERN_ENGINES)

DATABASE_ENGINES = ("relational",)
"""Engines of the whole language that are slow on little input: all cases at once, properties with fewer examples."""
