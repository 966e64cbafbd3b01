"""The tests that a value passes, found by lookup, are those that hold one by one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from pyroaring import BitMap

from broker_sim.engines import comparisons
from broker_sim.engines.comparisons import Comparisons
from broker_sim.xpath import ValueTest
from broker_sim.xpath.values import holds

literals = st.one_of(
    st.sampled_from(("", "a", "5", " 5 ", "-0", "5.0", "1e1", "10")),
    st.sampled_from((0.0, -0.0, 5.0, 10.0, -3.0, 0.5)),
    st.floats(-20, 20),
)
tests = st.one_of(
    st.just(ValueTest("@x")),
    st.builds(ValueTest, st.just("@x"), st.sampled_from(("=", "!=", "<", "<=", ">", ">=")), literals),
)
values = st.one_of(
    st.sampled_from(("", "a", "5", " 5 ", "-0", "0", "5.0", "1e1", "10", "NaN", "x")), st.integers(-20, 20).map(str)
)


def passes(test: ValueTest, value: str) -> bool:
    return test.operator is None or test.literal is None or holds(test.operator, value, test.literal)


def passed(kept: Comparisons, value: str) -> list[int]:
    return list(BitMap.union(BitMap(), *kept.passed(value)))


@given(st.lists(tests, max_size=12), st.lists(values, min_size=1, max_size=4), st.data())
def test_passed_is_what_holds(given_tests: list[ValueTest], asked: list[str], data: st.DataObject) -> None:
    kept, held = Comparisons(), dict(enumerate(given_tests))
    for number, test in held.items():
        kept.add(number, test)
        assert passed(kept, asked[0]) == [other for other in range(number + 1) if passes(held[other], asked[0])]
    for number in data.draw(st.permutations(range(len(given_tests)))):
        for value in asked:
            assert passed(kept, value) == [other for other, test in sorted(held.items()) if passes(test, value)]
        kept.remove(number, held.pop(number))
    assert not kept


def test_many_values_do_not_fill_the_memory() -> None:
    kept = Comparisons()
    for number in range(1_000):
        kept.add(number, ValueTest("@x", "<", float(number)))
    for number in range(1_000):
        assert len(passed(kept, str(number))) == 999 - number
        assert kept.remembered <= comparisons.MAX_UNIONS
