"""XFilter with list balance; the plain engine runs with all others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker_sim.engines import create_engine
from broker_sim.engines.xfilter.machines import Machines
from broker_sim.errors import ConfigurationError
from broker_sim.xpath import Expression, parse_xpath
from tests.engines.cases import LINEAR, PATTERNS
from tests.strategies.documents import documents
from tests.strategies.expressions import linear_paths, tree_patterns

NAMES = ("a", "b", "c", "p:a")


def test_all_cases_with_list_balance() -> None:
    engine = create_engine("xfilter", list_balance=True)
    cases = LINEAR + PATTERNS
    for id, case in enumerate(cases):
        engine.add(id, case.expression)
    for document in {case.document for case in cases}:
        found = engine.match(document.encode())
        assert all((id in found) is case.expected for id, case in enumerate(cases) if case.document == document)


@given(
    st.lists(documents(max_depth=5), min_size=2, max_size=2),
    st.lists(st.one_of(linear_paths(NAMES), linear_paths(NAMES), tree_patterns(NAMES)), min_size=15, max_size=15),
)
def test_list_balance_agrees_with_the_referee(texts: list[bytes], expressions: list[Expression]) -> None:
    engine, referee = create_engine("xfilter", list_balance=True), create_engine("lxml")
    for id, expression in enumerate(expressions):
        engine.add(id, expression)
        referee.add(id, expression)
    assert [engine.match(text) for text in texts] == [referee.match(text) for text in texts]


def test_list_balance_keeps_lists_short() -> None:
    paths = [parse_xpath(text).disjuncts[0].steps for text in ("/a/b", "/a/c", "/a/b/c", "/a/*", "/a//d")]
    plain, balanced = Machines(list_balance=False), Machines(list_balance=True)
    for steps in paths:
        plain.add(steps)
        balanced.add(steps)
    assert {name: len(nodes) for name, nodes in plain.candidates.items()} == {"a": 5}
    assert sorted(len(nodes) for nodes in balanced.candidates.values()) == [1, 1, 1, 2]


def test_what_leaves_makes_room() -> None:
    machines = Machines(list_balance=True)
    firsts = [machines.add(parse_xpath(text).disjuncts[0].steps)[1] for text in ("/a/b", "//c", "/a//b/*")]
    size = len(machines.symbol)
    for first in firsts:
        machines.remove(first)
    assert not any(machines.candidates.values())
    for text in ("/x/y", "//z", "/x//y/*"):
        machines.add(parse_xpath(text).disjuncts[0].steps)
    assert (len(machines.symbol), machines.number) == (size, 3)


def test_wrong_option() -> None:
    with pytest.raises(ConfigurationError, match="list_balance of engine 'xfilter' is 'yes', expected true or false"):
        create_engine("xfilter", list_balance="yes")
