"""Which value tests the values of an element pass, found from the values instead of from the patterns.

Tests are kept by the name of the step that they stand at and by subject: an attribute, `@*`, `text()` or `.`. An
element looks up the values that it has, texts only if there is a test of them at its name or at `*`; the tests that
each value passes come from `comparisons`, and those count that are asked for where the element stands. What counted is
remembered by state of the automaton and value until a test comes or goes, for at most `MAX_KNOWN` values of at most
`MAX_LENGTH` characters. So a value mostly costs one lookup, however many patterns there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pyroaring import BitMap

from broker_sim.engines.comparisons import Comparisons
from broker_sim.engines.dfa_cache import DfaState
from broker_sim.engines.outline import Outline
from broker_sim.xpath import WILDCARD, ValueTest

MAX_KNOWN: Final = 1 << 15
MAX_LENGTH: Final = 64

ANY_ATTRIBUTE: Final = "@*"
TEXTS: Final = ("text()", ".")


class ValueIndex:
    """The value tests of all patterns by number."""

    def __init__(self) -> None:
        self._tests: Final[dict[tuple[str, str], Comparisons]] = {}
        self._known: Final[dict[tuple[DfaState, str, str], BitMap]] = {}
        self._texts: Final[dict[str, list[str]]] = {}

    def add(self, number: int, name: str, test: ValueTest) -> None:
        """Take up a test at a step of this name."""
        self._forget()
        self._tests.setdefault((name, test.subject), Comparisons()).add(number, test)

    def remove(self, number: int, name: str, test: ValueTest) -> None:
        """Forget it."""
        self._forget()
        comparisons = self._tests[name, test.subject]
        comparisons.remove(number, test)
        if not comparisons:
            del self._tests[name, test.subject]

    def passed(self, outline: Outline, element: int, state: DfaState) -> Iterator[BitMap]:
        """The tests among the parts of a state that the values of an element pass there."""
        known, name = self._known, outline.names[element]
        for attribute, value in outline.attributes[element].items():
            found = known.get((state, attribute, value))
            if found is None:
                found = self._look_up(state, name, attribute, value)
            if found:
                yield found
        texts = self._texts.get(name)
        for subject in self._texts_asked_for(name) if texts is None else texts:
            for value in outline.values(element, subject):
                found = known.get((state, subject, value))
                if found is None:
                    found = self._look_up(state, name, subject, value)
                if found:
                    yield found

    def _look_up(self, state: DfaState, name: str, key: str, value: str) -> BitMap:
        """As `passed` for one value; the key of an attribute is its name, that of a text its subject."""
        subjects = (key,) if key in TEXTS else (f"@{key}", ANY_ATTRIBUTE)
        asked = [self._tests.get((step, subject)) for step in (name, WILDCARD) for subject in subjects]
        tests = [passed for each in asked if each is not None for passed in each.passed(value)]
        found = BitMap.union(BitMap(), *tests) & state.parts
        if len(value) <= MAX_LENGTH:
            if len(self._known) >= MAX_KNOWN:
                self._known.clear()
            self._known[state, key, value] = found
        return found

    def _texts_asked_for(self, name: str) -> list[str]:
        if len(self._texts) >= MAX_KNOWN:
            self._texts.clear()
        found = [kind for kind in TEXTS if (name, kind) in self._tests or (WILDCARD, kind) in self._tests]
        self._texts[name] = found
        return found

    def _forget(self) -> None:
        self._known.clear()
        self._texts.clear()
