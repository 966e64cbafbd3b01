"""A smaller set of expressions in place of many: merging until no allowed merger is left.

The router paper (section 5, Merging) gives the rules and the imperfect degree, and leaves open how a broker finds what
to merge. Here the set first loses what is covered (rule 0, `covering_index`), then mergers are taken greedily, in
rounds: of all candidates (`merge_buckets`) within `max_degree` the one with the smallest degree comes first, then the
lowest rule, then the smallest steps, so that the result does not depend on the order of the input. A merger takes all
paths in its bucket at once: `/a/b`, `/a/c` and `/a/d` merge perfectly if nothing else stands in `a`, though no two of
them do. At the end of a round, the entries that a new merger covers join it.

An entry lists the **original** expressions it stands for, each original under exactly one entry, and its degree is
always that against these, never against mergers on the way. So the degree does not creep, and a broker whose
subscriber leaves knows which originals to merge anew. An entry of degree 0 has the same publications as its parts, so
further mergers may count with it in their place.

Cost: about n^2 / 3 keys for each path of n steps, and one count of publications for each bucket of two or more; a union
is counted only where the sum of its parts' counts reaches what is needed. Without a schema the degree is unknown, and
only mergers that are perfect over any names are taken. Expressions that are not linear paths stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import count

from broker_sim.errors import ConfigurationError
from broker_sim.relations.covering_index import CoveringIndex
from broker_sim.relations.merge_buckets import MergeBuckets
from broker_sim.relations.merge_judges import DegreeJudge, Judge, PerfectJudge
from broker_sim.relations.merging import spellings
from broker_sim.relations.publication_count import counter_of
from broker_sim.relations.residuals import Steps, path_of, written
from broker_sim.xpath import Expression, Path
from dtd_ads import Schema


@dataclass(frozen=True, slots=True)
class MergedEntry:
    """An expression, the original expressions it stands for (in order of their text) and its degree against them."""

    expression: Expression
    parts: tuple[Expression, ...]
    degree: float


def merge_set(
    expressions: Iterable[Expression], schema: Schema | None, max_degree: float = 0.0, max_depth: int = 10
) -> tuple[MergedEntry, ...]:
    """Entries, in order of their text, that cover all `expressions`, none of a degree above `max_degree`."""
    if not 0 <= max_degree < 1:
        raise ConfigurationError(f"max_degree must be at least 0 and less than 1, got {max_degree}")
    distinct = sorted(set(expressions), key=str)
    linear = {written(path): path for path in distinct if isinstance(path, Path) and path.is_linear}
    others = [expression for expression in distinct if not (isinstance(expression, Path) and expression.is_linear)]
    judge: Judge = PerfectJudge() if schema is None else DegreeJudge(counter_of(schema, max_depth), max_degree)
    merged = _Merging(judge, linear).run()
    entries = [_finished(entry, linear) for entry in merged]
    entries += [MergedEntry(expression, (expression,), 0.0) for expression in others]
    return tuple(sorted(entries, key=lambda entry: str(entry.expression)))


@dataclass(slots=True)
class _Entry:
    """`counted` has the same publications as `parts`, in one path where the degree is 0."""

    steps: Steps
    parts: set[Steps]
    counted: set[Steps]
    degree: Fraction = Fraction(0)

    def settle(self, degree: Fraction) -> None:
        """Note the degree against all parts."""
        self.degree = degree
        if not degree:
            self.counted = {self.steps}


class _Merging:
    """The entries of one set while they are merged; a number is given once, in canonical order."""

    def __init__(self, judge: Judge, originals: Iterable[Steps]) -> None:
        self._judge = judge
        self._entries = {number: _Entry(path, {path}, {path}) for number, path in enumerate(originals)}
        self._numbers = count(len(self._entries))
        self._buckets = MergeBuckets()
        self._index = CoveringIndex()
        self._refused: dict[Steps, set[int]] = {}

    def run(self) -> Iterable[_Entry]:
        """Merge to the end."""
        fresh = self._fold(set(self._entries))
        while fresh:
            for number in sorted(fresh):
                for steps in spellings(path_of(self._entries[number].steps)):
                    self._buckets.add(number, steps)
            fresh = self._fold(self._round())
        return self._entries.values()

    def _round(self) -> set[int]:
        """Take the allowed candidates, best first; the numbers of the new entries."""
        allowed = []
        for merger, (rule, numbers) in self._buckets.candidates(self._entries).items():
            degree = self._degree(merger, numbers)
            if degree is not None:
                allowed.append((degree, rule, merger, numbers))
        taken = [self._take(merger, numbers & self._entries.keys()) for *_, merger, numbers in sorted(allowed)]
        return {number for number in taken if number is not None}

    def _degree(self, merger: Steps, numbers: set[int]) -> Fraction | None:
        """The degree of an allowed merger of these entries; refused once, it is refused for any fewer of them."""
        if numbers <= self._refused.get(merger, set()):
            return None
        degree = self._judge.degree(merger, (path for number in numbers for path in self._entries[number].counted))
        if degree is None:
            self._refused[merger] = numbers
        return degree

    def _take(self, merger: Steps, living: set[int]) -> int | None:
        """Put `merger` in the place of the entries that others have left, if it is still allowed."""
        degree = self._degree(merger, living) if len(living) > 1 else None
        if degree is None:
            return None
        members = [self._leave(number) for number in sorted(living)]
        entry = _Entry(merger, set(), set())
        entry.parts.update(*(member.parts for member in members))
        entry.counted.update(*(member.counted for member in members))
        entry.settle(degree)
        number = next(self._numbers)
        self._entries[number] = entry
        return number

    def _fold(self, fresh: set[int]) -> set[int]:
        """Let every entry that fresh ones cover join one of them; the numbers of the fresh ones that remain.

        Of entries that cover each other, equal ones in different spelling, the one with the smallest text remains.
        """
        for number in sorted(fresh):
            self._index.add(number, path_of(self._entries[number].steps))
        maximal = self._index.maximal()
        dropped = sorted(self._entries.keys() - set(maximal))
        for number in dropped:
            covering = self._index.coverers(self._index.path(number)) & maximal
            self._absorb(min(covering, key=lambda one: self._entries[one].steps), number)
        for number in sorted(fresh - set(dropped)):
            self._settle(self._entries[number])
        for number in dropped:
            self._leave(number)
        return fresh - set(dropped)

    def _leave(self, number: int) -> _Entry:
        self._index.remove(number)
        return self._entries.pop(number)

    def _absorb(self, number: int, covered: int) -> None:
        entry = self._entries[number]
        entry.parts |= self._entries[covered].parts
        if entry.degree:
            entry.counted |= self._entries[covered].counted

    def _settle(self, entry: _Entry) -> None:
        """Find the degree anew after others joined; more parts never raise it, so it stays allowed."""
        degree = self._judge.degree(entry.steps, entry.counted) if entry.degree else None
        if degree is not None:
            entry.settle(degree)


def _finished(entry: _Entry, originals: dict[Steps, Path]) -> MergedEntry:
    parts = sorted((originals[part] for part in entry.parts), key=str)
    return MergedEntry(originals.get(entry.steps) or path_of(entry.steps), tuple(parts), float(entry.degree))
