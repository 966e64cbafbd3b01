"""The expression as written -> the paths of which one must match.

Every condition is worked into the alternatives found so far: `and` one part after the other, `or` each part on its own
copy, a path by walking it in the pattern's tree, where `..` climbs (see `pattern`). The number of alternatives is
checked whenever one is added, so an expression with too many stops at the bound and never builds the rest. What
is left is sorted, freed of duplicates and written as a disjunction.

The parent of an element always exists (above the root it is the document), so a `..` that ends a path asks nothing
and `//b/..` is `//b`.
"""

from __future__ import annotations

from collections.abc import Iterable

from broker_sim.xpath.canonical import canonical_path
from broker_sim.xpath.expression import Expression, Path, ValueTest, disjunction
from broker_sim.xpath.limits import Limits
from broker_sim.xpath.pattern import DOCUMENT, At, Pattern
from broker_sim.xpath.syntax import And, BelowStep, Condition, HavingStep, NameStep, Or, ParentStep, Test, WrittenStep
from broker_sim.xpath.tokens import syntax_error


def elaborate(text: str, written: tuple[Test, ...], limits: Limits) -> Expression:
    """The canonical expression; `text` is for error messages."""
    return _Elaboration(text, limits).expression(written)


class _Elaboration:
    def __init__(self, text: str, limits: Limits) -> None:
        self._text = text
        self._limits = limits

    def expression(self, written: tuple[Test, ...]) -> Expression:
        paths: set[Path] = set()
        for path in dict.fromkeys(written):
            ends = self._walk([(Pattern(), DOCUMENT)], path)
            paths.update(canonical_path(pattern, end) for pattern, end in ends)
            self._check(len(paths), path.position)
        if not paths:
            raise syntax_error(
                self._text, written[0].position, "expected a path that some document matches: this one can never match"
            )
        return disjunction(paths)

    def _walk(self, states: list[At], path: Test) -> list[At]:
        """Where `path` can lead from each of `states`."""
        steps = path.steps
        asks_value = path.subject != "." or path.operator is not None
        if steps and isinstance(steps[-1], ParentStep) and not asks_value:
            return [(pattern, node) for pattern, node in self._all(states, steps[:-1]) if node != DOCUMENT]
        states = self._all(states, steps)
        if not asks_value:
            return states
        test = ValueTest(path.subject, path.operator, path.literal)
        return [found for pattern, node in states for found in pattern.to_having(node, test)]

    def _all(self, states: list[At], steps: tuple[WrittenStep, ...]) -> list[At]:
        for step in steps:
            states = self._bounded((self._step(state, step) for state in states), step.position)
        return states

    def _step(self, state: At, step: WrittenStep) -> list[At]:
        pattern, node = state
        match step:
            case ParentStep():
                return pattern.to_parent(node)
            case BelowStep():
                return pattern.to_below(node)
            case HavingStep(subject):
                return pattern.to_having(node, ValueTest(subject))
            case NameStep(axis, name, conditions):
                return self._where_all(pattern.to_name(node, axis, name), conditions, step.position)

    def _where(self, state: At, condition: Condition, position: int) -> list[At]:
        """`state` with `condition` worked in; the node stays where it is."""
        pattern, node = state
        match condition:
            case Test():
                return [(found, node) for found, _ in self._walk([state], condition)]
            case And(parts):
                return self._where_all([state], parts, position)
            case Or(parts):
                copies = ((pattern.copy(), part) for part in parts)
                return self._bounded((self._where((copy, node), part, position) for copy, part in copies), position)

    def _where_all(self, states: list[At], conditions: tuple[Condition, ...], position: int) -> list[At]:
        for condition in conditions:
            states = self._bounded((self._where(state, condition, position) for state in states), position)
        return states

    def _bounded(self, found: Iterable[list[At]], position: int) -> list[At]:
        states: list[At] = []
        for more in found:
            states += more
            self._check(len(states), position)
        return states

    def _check(self, count: int, position: int) -> None:
        if count > self._limits.max_disjuncts:
            most = self._limits.max_disjuncts
            raise syntax_error(self._text, position, f"expected 'or' and '..' to leave at most {most} alternatives")
