"""Merge candidates among many paths, found by hashing instead of comparing all pairs.

All paths that a rule of `merge_rules` turns into the same merger meet in one bucket:

- Rules 1 and 2: paths of equal length whose names agree but at one position. A path of n steps has n such keys (its
  names, one of them starred); inside a bucket, the paths with equal operators merge by rule 1, and two groups whose
  operators differ once merge by rule 2.
- Rule 3: paths with a common prefix and suffix that are most of them; about n^2 / 3 keys a path.

A bucket stands for its merger with *all* its members, not for pairs: the imperfect degree only falls with more
members, so if the whole bucket is refused, every pair in it would be. A bucket of rule 3 whose members all agree in one
more step is left out, for a tighter bucket has the same members. Only buckets that gained a member since the last
question are looked at again. Memory: one list slot for each key of each path.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import lru_cache
from typing import TypeVar

from broker_sim.relations.merge_rules import joined, mostly_equal
from broker_sim.relations.residuals import Steps, axis_of, name_of
from broker_sim.xpath import CHILD, DESCENDANT, WILDCARD, Axis

Member = tuple[int, Steps]
StarredKey = tuple[int, tuple[str, ...]]
JoinedKey = tuple[Steps, Steps]

Key = TypeVar("Key")


class MergeBuckets:
    """Paths under the numbers of their entries, and the mergers that the rules make of them."""

    def __init__(self) -> None:
        self._starred: dict[StarredKey, list[Member]] = {}
        self._joined: dict[JoinedKey, list[Member]] = {}
        self._grown_starred: set[StarredKey] = set()
        self._grown_joined: set[JoinedKey] = set()

    def add(self, entry: int, steps: Steps) -> None:
        """Put one spelling of an entry's path into its buckets."""
        member = (entry, steps)
        names = tuple([name_of(step) for step in steps])
        for at in range(len(steps)):
            starred = (at, (*names[:at], WILDCARD, *names[at + 1 :]))
            _put(self._starred, self._grown_starred, starred, member)
        for before, after in _splits(len(steps)):
            around = (steps[:before], (names[-after], *steps[len(steps) - after + 1 :]))
            _put(self._joined, self._grown_joined, around, member)

    def candidates(self, alive: Container[int]) -> dict[Steps, tuple[int, set[int]]]:
        """By merger: the lowest rule that makes it and the living entries it is made of, from all grown buckets."""
        found: dict[Steps, tuple[int, set[int]]] = {}
        for rule, merger, entries in self._grown(alive):
            if len(entries) > 1:
                known_rule, known = found.get(merger, (rule, entries))
                found[merger] = (min(rule, known_rule), known | entries)
        return found

    def _grown(self, alive: Container[int]) -> Iterator[tuple[int, Steps, set[int]]]:
        for starred in self._grown_starred:
            yield from _same_length(starred, _living(self._starred, starred, alive))
        for around in self._grown_joined:
            members = _living(self._joined, around, alive)
            if len(members) > 1 and not _agree_further(around, members):
                yield 3, joined(*around), {entry for entry, _ in members}
        self._grown_starred.clear()
        self._grown_joined.clear()


def _put(buckets: dict[Key, list[Member]], grown: set[Key], key: Key, member: Member) -> None:
    bucket = buckets.setdefault(key, [])
    bucket.append(member)
    if len(bucket) > 1:
        grown.add(key)


def _living(buckets: dict[Key, list[Member]], key: Key, alive: Container[int]) -> list[Member]:
    bucket = buckets[key]
    bucket[:] = [member for member in bucket if member[0] in alive]
    return bucket


@lru_cache(maxsize=256)
def _splits(length: int) -> tuple[tuple[int, int], ...]:
    """The lengths of prefix and suffix by which a path may meet others under rule 3."""
    return tuple(
        (before, after)
        for before in range(1, length)
        for after in range(1, length - before + 1)
        if mostly_equal(before + after, length)
    )


def _same_length(key: StarredKey, members: list[Member]) -> Iterator[tuple[int, Steps, set[int]]]:
    """The mergers of rules 1 and 2 in one bucket."""
    _, names = key
    by_axes: dict[tuple[Axis, ...], set[int]] = {}
    for entry, steps in members:
        by_axes.setdefault(tuple([axis_of(step) for step in steps]), set()).add(entry)
    for axes, entries in by_axes.items():
        merger = _written(axes, names)
        yield 1, merger, entries
        for position, axis in enumerate(axes):
            if axis == DESCENDANT:
                tighter = (*axes[:position], CHILD, *axes[position + 1 :])
                yield 2, merger, entries | by_axes.get(tighter, set())


def _written(axes: tuple[Axis, ...], names: tuple[str, ...]) -> Steps:
    return tuple([axis + name for axis, name in zip(axes, names, strict=True)])


def _agree_further(key: JoinedKey, members: list[Member]) -> bool:
    """Whether all members have a middle, and all middles begin alike or all end alike."""
    before, after = map(len, key)
    if any(len(steps) == before + after for _, steps in members):
        return False
    firsts = {steps[before] for _, steps in members}
    lasts = {(name_of(steps[-after - 1]), steps[-after]) for _, steps in members}
    return len(firsts) == 1 or len(lasts) == 1
