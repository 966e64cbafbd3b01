"""broker-sim: a laboratory for content-based XML routing."""

__version__ = "0.1.0"
