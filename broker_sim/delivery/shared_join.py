"""Shared joins with the shared selections above them.

Section 5.2 of "Query Processing for High-Volume XML Message Brokering" (VLDB 2003), selection-DupElim pull-up: all
semijoins of one binding path and one predicate path become one join; the selections, pulled above it, are grouped by
signature, and each group looks its constants up in one index. The join keeps the order of the bound elements, so a scan
removes duplicates as they are written to a tuple list.

A predicate path begins with the binding path, so its tuples are joined tuples already; binding tuples are needed beside
them only by signatures that test an element above the bound one. Without a predicate path the same class is a shared
selection on the binding path alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from broker_sim.delivery.constant_index import Constant, ConstantIndex
from broker_sim.delivery.group_by import GroupBy, Table
from broker_sim.delivery.operators import FieldTest, Message
from broker_sim.delivery.path_streams import Stream
from broker_sim.delivery.tuple_lists import TupleList
from broker_sim.delivery.value_tests import Kind, Values, constant_of, kind_of
from broker_sim.xpath import Operator, ValueTest

FOUND = -1
"""The field that stands for the element at the end of the predicate path."""


class PredicateSignature(NamedTuple):
    """A simple predicate without its constant: the field of the binding tuple, or `FOUND`, and what is asked there."""

    field: int
    subject: str
    operator: Operator | None
    kind: Kind


Signature = tuple[PredicateSignature, ...]
Constants = tuple[Constant, ...]


def signature_of(on_binding: Iterable[FieldTest], on_found: Iterable[ValueTest]) -> tuple[Signature, Constants]:
    """The tests of one selection as a signature and its constants."""
    tests = [*on_binding, *((FOUND, test) for test in on_found)]
    pairs = [(PredicateSignature(field, one.subject, one.operator, kind_of(one)), _key(one)) for field, one in tests]
    pairs.sort(key=lambda pair: (str(pair[0]), str(pair[1])))
    return tuple([one for one, _ in pairs]), tuple([constant for _, constant in pairs])


def _key(test: ValueTest) -> Constant:
    """The constant of a test; None for one that is no number, which no value passes."""
    constant = constant_of(test)
    return None if constant != constant else constant


class SharedJoin:
    """One binding path and at most one predicate path, with all selections above their join."""

    __slots__ = ("binding", "found", "selections")

    def __init__(self, binding: GroupBy, found: GroupBy | None) -> None:
        self.binding = binding
        self.found = found
        self.selections: dict[Signature, ConstantIndex[TupleList]] = {}

    @property
    def inputs(self) -> tuple[GroupBy, ...]:
        """What the join reads."""
        return (self.binding,) if self.found is None else (self.binding, self.found)

    def output(self, signature: Signature, constants: Constants) -> TupleList:
        """The tuple list of one selection, new if none has asked for it."""
        index = self.selections.get(signature)
        if index is None:
            index = self.selections[signature] = ConstantIndex(tuple([test.operator for test in signature]))
        found = index.get(constants)
        if found is None:
            found = TupleList()
            index.add(constants, found)
        return found

    def discard(self, signature: Signature, constants: Constants) -> None:
        """Forget a selection that no query reads."""
        index = self.selections[signature]
        index.remove(constants)
        if not index:
            del self.selections[signature]

    def joined(self, message: Message) -> Table:
        """What stands at the end of the predicate path by bound element, in document order."""
        grouped = self.found or self.binding
        table = grouped.table(message)
        return table if grouped.ordered else {bound: table[bound] for bound in sorted(table)}

    def select(self, joined: Table, message: Message, filled: list[TupleList]) -> None:
        """Run every selection; lists that were empty before are entered in `filled`."""
        for signature, index in self.selections.items():
            equal = index.equal
            if any(test.field != FOUND for test in signature):
                _select_pairs(signature, index, joined, message, self.binding.path, filled)
            elif equal is not None:
                _select_equal(signature[0], equal, joined, message.values, filled)
            else:
                _select_found(signature, index, joined, message.values, filled)


def _select_equal(
    test: PredicateSignature,
    outputs: dict[Constant, TupleList],
    joined: Table,
    values: Values,
    filled: list[TupleList],
) -> None:
    """One `=` at the end of the predicate path."""
    known = values.of(test.subject, test.kind)
    for bound, found in joined.items():
        for element in found:
            here = known.get(element)
            if here is None:
                here = values.read(test.subject, test.kind, element)
            for value in here:
                output = outputs.get(value)
                if output is not None:
                    if not output.bound:
                        filled.append(output)
                        output.bound.append(bound)
                    elif output.bound[-1] != bound:
                        output.bound.append(bound)


def _select_found(
    signature: Signature, index: ConstantIndex[TupleList], joined: Table, values: Values, filled: list[TupleList]
) -> None:
    """Any tests at the end of the predicate path, none included."""
    for bound, found in joined.items():
        for element in found:
            _emit(index, [_values(test, element, values) for test in signature], bound, filled)


def _select_pairs(
    signature: Signature,
    index: ConstantIndex[TupleList],
    joined: Table,
    message: Message,
    binding: int,
    filled: list[TupleList],
) -> None:
    """Tests on the binding tuple, and perhaps at the end of the predicate path."""
    values = message.values
    stream: Stream = message.streams.get(binding, ())
    looked_at = None if any(test.field == FOUND for test in signature) else 1
    for places in stream:
        for element in joined.get(places[-1], [])[:looked_at]:
            here = [_values(test, element if test.field == FOUND else places[test.field], values) for test in signature]
            _emit(index, here, places[-1], filled)


def _emit(
    index: ConstantIndex[TupleList],
    here: Sequence[Sequence[str | float]],
    bound: int,
    filled: list[TupleList],
) -> None:
    for output in index.passed(here):
        if not output.bound:
            filled.append(output)
            output.bound.append(bound)
        elif output.bound[-1] != bound:
            output.bound.append(bound)


def _values(test: PredicateSignature, element: int, values: Values) -> Sequence[str | float]:
    known = values.of(test.subject, test.kind).get(element)
    return values.read(test.subject, test.kind, element) if known is None else known
