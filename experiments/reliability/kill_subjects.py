"""What is killed: `run --out`, `sweep`, and the relational engine on a DuckDB file.

Files are compared by their rows, without the columns that hold seconds of this machine. The store is asked by matching:
for the subscriptions that it says it has, its answers must be lxml's.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol

import pyarrow.parquet as pq

from broker_sim.engines import create_engine
from broker_sim.engines.relational import Relational
from broker_sim.xpath import parse_xpath

PROJECT: Final = Path(__file__).parents[2]
CLOCKS: Final = ("wall_seconds", "cell_seconds")
SMALL: Final = (
    "topology='line:n=4'\nsubscriptions.generate.number=50\ndocuments.generate.number=3\n"
    "subscriptions.placement='all'\n"
)


class Subject(Protocol):
    """A command that writes to a place, and goes on there when it is called again."""

    startup: float
    """The share of its time that it surely spends on starting; it is not killed before."""

    def reference(self, place: Path) -> float:
        """Run it undisturbed; returns the seconds that took."""

    def command(self, place: Path) -> list[str]:
        """The command."""

    def check(self, place: Path, *, whole: bool) -> str | None:
        """What is wrong with what is there; with `whole`, all must be there."""

    def partial(self, place: Path) -> bool:
        """Whether some results are there and others are not."""


class Files:
    """A command whose results are Parquet files."""

    startup = 0.5

    def __init__(self, words: tuple[str, ...], spec: str) -> None:
        self._words = words
        self._text = spec
        self._spec = Path()
        self._expected: dict[str, list[dict[str, object]]] = {}

    def reference(self, place: Path) -> float:
        place.mkdir(parents=True, exist_ok=True)
        self._spec = place / "spec.toml"
        self._spec.write_text(self._text)
        started = time.monotonic()
        subprocess.run(self.command(place / "out"), cwd=PROJECT, check=True, stdout=subprocess.DEVNULL)
        seconds = time.monotonic() - started
        self._expected = {name: _rows(place / "out" / name) for name in _results(place / "out")}
        return seconds

    def command(self, place: Path) -> list[str]:
        command, *options = self._words
        return [sys.executable, "-m", "broker_sim.cli", command, str(self._spec), *options, "--out", str(place)]

    def check(self, place: Path, *, whole: bool) -> str | None:
        found = _results(place)
        try:
            for file in place.rglob("*.json"):
                json.loads(file.read_text())
            different = [name for name in found if _rows(place / name) != self._expected.get(name)]
        except Exception as error:
            return f"{place}: {error!r}"
        if different:
            return f"{place}: {different} differ"
        missing = self._expected.keys() - found
        return f"{place}: {sorted(missing)} are missing" if whole and missing else None

    def partial(self, place: Path) -> bool:
        return 0 < len(_results(place)) < len(self._expected)


def _results(place: Path) -> set[str]:
    """The tables that readers see."""
    files = place.rglob("*.parquet") if place.exists() else ()
    return {str(file.relative_to(place)) for file in files if file.is_file() and file.name[0] != "."}


def _rows(file: Path) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = pq.read_table(file, partitioning=None).to_pylist()
    return [{name: value for name, value in row.items() if name not in CLOCKS} for row in rows]


STORE_PROGRAM: Final = """
import sys
from experiments.reliability.kill_subjects import steps
from broker_sim.engines.relational import Relational
from broker_sim.xpath import parse_xpath

with Relational("duckdb", sys.argv[1]) as engine, open(sys.argv[2], "a+") as journal:
    journal.seek(0)
    done = len(journal.readlines())
    for number, (added, removed) in enumerate(steps()):
        if number < done:
            continue
        if min(added) not in engine:
            engine.add_all((id, parse_xpath(text)) for id, text in added.items())
        for id in removed:
            if id in engine:
                engine.remove(id)
        journal.write(f"{number}\\n")
        journal.flush()
"""

STEPS: Final = 40
BATCH: Final = 25


def steps() -> list[tuple[dict[int, str], list[int]]]:
    """What the writer of the store does, in order: subscriptions to add at once, then ids to remove."""
    found = []
    for step in range(STEPS):
        ids = range(step * BATCH, (step + 1) * BATCH)
        added = {id: f"/a[b{id % 7}[@x={id % 5}]/c or d[.='{id % 3}']]//e{id % 4}/f" for id in ids}
        found.append((added, [step * BATCH // 2] if step % 3 == 2 else []))
    return found


class Store:
    """The relational engine on a file; a journal beside it says which steps were acknowledged."""

    startup = 0.3

    def reference(self, place: Path) -> float:
        started = time.monotonic()
        place.mkdir(parents=True)
        subprocess.run(self.command(place), cwd=PROJECT, check=True)
        return time.monotonic() - started

    def command(self, place: Path) -> list[str]:
        place.mkdir(exist_ok=True)
        return [sys.executable, "-c", STORE_PROGRAM, str(place / "store.duckdb"), str(place / "journal")]

    def check(self, place: Path, *, whole: bool) -> str | None:
        """Acknowledged steps are there, at most one step more, batches whole; and answers are lxml's."""
        if not (place / "store.duckdb").exists():
            return "no store" if whole else None
        try:
            with Relational("duckdb", str(place / "store.duckdb")) as engine:
                kept = {int(str(owner)) for (owner,) in engine.store.query("SELECT DISTINCT owner FROM xpath", {})}
                return self._wrong_ids(place, kept, whole) or _wrong_answers(engine, kept)
        except Exception as error:
            return f"{place}: {error!r}"

    def partial(self, place: Path) -> bool:
        return 0 < _acknowledged(place) < STEPS

    def _wrong_ids(self, place: Path, kept: set[int], whole: bool) -> str | None:
        done = _acknowledged(place)
        allowed = (
            [_after(done)] if done == STEPS else [_after(done), _after(done) | set(steps()[done][0]), _after(done + 1)]
        )
        if kept not in allowed or (whole and done != STEPS):
            return f"{place}: {len(kept)} subscriptions after {done} acknowledged steps"
        return None


def _acknowledged(place: Path) -> int:
    journal = place / "journal"
    return journal.read_text().count("\n") if journal.exists() else 0


def _after(done: int) -> set[int]:
    kept: set[int] = set()
    for added, removed in steps()[:done]:
        kept = (kept | set(added)) - set(removed)
    return kept


def _wrong_answers(engine: Relational, kept: set[int]) -> str | None:
    referee = create_engine("lxml")
    texts = {id: text for added, _ in steps() for id, text in added.items()}
    for id in kept:
        referee.add(id, parse_xpath(texts[id]))
    for number in range(7):
        inner = (
            f"<b{number} x='{number % 5}'><c/></b{number}><d>{number % 3}</d><g><e{number % 4}><f/></e{number % 4}></g>"
        )
        document = f"<a>{inner}</a>".encode()
        if engine.match(document) != referee.match(document):
            return f"answers differ from lxml's on {document!r}"
    return None


def _run() -> Files:
    return Files(("run",), SMALL)


def _sweep() -> Files:
    strategies = [["with-adv-with-cov"], ["no-adv-no-cov"], ["with-adv-no-cov"]]
    spec = f"seeds = 4\n[experiment]\n{SMALL}[axes]\nstrategies = {strategies}\n"
    return Files(("sweep", "--master", "loop"), spec)


SUBJECTS: Final[dict[str, Callable[[], Subject]]] = {"run": _run, "sweep": _sweep, "store": Store}
