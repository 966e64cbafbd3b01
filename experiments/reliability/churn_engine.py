"""One engine with many subscriptions under continuous add, remove and match.

    python -m experiments.reliability.churn_engine --record

The engine is filled; then, for the time given, each step removes some subscriptions, adds as many new ones under the
ids that became free or under ids never used before, and matches one document. Nine subscriptions in ten are linear, one
has a comparison and a nested path. Now and then some ids that the engine names and some that it does not are put to
lxml. Resident memory is taken every few seconds. After a tenth of the time, in which caches fill, it must stay within
10 % between its least and its most.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, cycle, islice

from pyroaring import BitMap

from broker_sim.engines import Engine, create_engine
from broker_sim.engines.benchmark import nitf_documents
from broker_sim.workload import XPathParameters, generate_xpaths
from broker_sim.xpath import Expression, parse_xpath
from dtd_ads import load_schema
from experiments.reliability.recording import record_row

CHANGES = 20
"""Subscriptions that a step replaces."""
SAMPLED = 20
"""Ids on each side of an answer that are put to lxml."""
CHECK_EVERY = 20
SAMPLE_SECONDS = 2.0
ENDLESS = 1_000_000_000


@dataclass(slots=True)
class Figures:
    """What is counted on the way."""

    steps: int = 0
    checked: int = 0
    wrong: int = 0
    memory: list[tuple[float, int]] = field(default_factory=list)

    def spread(self, since: float) -> float:
        """The most memory by the least, after the given moment."""
        later = [used for moment, used in self.memory if moment >= since] or [1]
        return max(later) / min(later)


class Churn:
    """An engine, what is subscribed, and what comes next."""

    def __init__(self, engine: Engine, number: int, seed: int) -> None:
        self.engine = engine
        self._chance = random.Random(seed)
        self._new = _expressions(seed)
        self._texts: dict[int, str] = {}
        self._ids = list(range(number))
        self._fresh = number
        for id, expression in enumerate(islice(self._new, number)):
            self._add(id, expression)

    def _add(self, id: int, expression: Expression) -> None:
        self.engine.add(id, expression)
        self._texts[id] = str(expression)

    def replace(self, count: int) -> None:
        """Remove so many subscriptions and add as many: half under the same ids, half under new ones."""
        for place in self._chance.sample(range(len(self._ids)), count):
            self.engine.remove(self._ids[place])
            del self._texts[self._ids[place]]
            if self._chance.random() < 0.5:
                self._ids[place] = self._fresh
                self._fresh += 1
            self._add(self._ids[place], next(self._new))

    def wrong(self, document: bytes, found: BitMap) -> tuple[int, int]:
        """How many ids were put to lxml, and for how many it answers otherwise."""
        referee = create_engine("lxml")
        named = self._chance.sample(list(found), min(SAMPLED, len(found)))
        others = self._chance.sample(self._ids, SAMPLED)
        for id in {*named, *others}:
            if id in self._texts:
                referee.add(id, parse_xpath(self._texts[id]))
        gone = sum(id not in self._texts for id in found)
        answer = referee.match(document)
        asked = [id for id in {*named, *others} if id in self._texts]
        return len(asked), gone + sum((id in answer) != (id in found) for id in asked)


def _expressions(seed: int) -> Iterator[Expression]:
    schema = load_schema("nitf")
    linear = XPathParameters(number=ENDLESS, distinct=False, wildcard=0.1, descendant=0.1)
    pattern = XPathParameters(
        number=ENDLESS, distinct=False, wildcard=0.1, descendant=0.1, predicates=1, branching=0.1, max_value=20
    )
    paths, patterns = generate_xpaths(schema, linear, seed), generate_xpaths(schema, pattern, seed + 1)
    return chain.from_iterable((*islice(paths, 9), *islice(patterns, 1)) for _ in iter(int, 1))


def resident() -> int:
    """Bytes of this process in memory."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def run(churn: Churn, documents: list[bytes], seconds: float) -> Figures:
    """Go on for so long."""
    figures, started = Figures(), time.monotonic()
    for step, document in enumerate(cycle(documents)):
        moment = time.monotonic() - started
        if moment >= seconds:
            return figures
        churn.replace(CHANGES)
        found = churn.engine.match(document)
        figures.steps += 1
        if step % CHECK_EVERY == 0:
            checked, wrong = churn.wrong(document, found)
            figures.checked += checked
            figures.wrong += wrong
        if not figures.memory or moment - figures.memory[-1][0] >= SAMPLE_SECONDS:
            figures.memory.append((moment, resident()))
    raise AssertionError("documents do not end")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--engine", default="lazy-dfa")
    parser.add_argument("--subscriptions", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--record", action="store_true", help="keep the figures under results/")
    chosen = parser.parse_args()
    churn = Churn(create_engine(chosen.engine), chosen.subscriptions, chosen.seed)
    figures = run(churn, nitf_documents(200, chosen.seed), chosen.seconds)
    for moment, used in figures.memory[:: max(1, len(figures.memory) // 30)]:
        print(f"{moment:6.0f} s {used / 1e6:8.0f} MB")
    spread = figures.spread(chosen.seconds / 10)
    row = {
        "engine": chosen.engine,
        "subscriptions": len(churn.engine),
        "seconds": round(chosen.seconds),
        "added and removed": figures.steps * CHANGES,
        "documents matched": figures.steps,
        "answers put to lxml": figures.checked,
        "wrong": figures.wrong,
        "least MB": min(used for _, used in figures.memory) // 1_000_000,
        "most MB": max(used for _, used in figures.memory) // 1_000_000,
        "most / least after a tenth": spread,
    }
    print(row)
    if chosen.record:
        record_row("churn", "An engine under continuous add, remove and match", "engine", row)
    sys.exit(1 if figures.wrong or spread > 1.1 else 0)


if __name__ == "__main__":
    main()
