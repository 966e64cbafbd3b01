"""The two scenarios of the chunking paper, section 5 and appendix A: documents and queries like its own.

The paper gives DTDs, sizes and shares, not the files. A document is put together from generated parts, one generator
for each part, until it has its number of elements: university in the proportion of appendix A1's chunk sizes, the
deployment descriptor with appendix A3's cardinalities. Queries are walks by the rule of `workload.query_walk`; of every
hundred, 30 have a `//` and 30 a filter, independently. Filters stand below the root, as the paper's chunk sizes show:
the chunks of its first scenario add up to less than the document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from random import Random
from typing import IO, Final

from broker_sim.workload import DocumentGenerator, DocumentParameters, XPathParameters, generate_xpaths
from broker_sim.xpath import DESCENDANT, Path
from dtd_ads import Schema, load_schema

_id = re.compile(rb' id="i[0-9]+"')

DESCENDANTS: Final = 0.3
FILTERS: Final = 0.3


@dataclass(frozen=True, slots=True)
class Part:
    """An element of the document's skeleton: nested parts, or as many generated elements called `name` as fill it."""

    name: str
    elements: int = 0
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Scenario:
    """A schema of the catalogue, and the skeleton of its document."""

    name: str
    skeleton: Part

    @property
    def schema(self) -> Schema:
        """The schema that documents and queries follow."""
        return load_schema(self.name)


UNIVERSITY: Final = Scenario(
    "university",
    Part(
        "db",
        parts=(
            Part("student", 46_560),
            Part("professor", 5_150),
            Part("assistant", 37_360),
            Part("secretary", 6_240),
            Part("lecturer", 34_690),
        ),
    ),
)
"""130,000 elements; appendix A1's chunks have 170, 206, 1233, 1145 and 1537 KB, whose they are it does not say."""

EJB: Final = Scenario(
    "ejb-jar",
    Part(
        "ejb-jar",
        parts=(
            Part("enterprise-beans", parts=(Part("message-driven", 1), Part("session", 162), Part("entity", 497))),
            Part(
                "assembly-descriptor",
                parts=(
                    Part("container-transaction", 1_351),
                    Part("security-role", 41),
                    Part("method-permission", 2_583),
                ),
            ),
        ),
    ),
)
"""The cardinalities of appendix A3; a message-driven bean is one element with about ten inside."""

SCENARIOS: Final = {scenario.name: scenario for scenario in (UNIVERSITY, EJB)}


def scenario_document(scenario: Scenario, seed: int, scale: float = 1.0) -> bytes:
    """The document of a scenario, `scale` times as large."""
    text = b"".join(_written(scenario.schema, scenario.skeleton, Random(seed), scale))
    return _numbered(text, count(1))


def write_scenario(file: IO[bytes], scenario: Scenario, seed: int, size: int) -> None:
    """Write a valid document of about `size` bytes; its generated parts come again and again, with new ids."""
    random, numbers = Random(seed), count(1)
    blocks = [b"".join(_written(scenario.schema, part, random, 1.0)) for part in scenario.skeleton.parts]
    rounds = max(1, round(size / sum(map(len, blocks))))
    file.write(f"<{scenario.skeleton.name}>".encode())
    for block in blocks:
        for _ in range(rounds):
            file.write(_numbered(block, numbers))
    file.write(f"</{scenario.skeleton.name}>".encode())


def scenario_queries(scenario: Scenario, number: int, seed: int) -> list[Path]:
    """So many queries, in random order."""
    random = Random(seed)
    kinds = [(index < DESCENDANTS * number, False) for index in range(number)]
    random.shuffle(kinds)
    kinds = [(descends, index < FILTERS * number) for index, (descends, _) in enumerate(kinds)]
    random.shuffle(kinds)
    streams = {kind: _queries(scenario.schema, *kind, random) for kind in sorted(set(kinds))}
    return [next(streams[kind]) for kind in kinds]


def _queries(schema: Schema, descends: bool, filters: bool, random: Random) -> Iterator[Path]:
    """Queries of one kind without end; none stops at the root or asks for a filter there."""
    plain = XPathParameters(
        number=10**9, distinct=False, max_length=6, stop=0.25, descendant=0.5 if descends else 0.0, max_value=10
    )
    choices = (replace(plain, predicates=1), replace(plain, branching=0.5)) if filters else (plain,)
    streams = [generate_xpaths(schema, parameters, random) for parameters in choices]
    while True:
        path = next(streams[int(random.random() * len(streams))])
        if (
            path.steps[-1].name != schema.root
            and not any(step.predicates for step in path.steps if step.name == schema.root)
            and any(step.axis == DESCENDANT for step in path.steps) == descends
            and any(step.predicates for step in path.steps) == filters
        ):
            yield path


def _numbered(text: bytes, numbers: Iterator[int]) -> bytes:
    """The text with its ids numbered, so that each comes once."""
    return _id.sub(lambda found: b' id="i%d"' % next(numbers), text)


def _written(schema: Schema, part: Part, random: Random, scale: float) -> Iterator[bytes]:
    if part.parts:
        yield f"<{part.name}>".encode()
        for inner in part.parts:
            yield from _written(schema, inner, random, scale)
        yield f"</{part.name}>".encode()
        return
    parameters = DocumentParameters(number=1, max_levels=6, max_repeats=4)
    generator = DocumentGenerator(replace(schema, root=part.name), parameters, random)
    wanted = part.elements * scale if part.elements > 1 else 1
    elements = 0
    while elements < wanted:
        text = generator.document()
        elements += text.count(b"</")
        yield text
