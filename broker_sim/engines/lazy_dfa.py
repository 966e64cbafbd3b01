"""The default engine: YFilter's automaton made deterministic on demand.

A document's element costs one lookup: the state of its parent and its name give its state, and states are made
when they are first needed (see `dfa_cache`). Each state knows the bitmap of the subscriptions that match where it is
reached, so the answer is one union over the distinct states of the document; the number of subscriptions enters
only through the sizes of bitmaps. As in the lazy automata of the regex-automata crate, what changes with documents is a
bounded cache, apart from the automaton that changes with subscriptions.

Tree patterns share the automaton by their linear parts (see `pattern_parts`). Structure is looked at first, by bitmaps
of all patterns at once; then values, found by an index from the values that the document has (see `value_index`). Most
patterns are decided by then. The few that have a joint at several elements are checked exactly, at the elements where
their trunk ends (see `predicates`).

Measured on 69 elements a document, walking lxml's tree with `iter` and a stack of parents costs a quarter of parsing;
expat alone takes as long as parsing and two walks, and would not be guarded as `documents` is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final

from lxml import etree
from pyroaring import BitMap

from broker_sim.engines.dfa_cache import DfaCache, DfaState
from broker_sim.engines.documents import Document, parse, written_name
from broker_sim.engines.documents import chain as path_document
from broker_sim.engines.engine import require_known, require_new
from broker_sim.engines.nfa import SharedNfa, labels_of
from broker_sim.engines.outline import Outline
from broker_sim.engines.pattern_parts import ENDS, SLOT, TESTS, Parts, Patterns, straight
from broker_sim.engines.predicates import matches_at
from broker_sim.engines.value_index import ValueIndex
from broker_sim.errors import ConfigurationError
from broker_sim.xpath import Expression, Path, Step

MAX_STATES: Final = 100_000
MAX_BYTES: Final = 512 * 1024 * 1024
MAX_ANSWERS: Final = 1_024

Ends = int | tuple[tuple[int, int], ...]
"""Where a subscription's paths end in the automaton: a state for one linear path, else (number, state) for each."""


Places = dict[DfaState, list[int]]
"""The elements of a document by state."""


class LazyDfa:
    """All subscriptions in one automaton, deterministic where documents have been."""

    def __init__(self, max_states: int = MAX_STATES, max_bytes: int = MAX_BYTES) -> None:
        for name, bound in (("max_states", max_states), ("max_bytes", max_bytes)):
            if bound < 1:
                raise ConfigurationError(f"{name} is {bound}; expected at least 1")
        self._bounds = max_states, max_bytes
        self._begin()

    def _begin(self) -> None:
        """Hold nothing, and no memory for what is gone."""
        self._nfa = SharedNfa()
        self.cache = DfaCache(self._nfa, *self._bounds)
        self._patterns = Patterns()
        self._values = ValueIndex()
        self._ends: dict[int, Ends] = {}
        self._answers: dict[frozenset[DfaState], BitMap] = {}

    def add(self, id: int, expression: Expression) -> None:
        """Subscribe."""
        require_new(self._ends, id)
        if len(expression.disjuncts) == 1 and expression.is_linear:
            self._ends[id] = self._enter(id, expression.disjuncts[0].steps)
            return
        ends: list[tuple[int, int]] = []
        for path in set(map(straight, expression.disjuncts)):
            ends += [(id, self._enter(id, path.steps))] if path.is_linear else self._add_pattern(id, path)
        self._ends[id] = tuple(ends)

    def remove(self, id: int) -> None:
        """Unsubscribe."""
        require_known(self._ends, id)
        if len(self._ends) == 1:
            self._begin()
            return
        ends = self._ends.pop(id)
        for number, end in ((id, ends),) if isinstance(ends, int) else ends:
            self._doubt(number, self.cache.forget(number, end))
            self._nfa.remove(number, end)
            if number < 0 and ~number < SLOT:
                self._remove_pattern(~number)
        if self._nfa.retired > 1_000 + len(self._nfa) // 2:
            self.cache.flush()
            self._nfa.recycle()

    def match(self, document: Document) -> BitMap:
        """The ids whose expression has a match in the document."""
        root = parse(document)
        return self._match_patterns(root) if self._patterns else self._union(self._reached(root))

    def match_anew(self, document: Document) -> BitMap:
        """As `match`, without help from remembered answers: what a document of a new shape costs."""
        self._answers.clear()
        return self.match(document)

    def match_path(self, names: Sequence[str]) -> BitMap:
        """The ids whose expression matches this chain of elements."""
        if not names:
            raise ValueError("a publication has at least one name")
        if self._patterns:
            return self._match_patterns(path_document(names))
        state = self.cache.start
        reached: set[DfaState] = set()
        for name in names:
            state = state.to.get(name) or self.cache.step(state, name)
            reached.add(state)
        return self._union(reached)

    @property
    def nfa_size(self) -> int:
        """How many states the shared automaton has numbers for, those that wait to be used again included."""
        return self._nfa.size

    def __len__(self) -> int:
        return len(self._ends)

    def __contains__(self, id: object) -> bool:
        return id in self._ends

    def _enter(self, number: int, steps: Sequence[Step]) -> int:
        """Record a linear path; returns the state where it ends."""
        labels = labels_of(steps)
        way, known = self._nfa.add(number, labels)
        self._doubt(number, self.cache.extend(number, labels, way, known))
        return way[-1]

    def _doubt(self, number: int, changed: list[DfaState]) -> None:
        """Forget the answers for which a state counted that now accepts another set of subscriptions."""
        if number >= 0 and changed:
            for reached in [reached for reached in self._answers if not reached.isdisjoint(changed)]:
                del self._answers[reached]

    def _reached(self, root: etree._Element) -> set[DfaState]:
        """The states of all elements."""
        state = self.cache.start
        states, above = [state], [root.getparent()]
        reached: set[DfaState] = set()
        for element in root.iter("*"):
            parent = element.getparent()
            while above[-1] is not parent:
                above.pop()
                states.pop()
            state = states[-1]
            state = state.to.get(element.tag) or self.cache.step(state, written_name(element))
            above.append(element)
            states.append(state)
            reached.add(state)
        return reached

    def _union(self, reached: Iterable[DfaState]) -> BitMap:
        """The subscriptions that any of the states accepts, remembered for the sets of states seen last."""
        key = frozenset(reached)
        answer = self._answers.get(key)
        if answer is None:
            if len(self._answers) >= MAX_ANSWERS:
                self._answers.clear()
            answer = self._answers[key] = BitMap.union(BitMap(), *[state.ids for state in reached])
        return answer.copy()

    def _add_pattern(self, id: int, path: Path) -> list[tuple[int, int]]:
        parts = Parts.of(path)
        number = self._patterns.add(id, path, parts)
        for slot, (way, test) in zip(TESTS, parts.tests, strict=False):
            self._values.add(slot * SLOT + number, way[-1].name, test)
        numbered = [(~(slot * SLOT + number), way) for slot, way in parts.in_slots()]
        return [(part, self._enter(part, way)) for part, way in numbered]

    def _remove_pattern(self, number: int) -> None:
        for slot, (way, test) in zip(TESTS, Parts.of(self._patterns[number]).tests, strict=False):
            self._values.remove(slot * SLOT + number, way[-1].name, test)
        self._patterns.remove(number)

    def _match_patterns(self, root: etree._Element) -> BitMap:
        """The answer where there are tree patterns as well."""
        outline, patterns = Outline(root), self._patterns
        places = self._places(outline)
        found = self._union(places.keys())
        candidates = patterns.with_all(ENDS, BitMap.union(BitMap(), *[state.parts for state in places]))
        if not candidates:
            return found
        candidates &= patterns.with_all(TESTS, self._passed(outline, places))
        unsure = patterns.unsure(candidates, _repeated(patterns.joints(candidates), places))
        matching = candidates - unsure
        for number, ends in _trunk_ends(unsure, places).items():
            if matches_at(outline, patterns[number].steps, ends):
                matching.add(number)
        found.update(patterns.owners(matching))
        return found

    def _passed(self, outline: Outline, places: Places) -> BitMap:
        """The tests that hold at some element where they are asked for."""
        passed = self._values.passed
        each = [passed(outline, element, state) for state, elements in places.items() for element in elements]
        return BitMap.union(BitMap(), *chain.from_iterable(each))

    def _places(self, outline: Outline) -> Places:
        states: list[DfaState] = []
        found: Places = {}
        for element, (name, parent) in enumerate(zip(outline.names, outline.parents, strict=True)):
            state = self.cache.start if parent < 0 else states[parent]
            state = state.to.get(name) or self.cache.step(state, name)
            states.append(state)
            found.setdefault(state, []).append(element)
        return found


def _repeated(joints: BitMap, places: Places) -> BitMap:
    """Those of the joints that occur at more than one element."""
    once, again = BitMap(), BitMap()
    for state, elements in places.items():
        here = state.parts & joints
        if here:
            again |= here if len(elements) > 1 else here & once
            once |= here
    return again


def _trunk_ends(patterns: BitMap, places: Places) -> dict[int, list[int]]:
    """The elements at which the trunks of patterns end."""
    found: dict[int, list[int]] = {}
    if patterns:
        for state, elements in places.items():
            for number in state.parts & patterns:
                found.setdefault(number, []).extend(elements)
    return found
