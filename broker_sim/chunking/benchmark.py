"""What chunking gains: one document and one query set, whole and in chunks, in the same run.

Preparing does not count, as in the paper; parsing does. What runs in one process is measured in processor seconds,
which a busy machine changes least; a pool of processes in wall seconds, beside the wall seconds of lxml on the whole
document. The paper computes its parallel times: cutting plus the longest chunk. That is reported as `ideal`. `earliest`
and `latest` are when the first and the last answer are there if chunks run one after the other, the cheapest first
(figure 12c).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO

from broker_sim.chunking.chunker import split
from broker_sim.chunking.execution import Executor, Sequential
from broker_sim.chunking.projection import Projection
from broker_sim.chunking.scenarios import Scenario, scenario_document, scenario_queries
from broker_sim.engines import create_engine
from broker_sim.engines.chunked import Chunked
from broker_sim.xpath import Path


@dataclass(frozen=True, slots=True)
class Whole:
    """The document as a whole: lxml (and its wall seconds), the default engine (warm), lxml with rewritten queries."""

    lxml: float
    wall: float
    lazy_dfa: float
    rewritten: float


@dataclass(frozen=True, slots=True)
class Row:
    """One query set with one number of chunks."""

    scenario: str
    inner: str
    elements: int
    queries: int
    chunks: int
    prefixes: tuple[str, ...]
    shares: tuple[float, ...]
    sizes: tuple[int, ...]
    potpourri: int
    whole: Whole
    splitting: float
    each: tuple[float, ...]
    sequential: float
    parallel: float
    earliest: float
    same_answers: bool

    @property
    def ideal(self) -> float:
        """Cutting plus the longest chunk: as many processors as chunks."""
        return self.splitting + max(self.each)

    def gain(self, seconds: float) -> float:
        """The share of lxml's processor time on the whole document that is saved."""
        return 1 - seconds / self.whole.lxml

    @property
    def parallel_gain(self) -> float:
        """The share of lxml's wall time on the whole document that the pool saves."""
        return 1 - self.parallel / self.whole.wall


@dataclass(frozen=True, slots=True)
class Case:
    """A document with its queries, and what each takes as a whole."""

    scenario: Scenario
    document: bytes
    queries: list[Path]
    whole: Whole
    answers: tuple[int, ...]
    repeats: int


def prepare(scenario: Scenario, number: int, seed: int, scale: float = 1.0, repeats: int = 1) -> Case:
    """Generate a case and measure it as a whole."""
    document = scenario_document(scenario, seed, scale)
    queries = scenario_queries(scenario, number, seed)
    referee, rival = create_engine("lxml"), create_engine("lazy-dfa")
    for id, query in enumerate(queries):
        referee.add(id, query)
        rival.add(id, query)
    rival.match(document)
    rewritten = _chunked(scenario, queries, 0)
    found: list[tuple[int, ...]] = []
    processor, wall = _best(lambda: found.append(tuple(referee.match(document))), repeats)
    whole = Whole(
        lxml=processor,
        wall=wall,
        lazy_dfa=_best(lambda: rival.match(document), repeats)[0],
        rewritten=_best(lambda: rewritten.match(document), repeats)[0],
    )
    return Case(scenario, document, queries, whole, found[0], repeats)


def measure(case: Case, chunks: int, pool: Executor, inner: str = "lxml") -> Row:
    """Cut the document of a case into so many chunks and ask its queries."""
    engine = _chunked(case.scenario, case.queries, chunks, Sequential(), inner)
    parallel = _chunked(case.scenario, case.queries, chunks, pool, inner)
    sizes, splitting = _cut(engine, case.document, case.repeats)
    sequential, earliest, each, ids = min(_answered(engine, case.document) for _ in range(case.repeats))
    parallel.match(case.document)
    paths = sum(len(queries) for queries in engine.scheme.query_sets)
    return Row(
        scenario=case.scenario.name,
        inner=inner,
        elements=case.document.count(b"</"),
        queries=len(case.queries),
        chunks=chunks,
        prefixes=tuple(chunk.name for chunk in engine.scheme.chunks),
        shares=tuple(len(chunk.queries) / paths for chunk in engine.scheme.chunks),
        sizes=sizes,
        potpourri=len(engine.scheme.potpourri),
        whole=case.whole,
        splitting=splitting,
        each=each,
        sequential=sequential,
        parallel=_best(lambda: parallel.match(case.document), case.repeats)[1],
        earliest=earliest,
        same_answers=ids == case.answers,
    )


def _chunked(
    scenario: Scenario, queries: list[Path], chunks: int, executor: Executor | None = None, inner: str = "lxml"
) -> Chunked:
    engine = Chunked(scenario.schema, chunks, inner, executor)
    for id, query in enumerate(queries):
        engine.add(id, query)
    engine.prepare()
    return engine


def _cut(engine: Chunked, document: bytes, repeats: int) -> tuple[tuple[int, ...], float]:
    """The bytes of every chunk, and the seconds of cutting alone."""
    projection = Projection(engine.scheme.chunks, engine.preparation.schema)
    written: list[list[bytes]] = []

    def cut() -> None:
        written[:] = [[] for _ in engine.scheme.chunks]
        split(BytesIO(document), projection, [chunk.append for chunk in written])

    seconds, _ = _best(cut, repeats)
    return tuple(sum(map(len, chunk)) for chunk in written), seconds


def _answered(engine: Chunked, document: bytes) -> tuple[float, float, tuple[float, ...], tuple[int, ...]]:
    """Processor seconds to the last and to the first answer, of each chunk alone, and the ids."""
    started = time.process_time()
    arrived: list[float] = []
    each: list[float] = []
    ids: set[int] = set()
    for answer in engine.answers(document):
        arrived.append(time.process_time() - started)
        each.append(answer.seconds)
        ids.update(answer.ids)
    return time.process_time() - started, arrived[0], tuple(each), tuple(sorted(ids))


def _best(work: Callable[[], object], repeats: int) -> tuple[float, float]:
    """Processor and wall seconds, each the best."""
    times = [_timed(work) for _ in range(repeats)]
    return min(processor for processor, _ in times), min(wall for _, wall in times)


def _timed(work: Callable[[], object]) -> tuple[float, float]:
    processor, wall = time.process_time(), time.perf_counter()
    work()
    return time.process_time() - processor, time.perf_counter() - wall
