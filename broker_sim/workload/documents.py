"""Seeded XML documents, valid against their DTD, after IBM's XML generator as the message broker paper describes it.

What may repeat occurs up to `max_repeats` times (which may be set for single elements), text and attributes are numbers
from `max_value` values, and no element stands below level `max_levels`: the generator chooses only what still fits
(see `content_models`), so recursive DTDs end too. A DTD that forces more levels is an error, not a deeper document.

Beyond it, `elements` or `size` (bytes) asks for documents of about that size. What can repeat, from the root
down, then repeats as often as it takes, each part of a sequence for its share; the target reached, the document
is completed with as little as possible. Without a target the same happens after `PIECE` elements, since a DTD
with rich recursion has no natural end. A DTD that cannot grow gives smaller documents.

Documents come in one pass, as chunks, with memory for the open elements only. An element costs O(1) choices.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from types import MappingProxyType
from typing import IO, Final

from broker_sim.errors import ConfigurationError
from broker_sim.workload.attributes import AttributeWriter
from broker_sim.workload.content_models import NEVER, Part, prepare_models
from broker_sim.workload.expectations import expect_number, expect_whole
from broker_sim.workload.randomness import Seed, as_random
from broker_sim.workload.values import number
from dtd_ads.schema import Schema

PIECE: Final = 10_000
"""The most elements of a document without a target size, and of one repetition within a larger document."""

MAX_LEVELS: Final = 1_000
MAX_LEAST: Final = 1_000_000
"""The most elements that the smallest document of a DTD may have."""

TRIES: Final = 100
"""How often a document is drawn again whose references found no `ID`."""

_CHUNK: Final = 1 << 16
_BYTES_PER_ELEMENT: Final = 25
_IDLE: Final = 20


@dataclass(frozen=True, slots=True)
class DocumentParameters:
    """What to generate. At most one of `elements` and `size` (bytes) is a target."""

    number: int
    max_levels: int = 10
    max_repeats: int = 3
    repeats: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    max_value: int = 10
    attribute_probability: float = 0.5
    elements: int | None = None
    size: int | None = None

    def __post_init__(self) -> None:
        expect_whole("number", self.number, 0, 1_000_000_000)
        expect_whole("max_levels", self.max_levels, 1, MAX_LEVELS)
        for name, bound in {"max_repeats": self.max_repeats, **self.repeats}.items():
            expect_whole(name, bound, 1, 1_000_000)
        expect_whole("max_value", self.max_value, 1, 1_000_000_000)
        expect_number("attribute_probability", self.attribute_probability, 0, 1)
        for name, target in (("elements", self.elements), ("size", self.size)):
            if target is not None:
                expect_whole(name, target, 1, 1_000_000_000_000)
        if self.elements is not None and self.size is not None:
            raise ConfigurationError("give a target as elements or as size, not both", source="size")


def generate_documents(schema: Schema, parameters: DocumentParameters, seed: Seed) -> Iterator[bytes]:
    """`parameters.number` documents, one at a time."""
    generator = DocumentGenerator(schema, parameters, as_random(seed))
    for _ in range(parameters.number):
        yield generator.document()


Child = tuple[str, int, int]
"""A child element, the size of the document up to which it should grow, and the one from which on it must end."""


class DocumentGenerator:
    """Draws one document after the other; raises `ConfigurationError` where the DTD has none of so few levels."""

    def __init__(self, schema: Schema, parameters: DocumentParameters, random: Random) -> None:
        _check_names(schema, parameters)
        self._schema: Final = schema
        self._random: Final = random.random
        self._parameters: Final = parameters
        self._models: Final = prepare_models(
            schema, lambda name: parameters.repeats.get(name or "", parameters.max_repeats)
        )
        self._attributes: Final = AttributeWriter(
            schema, random, probability=parameters.attribute_probability, max_value=parameters.max_value
        )
        self._text: Final = frozenset(
            name for name, element in schema.elements.items() if element.content.kind in ("MIXED", "ANY")
        )
        self._piece: Final = PIECE if parameters.size is None else PIECE * _BYTES_PER_ELEMENT
        self._fitting: Final[dict[tuple[Part, int], tuple[Part, ...]]] = {}
        self._written = 0
        self._check_root()

    def document(self) -> bytes:
        """A whole document."""
        for _ in range(TRIES):
            content = b"".join(self.chunks())
            if not self._attributes.dangling:
                return content
        raise self._no_id()

    def write(self, file: IO[bytes]) -> None:
        """Write a document to a file that can seek, in bounded memory."""
        start = file.tell()
        for _ in range(TRIES):
            for chunk in self.chunks():
                file.write(chunk)
            if not self._attributes.dangling:
                return
            file.seek(start)
            file.truncate()
        raise self._no_id()

    def chunks(self) -> Iterator[bytes]:
        """One document in pieces; its references may still lack an `ID`, which `document` and `write` make good."""
        self._attributes.start()
        self._written = 0
        buffer: list[str] = []
        length = 0
        for text in self._texts():
            buffer.append(text)
            length += len(text)
            if length >= _CHUNK:
                yield "".join(buffer).encode()
                buffer.clear()
                length = 0
        yield "".join(buffer).encode()

    def _texts(self) -> Iterator[str]:
        goal = self._parameters.elements or self._parameters.size or 0
        children = iter([(self._schema.root, goal, goal or self._piece)])
        open_elements: list[tuple[Iterator[Child], str, bool]] = []
        while True:
            child = next(children, None)
            if child is not None:
                opening, closing, below = self._open(child, len(open_elements))
                yield opening
                open_elements.append((children, closing, child[0] in self._text))
                children = below
            elif open_elements:
                children, closing, _ = open_elements.pop()
                yield closing
                if open_elements and open_elements[-1][2] and self._random() < 0.5:
                    yield str(number(self._random, self._parameters.max_value))
            else:
                return

    def _open(self, child: Child, above: int) -> tuple[str, str, Iterator[Child]]:
        """The start tag with the text behind it, the end tag, and what comes between."""
        name, goal, limit = child
        text = str(number(self._random, self._parameters.max_value)) if name in self._text else ""
        opening, closing = f"<{name}{self._attributes.write(name)}>{text}", f"</{name}>"
        self._written += 1 if self._parameters.size is None else len(opening) + len(closing)
        model = self._models.parts[name]
        room = self._parameters.max_levels - above - 1
        return opening, closing, iter(()) if model is None else self._occurrences(model, room, goal, limit)

    def _occurrences(self, part: Part, room: int, goal: int, limit: int) -> Iterator[Child]:
        """What a part is expanded to, decided while the document is written: `_written` moves on between children."""
        grows = part.grows and goal > self._written
        if part.height > room or self._written >= limit:
            if not part.optional:
                yield from self._one(part, room, 0, limit)
        elif grows and part.repeatable:
            yield from self._many(part, room, goal, limit)
        else:
            least = 0 if part.optional and not grows else 1
            for done in range(least + int(self._random() * (part.repeats - least + 1))):
                if done >= least and self._written >= limit:
                    return
                yield from self._one(part, room, goal, limit)

    def _many(self, part: Part, room: int, goal: int, limit: int) -> Iterator[Child]:
        idle = 0
        while self._written < goal and idle < _IDLE:
            before = self._written
            yield from self._one(part, room, 0, min(limit, before + self._piece))
            idle = idle + 1 if self._written == before else 0

    def _one(self, part: Part, room: int, goal: int, limit: int) -> Iterator[Child]:
        if part.kind == "name":
            yield part.name, goal, limit
        elif part.kind == "choice":
            yield from self._occurrences(self._option(part, room, goal, limit), room, goal, limit)
        else:
            growing = sum(one.grows for one in part.parts)
            start, shares = self._written, 0
            for one in part.parts:
                shares += one.grows
                share = start + (goal - start) * shares // growing if one.grows and goal > start else 0
                yield from self._occurrences(one, room, share, limit)

    def _option(self, part: Part, room: int, goal: int, limit: int) -> Part:
        if self._written >= limit:
            return part.shallowest
        fitting = self._fitting.get((part, room))
        if fitting is None:
            fitting = self._fitting[part, room] = tuple(one for one in part.parts if one.least <= room)
        if goal > self._written:
            fitting = tuple(one for one in fitting if one.grows and one.height <= room) or fitting
        return fitting[int(self._random() * len(fitting))]

    def _check_root(self) -> None:
        root = self._schema.root
        height = self._models.heights[root]
        if height >= NEVER:
            raise ConfigurationError(f"{self._schema.name}: no finite document has the root {root}", source="root")
        if height > self._parameters.max_levels:
            raise ConfigurationError(
                f"{self._schema.name}: every document has at least {height} levels, not {self._parameters.max_levels}",
                source="max_levels",
            )
        if self._models.sizes[root] > MAX_LEAST:
            raise ConfigurationError(
                f"{self._schema.name}: the shallowest document has more than {MAX_LEAST:,} elements", source="root"
            )

    def _no_id(self) -> ConfigurationError:
        return ConfigurationError(
            f"{self._schema.name}: {TRIES} documents had a required IDREF, and no element with an ID to name"
        )


def _check_names(schema: Schema, parameters: DocumentParameters) -> None:
    for name in parameters.repeats:
        if name not in schema.elements:
            raise ConfigurationError(f"{schema.name} declares no element {name!r}", source="repeats")
