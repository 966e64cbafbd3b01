"""Which of many linear paths cover a given one, without asking each.

A path that covers p matches every publication of P(p), so it matches this one too: the names of p, and a fresh name for
each `*` and in each gap of a `//`. The index holds its paths in one trie of steps (the shared prefixes of YFilter's
automaton), runs it over that publication, and asks the exact `covers` only of the paths it accepts. One question
costs the trie nodes active along the publication, then one `covers` for each path that is accepted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from broker_sim.relations.covering import covers
from broker_sim.relations.residuals import Steps, axis_of, name_of, path_of
from broker_sim.xpath import CHILD, DESCENDANT, WILDCARD

FRESH: Final = ""


@dataclass(slots=True)
class _Node:
    children: dict[str, _Node] = field(default_factory=dict)
    waits: bool = False
    paths: list[Steps] = field(default_factory=list)


class CoverIndex:
    """Linear paths, asked for those that cover another one."""

    def __init__(self, paths: Iterable[Steps]) -> None:
        self._root = _Node()
        for path in paths:
            self._add(path)

    def _add(self, path: Steps) -> None:
        node = self._root
        for step in path:
            node.waits = node.waits or axis_of(step) == DESCENDANT
            node = node.children.setdefault(step, _Node())
        node.paths.append(path)

    def covering(self, path: Steps) -> Iterator[Steps]:
        """The paths of the index, other than `path` itself, that cover it."""
        covered = path_of(path)
        for found in self._accepting(path):
            if found != path and covers(path_of(found), covered):
                yield found

    def _accepting(self, path: Steps) -> Iterator[Steps]:
        active = {id(self._root): self._root}
        for name in _example(path):
            following: dict[int, _Node] = {}
            for node in active.values():
                for child in _moves(node, name):
                    if id(child) not in following:
                        following[id(child)] = child
                        if id(child) not in active:
                            yield from child.paths
            active = following


def _moves(node: _Node, name: str) -> Iterator[_Node]:
    if node.waits:
        yield node
    for step in (CHILD + name, DESCENDANT + name, CHILD + WILDCARD, DESCENDANT + WILDCARD):
        child = node.children.get(step)
        if child is not None:
            yield child


def _example(path: Steps) -> Iterator[str]:
    """A publication that `path` matches."""
    for step in path:
        if axis_of(step) == DESCENDANT:
            yield FRESH
        yield FRESH if name_of(step) == WILDCARD else name_of(step)
