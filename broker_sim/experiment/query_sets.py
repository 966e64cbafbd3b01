"""The router paper's query sets: distinct paths drawn in turn from several generators.

Set A of the paper (section 6.1) has no `//` and wildcard probabilities 0 and 0.1; set B has no `*` and descendant
probabilities 0 and 0.1. Drawing in turn means that the first n queries of a set are a set of the same mix.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

from broker_sim.errors import ConfigurationError
from broker_sim.workload import XPathParameters, generate_xpaths
from broker_sim.xpath import Path
from dtd_ads import Schema


def query_set(schema: Schema, parts: Sequence[XPathParameters], number: int, seed: str) -> list[Path]:
    """`number` distinct paths; each part gives at most the number it asks for."""
    streams = [iter(generate_xpaths(schema, part, Random(f"{seed}/{index}"))) for index, part in enumerate(parts)]
    found = list(islice(dict.fromkeys(_in_turn(streams)), number))
    if len(found) < number:
        raise ConfigurationError(f"the parts give {len(found):,} distinct paths, expected {number:,}", source="sets")
    return found


def _in_turn(streams: list[Iterator[Path]]) -> Iterator[Path]:
    while streams:
        for stream in list(streams):
            path = next(stream, None)
            if path is None:
                streams.remove(stream)
            else:
                yield path
