"""What each chunk keeps of an element, decided by the element's path alone.

The prefixes and filter paths of all chunks are linear paths, so one automaton decides for all chunks at once. It is
made deterministic on demand, as in the `lazy-dfa` engine: the state of an element follows from its parent's state and
its name, and is made when first needed. So an element costs one lookup, whatever the number of chunks.

A state also carries the schema's element. Where the schema does not allow a name, there is no state: the document is
refused, for the answers would not be those of the subscriptions as written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from lxml import etree

from broker_sim.chunking.needs import Keep
from broker_sim.chunking.scheme import Chunk
from broker_sim.chunking.transformation import Steps
from broker_sim.engines.documents import written_name
from broker_sim.errors import DocumentError
from broker_sim.xpath import CHILD, DESCENDANT, WILDCARD
from broker_sim.xpath.linear import linear_step
from dtd_ads.schema import Schema

MAX_STATES: Final = 10_000
MAX_NAMES: Final = 10_000
"""How many states are kept, and how many names lead on from each; beyond that they are found anew."""

ANY: Final = "*"
"""The name of every element where there is no schema to ask."""

Item = tuple[int, int]
"""A linear path by number, and how many of its steps have been taken."""


@dataclass(slots=True, eq=False)
class State:
    """What happens at an element.

    `starts` says for which chunks it is kept, and how much; chunks whose kept subtree it is inside are not named
    again. `interrupts` are the chunks that keep its parent's text, `holds` those in which its own start tag may be
    written as the ancestor of something kept. `acts` is false where nothing is to be done at the element nor inside.
    """

    name: str
    items: frozenset[Item]
    inside: frozenset[int]
    starts: tuple[tuple[int, Keep], ...]
    interrupts: tuple[int, ...]
    holds: tuple[int, ...]
    only_trees: bool
    acts: bool
    to: dict[str, State] = field(default_factory=dict, repr=False)


class Projection:
    """The automaton of a scheme's chunks; `key` is a name as expat reports it (see `written`)."""

    def __init__(self, chunks: Sequence[Chunk], schema: Schema | None) -> None:
        self._schema = schema
        self._paths: list[tuple[int, Steps, Keep]] = []
        for number, chunk in enumerate(chunks):
            self._paths.append((number, tuple(linear_step(CHILD, name) for name in chunk.prefix), Keep.TREE))
            self._paths += [(number, filter.steps, filter.keep) for filter in sorted(chunk.filters, key=str)]
        self._states: dict[tuple[object, ...], State] = {}
        items = frozenset((path, 0) for path in range(len(self._paths)))
        self.start = State("", items, frozenset(), (), (), (), False, True)

    def check(self, root: etree._Element) -> None:
        """Raise `DocumentError` where a document that is parsed already does not nest as the schema says."""
        states = {root.getparent(): self.start}
        for element in root.iter("*"):
            states[element] = self.step(states[element.getparent()], written_name(element))

    def step(self, state: State, key: str) -> State:
        """The state of an element called `key` inside one with `state`; raises `DocumentError`."""
        name = written(key)
        self._check(state.name, name)
        reached = {item for path, done in state.items for item in self._moves(path, done, name)}
        kept: dict[int, Keep] = {}
        for path, done in reached:
            chunk, steps, keep = self._paths[path]
            if done == len(steps) and chunk not in state.inside:
                kept[chunk] = max(keep, kept.get(chunk, keep))
        inside = state.inside.union(chunk for chunk, keep in kept.items() if keep == Keep.TREE)
        items = frozenset(
            (path, done)
            for path, done in reached
            if done < len(self._paths[path][1]) and self._paths[path][0] not in inside
        )
        starts = tuple(sorted(kept.items()))
        interrupts = tuple(chunk for chunk, keep in state.starts if keep == Keep.TEXT)
        known_as = name if self._schema else ANY
        identity = (known_as, items, inside, starts, interrupts)
        found = self._states.get(identity)
        if found is None:
            holding = {self._paths[path][0] for path, _ in items}.union(
                chunk for chunk, keep in starts if keep < Keep.TREE
            )
            only_trees = bool(starts) and not (holding or interrupts)
            acts = bool(items or starts or interrupts)
            found = State(known_as, items, inside, starts, interrupts, tuple(sorted(holding)), only_trees, acts)
            if len(self._states) >= MAX_STATES:
                self._states.clear()
            self._states[identity] = found
        if len(state.to) >= MAX_NAMES:
            state.to.clear()
        state.to[key] = found
        return found

    def _moves(self, path: int, done: int, name: str) -> list[Item]:
        step = self._paths[path][1][done]
        moves = [(path, done)] if step.axis == DESCENDANT else []
        return [*moves, (path, done + 1)] if step.name in (WILDCARD, name) else moves

    def _check(self, parent: str, name: str) -> None:
        if self._schema is None:
            return
        if not parent:
            if name != self._schema.root:
                raise DocumentError(f"the root is {name}; {self._schema.name} expects {self._schema.root}")
        elif name not in self._schema.children(parent):
            raise DocumentError(f"{name} stands inside {parent}, where {self._schema.name} does not allow it")


def written(key: str) -> str:
    """The name as the document writes it, from what expat reports: name, or namespace and name (and prefix)."""
    _, *parts = key.split(SEPARATOR)
    if not parts:
        return key
    return parts[0] if len(parts) == 1 else f"{parts[1]}:{parts[0]}"


SEPARATOR: Final = "\x01"
"""Between namespace, name and prefix: a character that no document can contain."""
