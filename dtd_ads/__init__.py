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
from dtd_ads.schema import Element, Schema

__all__ = [
    "EVERYTHING",
    "Advertisement",
    "AdvertisementSet",
    "AutomatonAdvertisement",
    "Element",
    "Loop",
    "PathAdvertisement",
    "Schema",
    "parse_advertisement",
]
