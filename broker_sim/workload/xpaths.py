"""Seeded XPath workloads: linear paths by the rule of YFilter's query generator, and more on request.

With only `number`, `distinct`, `max_length` (L), `wildcard` (W), `descendant` (DO) and `theta` set, the paths follow
the rule in `query_walk` exactly. The rest goes beyond it, each apart and off by default:

- `relative`: this share of paths loses a random number of its first steps and starts with `//`;
- `dead`: this share contradicts the DTD, so that no valid document matches (see `dead`);
- `predicates`, `branching`: value tests and nested paths (see `tree_patterns`), which no dead path carries;
- `stop`: the walk may end after any step.

A path costs O(L). With `distinct`, paths that were drawn before are dropped and drawn again, and the generator keeps
what it wrote in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import repeat
from random import Random
from typing import Final

from broker_sim.errors import ConfigurationError
from broker_sim.workload.dead import Killer
from broker_sim.workload.expectations import expect_number, expect_whole
from broker_sim.workload.query_walk import QueryWalker, Walk
from broker_sim.workload.randomness import Seed, as_random
from broker_sim.workload.tree_patterns import Decorator, linear_steps
from broker_sim.xpath import Path
from dtd_ads.schema import Schema

FRUITLESS_TRIES: Final = 100_000
"""With `distinct`: give up after so many paths in a row that were all known already."""

MAX_LENGTH: Final = 1_000
"""The largest L."""


@dataclass(frozen=True, slots=True)
class XPathParameters:
    """What to generate; probabilities and shares lie in [0, 1]."""

    number: int
    distinct: bool = True
    max_length: int = 10
    wildcard: float = 0.0
    descendant: float = 0.0
    theta: float = 0.0
    predicates: int = 0
    branching: float = 0.0
    relative: float = 0.0
    dead: float = 0.0
    stop: float = 0.0
    max_value: int = 10

    def __post_init__(self) -> None:
        for name in ("wildcard", "descendant", "branching", "relative", "dead", "stop"):
            expect_number(name, getattr(self, name), 0, 1)
        expect_number("theta", self.theta, 0, 100)
        expect_whole("number", self.number, 0, 1_000_000_000)
        expect_whole("max_length", self.max_length, 1, MAX_LENGTH)
        expect_whole("predicates", self.predicates, 0, 100)
        expect_whole("max_value", self.max_value, 1, 1_000_000_000)

    @property
    def linear(self) -> bool:
        """Whether every path is linear."""
        return not (self.predicates or self.branching)


def generate_xpaths(schema: Schema, parameters: XPathParameters, seed: Seed) -> Iterator[Path]:
    """`parameters.number` paths, one at a time.

    Raises `ConfigurationError` when `distinct` cannot be kept: after `FRUITLESS_TRIES` known paths in a row.
    """
    draw = _drawing(schema, parameters, as_random(seed))
    if not parameters.distinct:
        for _ in repeat(None, parameters.number):
            yield draw()[1]()
        return
    known: set[object] = set()
    fruitless = 0
    while len(known) < parameters.number:
        key, path = draw()
        if key not in known:
            known.add(key)
            fruitless = 0
            yield path()
        elif (fruitless := fruitless + 1) >= FRUITLESS_TRIES:
            raise ConfigurationError(
                f"{schema.name} has too few distinct paths for these parameters: found {len(known):,} of "
                f"{parameters.number:,}, then {FRUITLESS_TRIES:,} tries brought no new one; "
                "ask for fewer, or for wildcards, '//', longer or not distinct paths",
                source="number",
            )


Drawn = tuple[object, Callable[[], Path]]
"""What tells a path from others, cheap to make, and how to build the path."""


def _drawing(schema: Schema, parameters: XPathParameters, random: Random) -> Callable[[], Drawn]:
    walker = QueryWalker(
        schema,
        random,
        max_length=parameters.max_length,
        wildcard=parameters.wildcard,
        descendant=parameters.descendant,
        theta=parameters.theta,
        stop=parameters.stop,
    )
    killer = Killer(schema, random)
    decorator = Decorator(
        schema,
        walker,
        random,
        predicates=parameters.predicates,
        branching=parameters.branching,
        max_value=parameters.max_value,
    )
    chance = random.random

    def draw() -> Drawn:
        walk = walker.from_root()
        if parameters.relative and chance() < parameters.relative:
            walk = _relative(walk, int(chance() * len(walk.written)))
        if parameters.dead and chance() < parameters.dead:
            written = killer.kill(walk.written)
        elif not parameters.linear:
            path = Path(decorator.decorate(walk))
            return path, lambda: path
        else:
            written = walk.written
        return written, lambda: Path(linear_steps(written))

    return draw


def _relative(walk: Walk, dropped: int) -> Walk:
    first = "//" + walk.written[dropped].lstrip("/")
    return Walk((first, *walk.written[dropped + 1 :]), walk.places[dropped:])
