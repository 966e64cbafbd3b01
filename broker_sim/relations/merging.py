"""One expression in place of two: the mergers of the router paper (section 5, Merging).

`merge` applies the rules of `merge_rules` to two linear paths, in the spelling given and in normal form, and returns
the tightest merger: a perfect one if there is one, then the one of smallest imperfect degree if a schema is given, then
the one of the lowest rule. If one expression covers the other, that one is the merger, it is perfect and its rule is 0.

**A merger covers its parts over all names**, not only over the DTD: only then it loses no document of another
publisher. So the schema decides how good a merger is (`perfect`, `degree`), never whether it is sound. `perfect` is
decided exactly (`perfect_merging`), over publications of any depth; `degree` counts those up to `max_depth`. A perfect
merger has degree 0; one of degree 0 that is not perfect has false positives only in deeper documents.

The rules speak of linear paths. Tree patterns and disjunctions merge only where one covers the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from broker_sim.relations.covering import covers
from broker_sim.relations.imperfect_degree import imperfect_degree
from broker_sim.relations.merge_rules import mergers
from broker_sim.relations.normal_form import normal_form
from broker_sim.relations.perfect_merging import is_perfect
from broker_sim.relations.residuals import Steps, path_of, written
from broker_sim.xpath import Expression, Path
from dtd_ads import Schema


@dataclass(frozen=True, slots=True)
class Merger:
    """An expression that covers two others; `degree` is None where it is unknown for want of a schema."""

    expression: Expression
    rule: int
    perfect: bool
    degree: float | None


def merge(first: Expression, second: Expression, schema: Schema | None = None, max_depth: int = 10) -> Merger | None:
    """The tightest merger of two expressions, or None if no rule applies."""
    covering = _covering(first, second)
    if covering is not None:
        return Merger(covering, rule=0, perfect=True, degree=0.0)
    if not (isinstance(first, Path) and isinstance(second, Path) and first.is_linear and second.is_linear):
        return None
    found = (_judged(rule, steps, (first, second), schema, max_depth) for rule, steps in candidates(first, second))
    return min(found, key=_looseness, default=None)


def candidates(first: Path, second: Path) -> Iterator[tuple[int, Steps]]:
    """What the rules make of two linear paths, in all their spellings."""
    for mine in spellings(first):
        for yours in spellings(second):
            yield from mergers(mine, yours)


def spellings(path: Path) -> tuple[Steps, ...]:
    """The path as it is written and, if that is different, its normal form."""
    return tuple(dict.fromkeys((written(path), written(normal_form(path)))))


def _covering(first: Expression, second: Expression) -> Expression | None:
    """The one that covers the other; of two that are equal, the one whose text is smaller."""
    covering = [one for one, other in ((first, second), (second, first)) if covers(one, other)]
    return min(covering, key=str, default=None)


def _judged(rule: int, steps: Steps, parts: tuple[Path, Path], schema: Schema | None, max_depth: int) -> Merger:
    expression = path_of(steps)
    perfect = is_perfect(steps, map(written, parts), schema)
    degree = 0.0 if perfect else None
    if schema is not None and not perfect:
        degree = imperfect_degree(expression, parts, schema, max_depth)
    return Merger(expression, rule, perfect, degree)


def _looseness(merger: Merger) -> tuple[bool, float, int, str]:
    return not merger.perfect, merger.degree or 0.0, merger.rule, str(merger.expression)
