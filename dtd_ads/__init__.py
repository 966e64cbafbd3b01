"""DTD -> element graph -> advertisements."""

from dtd_ads.advertisement import (
    EVERYTHING,
    Advertisement,
    AdvertisementSet,
    AutomatonAdvertisement,
    Loop,
    PathAdvertisement,
    parse_advertisement,
)
from dtd_ads.compiling import compile_advertisements
from dtd_ads.counting import PathCounts, count_paths
from dtd_ads.loading import catalog_names, load_schema
from dtd_ads.schema import Element, Schema

__all__ = [
    "EVERYTHING",
    "Advertisement",
    "AdvertisementSet",
    "AutomatonAdvertisement",
    "Element",
    "Loop",
    "PathAdvertisement",
    "PathCounts",
    "Schema",
    "catalog_names",
    "compile_advertisements",
    "count_paths",
    "load_schema",
    "parse_advertisement",
]
