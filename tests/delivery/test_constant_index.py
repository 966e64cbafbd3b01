"""The index over constants against asking every constant."""

from __future__ import annotations

import operator
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from broker_sim.delivery.constant_index import ConstantIndex

COMPARE = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
numbers = st.sampled_from([float("nan"), -1.0, 0.0, 1.0, 1.5, 2.0, 10.0])
real_numbers = numbers.filter(lambda number: number == number)
levels = st.sampled_from([*COMPARE, None])


def _passes(level: str | None, values: list[float], constant: float | None) -> bool:
    if level is None:
        return bool(values)
    return constant is not None and any(COMPARE[level](value, constant) for value in values)


@given(st.lists(levels, max_size=3), st.data())
def test_the_index_finds_what_passes(chosen: list[str | None], data: st.DataObject) -> None:
    ordered = {"<", "<=", ">", ">="}
    constants = st.tuples(
        *(
            st.none() if level is None else real_numbers | st.none() if level in ordered else real_numbers
            for level in chosen
        )
    )
    index: ConstantIndex[str] = ConstantIndex(tuple(chosen))
    held = {one: str(one) for one in data.draw(st.lists(constants, max_size=12))}
    for one, name in held.items():
        index.add(one, name)
    rng = data.draw(st.randoms(use_true_random=False))
    assert isinstance(rng, Random)
    for one in rng.sample(sorted(held, key=str), rng.randint(0, len(held))):
        index.remove(one)
        del held[one]
    values = [data.draw(st.lists(numbers, max_size=3)) for _ in chosen]
    expected = {
        name
        for one, name in held.items()
        if all(_passes(level, here, constant) for level, here, constant in zip(chosen, values, one, strict=True))
    }
    found = list(index.passed(values))
    assert sorted(found) == sorted(expected)
    assert len(index) == len(held)
    assert {one: index.get(one) for one in held} == held
