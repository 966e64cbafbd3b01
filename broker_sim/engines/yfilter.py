"""YFilter: the shared automaton run as it is, with a stack of active states.

Section 2 of "Query Processing for High-Volume XML Message Brokering" (VLDB 2003): the start of an element pushes the
set of states that its name leads to, its end pops it. An element costs what its step in the automaton costs, each
time it occurs; nothing is remembered from document to document, so subscriptions come and go at the price of
their length. Tree patterns follow structure first: the automaton finds their linear parts, and only patterns all of
whose parts matched are checked (see `pattern_parts`, `predicates`).

`path_tuples` delivers what the paper calls path-tuples: every way in which a path matches, one element for each step,
ordered by the last. We deliver only tuples at which the predicates hold, so a subscription matches where it has any.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lxml import etree
from pyroaring import BitMap

from broker_sim.engines.documents import Document, chain, parse
from broker_sim.engines.engine import require_known, require_new
from broker_sim.engines.nfa import SharedNfa, labels_of
from broker_sim.engines.outline import Outline
from broker_sim.engines.pattern_parts import ENDS, SLOT, Parts, Patterns
from broker_sim.engines.predicates import embeddings, matches_at
from broker_sim.xpath import Expression

PathTuple = tuple[etree._Element, ...]


class YFilter:
    """All subscriptions in one nondeterministic automaton."""

    def __init__(self) -> None:
        self._nfa = SharedNfa()
        self._patterns = Patterns()
        self._numbers: dict[int, list[int]] = {}
        self._ends: dict[int, list[tuple[int, int]]] = {}

    def add(self, id: int, expression: Expression) -> None:
        """Subscribe."""
        require_new(self._numbers, id)
        self._numbers[id] = numbers = []
        for path in expression.disjuncts:
            parts = Parts.of(path)
            number = self._patterns.add(id, path, parts)
            numbers.append(number)
            ends = [(slot * SLOT + number, way) for slot, way in zip(ENDS, parts.ends, strict=False)]
            self._ends[number] = [(end, self._nfa.add(end, labels_of(way))[0][-1]) for end, way in ends]

    def remove(self, id: int) -> None:
        """Unsubscribe."""
        require_known(self._numbers, id)
        for number in self._numbers.pop(id):
            for part, end in self._ends.pop(number):
                self._nfa.remove(part, end)
            self._patterns.remove(number)
        self._nfa.recycle()

    def match(self, document: Document) -> BitMap:
        """The ids whose expression has a match in the document."""
        outline = Outline(parse(document))
        found = BitMap()
        for number, ends in self._trunk_ends(outline):
            path = self._patterns[number]
            if path.is_linear or matches_at(outline, path.steps, ends):
                found.add(number)
        return BitMap(self._patterns.owners(found))

    def match_path(self, names: Sequence[str]) -> BitMap:
        """The ids whose expression matches this chain of elements."""
        return self.match(chain(names))

    def path_tuples(self, document: Document) -> dict[int, list[PathTuple]]:
        """For each id that matches, every way to place the trunk of one of its paths, by its last element."""
        outline = Outline(parse(document))
        placed: dict[int, set[tuple[int, ...]]] = {}
        for number, ends in self._trunk_ends(outline):
            (id,), path = self._patterns.owners((number,)), self._patterns[number]
            placed.setdefault(id, set()).update(
                places for end in ends for places in embeddings(outline, path.steps, end)
            )
        return {
            id: [tuple(outline.elements[place] for place in places) for places in sorted(tuples, key=_from_the_end)]
            for id, tuples in placed.items()
            if tuples
        }

    def __len__(self) -> int:
        return len(self._numbers)

    def __contains__(self, id: object) -> bool:
        return id in self._numbers

    def _trunk_ends(self, outline: Outline) -> Iterator[tuple[int, list[int]]]:
        """The patterns all of whose ends occur, with the elements where their trunk ends."""
        ends: dict[int, list[int]] = {}
        for element, active in enumerate(self._active_states(outline)):
            for part in self._nfa.numbers(active):
                ends.setdefault(part, []).append(element)
        for number in self._patterns.with_all(ENDS, BitMap(ends)):
            yield number, ends[number]

    def _active_states(self, outline: Outline) -> Iterator[BitMap]:
        """The set of active states at each element, in document order."""
        stack = [(-1, self._nfa.start())]
        for element, (name, parent) in enumerate(zip(outline.names, outline.parents, strict=True)):
            while stack[-1][0] != parent:
                stack.pop()
            active = self._nfa.step(stack[-1][1], name)
            stack.append((element, active))
            yield active


def _from_the_end(places: tuple[int, ...]) -> tuple[int, ...]:
    return places[::-1]
