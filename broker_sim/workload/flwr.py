"""Seeded FLWR queries with the parameters of the message broker paper (table 1).

Q queries (`number`); a binding path of at most D1 levels (`depth`); PP predicate paths (`predicates`) and RP return
paths (`returns`) of at most D2 levels (`relative_depth`) below the bound element; `//` at any step with probability
DSProb (`descendant`); predicates compare with one of `max_value` values. As in the paper, predicate and return paths
are sorted, and no two queries are equal.

The binding path is a walk from the root that goes on to level D1, as in YFilter's generator (`query_walk`), through
elements that contain others only: an element without children has nothing to return. A step written with `//` first
goes down some levels that are not written. Relative paths have any length up to D2. A predicate path ends at an element
with text or with an attribute, and compares that. The paper does not say how these choices were made; it has one
comparison for each predicate path and none in binding paths, and so have we, unless `binding_predicates` asks for
simple predicates at steps of the binding path.

An element that offers too few paths or tests gives a query with fewer of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Final, TypeVar

from broker_sim.delivery.query import Condition, Query, Template
from broker_sim.errors import ConfigurationError
from broker_sim.workload.expectations import expect_number, expect_whole
from broker_sim.workload.randomness import Seed, as_random
from broker_sim.workload.values import is_namespace, number, plain_value
from broker_sim.workload.xpaths import FRUITLESS_TRIES
from broker_sim.xpath import CHILD, DESCENDANT, Step, ValueTest
from broker_sim.xpath.linear import linear_step
from dtd_ads.content import Attribute
from dtd_ads.schema import Schema

_TRIES: Final = 50
"""How often a path is drawn again that was drawn for the same query already."""

Steps = tuple[Step, ...]
Drawn = TypeVar("Drawn")


@dataclass(frozen=True, slots=True)
class FlwrParameters:
    """What to generate; the defaults are those of the paper's first experiment."""

    number: int
    depth: int = 2
    predicates: int = 1
    returns: int = 2
    relative_depth: int = 2
    descendant: float = 0.2
    max_value: int = 10
    binding_predicates: float = 0.0

    def __post_init__(self) -> None:
        expect_whole("number", self.number, 0, 1_000_000_000)
        expect_whole("max_value", self.max_value, 1, 1_000_000_000)
        for name in ("depth", "relative_depth"):
            expect_whole(name, getattr(self, name), 1, 1_000)
        for name in ("predicates", "returns"):
            expect_whole(name, getattr(self, name), 0, 100)
        for name in ("descendant", "binding_predicates"):
            expect_number(name, getattr(self, name), 0, 1)


def generate_flwr(schema: Schema, parameters: FlwrParameters, seed: Seed) -> Iterator[Query]:
    """`parameters.number` distinct queries; raises `ConfigurationError` where the DTD has too few."""
    draw = _Drawing(schema, parameters, as_random(seed))
    known: set[Query] = set()
    fruitless = 0
    while len(known) < parameters.number:
        query = draw.query()
        if query not in known:
            known.add(query)
            fruitless = 0
            yield query
        elif (fruitless := fruitless + 1) >= FRUITLESS_TRIES:
            raise ConfigurationError(
                f"{schema.name} has too few distinct queries for these parameters: found {len(known):,} of "
                f"{parameters.number:,}, then {FRUITLESS_TRIES:,} tries brought no new one",
                source="number",
            )


class _Drawing:
    def __init__(self, schema: Schema, parameters: FlwrParameters, random: Random) -> None:
        self._schema: Final = schema
        self._parameters: Final = parameters
        self._random: Final = random.random
        self._inner: Final = {
            name: tuple(child for child in schema.children(name) if schema.children(child)) for name in schema.reachable
        }

    def query(self) -> Query:
        binding, bound = self._binding()
        conditions = self._distinct(lambda: self._condition(bound), self._parameters.predicates)
        returns = self._distinct(lambda: self._relative(bound)[0], self._parameters.returns)
        parts = ("<result>", *[""] * (len(returns) - 1), "</result>") if returns else ("<result></result>",)
        return Query(
            opening="<results>",
            closing="</results>",
            variable="x",
            document="doc.xml",
            binding=binding,
            conditions=tuple(sorted(conditions, key=lambda condition: str(condition.branch))),
            returns=tuple(sorted(returns, key=str)),
            template=Template(parts),
        )

    def _binding(self) -> tuple[Steps, str]:
        name, level, depth = self._schema.root, 1, self._parameters.depth
        steps: list[Step] = []
        while True:
            jumps = self._random() < self._parameters.descendant
            for _ in range(int(self._random() * (depth - level)) if jumps else 0):
                if self._inner[name]:
                    name, level = self._one_of(self._inner[name]), level + 1
            steps.append(self._binding_step(jumps, name))
            if level >= depth or not self._inner[name]:
                return tuple(steps), name
            name, level = self._one_of(self._inner[name]), level + 1

    def _binding_step(self, jumps: bool, name: str) -> Step:
        step = linear_step(DESCENDANT if jumps else CHILD, name)
        if self._parameters.binding_predicates and self._random() < self._parameters.binding_predicates:
            test = self._test(name)
            if test is not None:
                return Step(step.axis, name, (test,))
        return step

    def _relative(self, bound: str) -> tuple[Steps, str]:
        name, steps = bound, list[Step]()
        level, depth = 0, 1 + int(self._random() * self._parameters.relative_depth)
        while level < depth and self._schema.children(name):
            jumps = self._random() < self._parameters.descendant
            name, level = self._one_of(self._schema.children(name)), level + 1
            for _ in range(int(self._random() * (depth - level + 1)) if jumps else 0):
                if self._schema.children(name):
                    name, level = self._one_of(self._schema.children(name)), level + 1
            steps.append(linear_step(DESCENDANT if jumps else CHILD, name))
        return tuple(steps), name

    def _condition(self, bound: str) -> Condition | None:
        steps, name = self._relative(bound)
        test = self._test(name)
        return Condition(steps, (test,)) if steps and test is not None else None

    def _test(self, name: str) -> ValueTest | None:
        element = self._schema.elements[name]
        text = element.content.kind in ("MIXED", "ANY")
        attributes = [one for one in element.attributes if not is_namespace(one)]
        choice = int(self._random() * (len(attributes) + text))
        if choice < len(attributes):
            return self._attribute_test(attributes[choice])
        return ValueTest(".", "=", float(number(self._random, self._parameters.max_value))) if text else None

    def _attribute_test(self, attribute: Attribute) -> ValueTest | None:
        value = plain_value(attribute, self._random, self._parameters.max_value)
        if value is None or ('"' in value and "'" in value):
            return None
        plain = attribute.default == "fixed" or attribute.choices
        return ValueTest(f"@{attribute.name}", "=", value if plain else float(value))

    def _distinct(self, draw: Callable[[], Drawn | None], wanted: int) -> list[Drawn]:
        """`wanted` different things, or as many as are found in a number of tries."""
        found: dict[Drawn, None] = {}
        for _ in range(wanted * _TRIES):
            if len(found) == wanted:
                break
            drawn = draw()
            if drawn is not None:
                found[drawn] = None
        return list(found)

    def _one_of(self, names: tuple[str, ...]) -> str:
        return names[int(self._random() * len(names))]
