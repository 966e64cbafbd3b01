"""Measuring the relational engine: the studies of `experiments/paper-relational.toml`.

A study names sizes of documents, numbers of subscriptions and whether to cut; every combination is a row. The engine
is filled once for each number of subscriptions. Matching is timed from the text of the document to the answer, on the
clock and in processor time (of all cores together, which other work on the machine changes less), and the least of
`repeat` runs counts.
"""

from __future__ import annotations

import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, Final

from broker_sim.engines.relational.engine import Relational
from broker_sim.errors import ConfigurationError
from broker_sim.shipped import shipped
from broker_sim.workload import DocumentParameters, XPathParameters, generate_documents, generate_xpaths
from broker_sim.xpath import Path as XPath
from dtd_ads import Schema, load_schema

_HEAD: Final = "| subscriptions | document bytes | cutting | matches | add s | match s | match processor s |"
_RULE: Final = "|--:|--:|---|--:|--:|--:|--:|"


@dataclass(frozen=True, slots=True)
class Study:
    """Every combination of these; `predicates` is the number of value tests in each subscription."""

    name: str
    document_bytes: list[int]
    subscriptions: list[int]
    cutting: list[bool]
    predicates: int = 0
    paper: str = ""


@dataclass(frozen=True, slots=True)
class Spec:
    """The studies and what they have in common."""

    description: str
    dtd: str
    studies: list[Study]
    seed: int = 1
    repeat: int = 3
    queries: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Row:
    """One combination: counts, then seconds."""

    study: str
    subscriptions: int
    document_bytes: int
    cutting: bool
    matches: int
    add_seconds: float
    match_seconds: float
    match_processor_seconds: float


def load_spec(path: Path | None = None) -> Spec:
    """Read a file of studies, by default the paper's."""
    file = path or shipped("experiments") / "paper-relational.toml"
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8"))
        return Spec(**{**found, "studies": [Study(**study) for study in found["studies"]]})
    except OSError as error:
        raise ConfigurationError(f"cannot be read: {error.strerror}", source=str(file)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, TypeError, KeyError) as error:
        raise ConfigurationError(f"is no file of studies: {error}", source=str(file)) from error


def run(spec: Spec, **options: Any) -> Iterator[Row]:
    """Measure every study; `options` are those of the engine, such as `database`."""
    schema = load_schema(spec.dtd)
    for study in spec.studies:
        texts = [_document(schema, size, spec.seed) for size in study.document_bytes]
        for number in study.subscriptions:
            with Relational(**options) as engine:
                started = time.perf_counter()
                engine.add_all(enumerate(_queries(spec, study, schema, number)))
                adding = time.perf_counter() - started
                for text, cutting in product(texts, study.cutting):
                    matches, clock, processor = _matched(engine, text, cutting, spec.repeat)
                    yield Row(study.name, number, len(text), cutting, matches, adding, clock, processor)


def _matched(engine: Relational, text: bytes, cutting: bool, repeat: int) -> tuple[int, float, float]:
    """How many subscriptions match, and the least seconds of some runs, on the clock and of all processors."""
    engine.cutting = cutting
    matches, clock, processor = 0, [], []
    for _ in range(repeat):
        started, working = time.perf_counter(), time.process_time()
        matches = len(engine.match(text))
        clock.append(time.perf_counter() - started)
        processor.append(time.process_time() - working)
    return matches, min(clock), min(processor)


def table(rows: list[Row]) -> str:
    """The rows as Markdown, a table for each study."""
    lines: list[str] = []
    for name in dict.fromkeys(row.study for row in rows):
        lines += [f"## {name}", "", _HEAD, _RULE]
        for row in (row for row in rows if row.study == name):
            counts = (
                f"{row.subscriptions:,} | {row.document_bytes:,} | {'yes' if row.cutting else 'no'} | {row.matches:,}"
            )
            times = f"{row.add_seconds:.2f} | {row.match_seconds:.3f} | {row.match_processor_seconds:.3f}"
            lines.append(f"| {counts} | {times} |")
        lines.append("")
    return "\n".join(lines)


def _document(schema: Schema, size: int, seed: int) -> bytes:
    return next(generate_documents(schema, DocumentParameters(number=1, size=size), seed))


def _queries(spec: Spec, study: Study, schema: Schema, number: int) -> Iterator[XPath]:
    parameters = XPathParameters(number=number, predicates=study.predicates, **spec.queries)
    return generate_xpaths(schema, parameters, spec.seed)
