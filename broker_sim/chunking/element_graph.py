"""What a schema lets a path do: which steps can succeed at which elements.

The judge of dead queries. A step can succeed at an element when its predicates can and the rest of the path can, by the
element graph alone: who may stand inside whom. That is necessary for a valid document to match and, for linear paths,
sufficient. Content models, attributes and values are not looked at, so a query that asks for both sides of a choice is
kept, which costs time and loses nothing.

An answer for (rest of a path, element) is found once and kept; a path of n steps over m elements costs at most n x m
answers.
"""

from __future__ import annotations

from functools import cached_property

import networkx as nx

from broker_sim.xpath import CHILD, DESCENDANT, FOLLOWING_SIBLING, WILDCARD, Branch, Step
from dtd_ads.counting import useful_graph
from dtd_ads.schema import Schema

Steps = tuple[Step, ...]


class ElementGraph:
    """The part of a schema's element graph that finite documents can use, with the questions asked of it."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        graph = useful_graph(schema)
        self._below_root: tuple[str, ...] = (schema.root,) if schema.root in graph else ()
        self._children: dict[str, tuple[str, ...]] = {name: tuple(graph.successors(name)) for name in graph}
        self._graph = graph
        self._below: dict[str, frozenset[str]] = {}
        self._known: dict[tuple[Steps, str], bool] = {}

    def children(self, name: str | None) -> tuple[str, ...]:
        """The elements that may stand directly inside `name`, or inside the document for None."""
        return self._below_root if name is None else self._children[name]

    def below(self, name: str | None) -> frozenset[str]:
        """The elements that may stand anywhere inside `name`, or inside the document for None."""
        if name is None:
            return frozenset(self._graph) if self._below_root else frozenset()
        found = self._below.get(name)
        if found is None:
            inside = {below for child in self._children[name] for below in nx.descendants(self._graph, child)}
            found = self._below[name] = frozenset(inside).union(self._children[name])
        return found

    def beside(self, name: str) -> frozenset[str]:
        """The elements that may share a parent with `name`."""
        return self._siblings.get(name, frozenset())

    def fits(self, steps: Steps, name: str) -> bool:
        """Whether the first of `steps` can be at an element called `name`, and the rest follow from there."""
        key = (steps, name)
        known = self._known.get(key)
        if known is None:
            step, rest = steps[0], steps[1:]
            known = self._known[key] = (
                step.name in (WILDCARD, name)
                and all(self.follows(branch.steps, name) for branch in step.predicates if isinstance(branch, Branch))
                and self.follows(rest, name)
            )
        return known

    def fits_below(self, steps: Steps, name: str, parent: str | None) -> bool:
        """The same for an element directly inside `parent`; the root, inside None, has no siblings."""
        return (parent is not None or not _asks_siblings(steps)) and self.fits(steps, name)

    def follows(self, steps: Steps, name: str | None) -> bool:
        """Whether `steps` can be taken from an element called `name`, or from the document for None."""
        if not steps:
            return True
        if steps[0].axis == CHILD:
            return any(self.fits_below(steps, child, name) for child in self.children(name))
        if steps[0].axis == DESCENDANT:
            return any(self.fits(steps, below) for below in self.below(name))
        return name is not None and any(self.fits(steps, beside) for beside in self.beside(name))

    def forget(self) -> None:
        """Drop the answers kept; what a new path shares with old ones is not worth the memory."""
        self._known.clear()

    @cached_property
    def _siblings(self) -> dict[str, frozenset[str]]:
        found: dict[str, set[str]] = {}
        for children in self._children.values():
            for child in children:
                found.setdefault(child, set()).update(children)
        return {name: frozenset(beside) for name, beside in found.items()}


def _asks_siblings(steps: Steps) -> bool:
    """Whether the element at the first of `steps` must have siblings."""
    branches = [branch.steps for branch in steps[0].predicates if isinstance(branch, Branch)]
    return any(onward[0].axis == FOLLOWING_SIBLING for onward in (*branches, steps[1:]) if onward)
