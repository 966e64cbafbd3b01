"""Ids to numbers: the array and the dictionary behind it together are a plain mapping."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker_sim.engines import create_engine
from broker_sim.engines.engine import MAX_ID
from broker_sim.engines.id_map import ROOM, IdMap
from broker_sim.xpath import parse_xpath

ids = st.one_of(st.integers(0, 5), st.integers(ROOM - 2, 2 * ROOM), st.integers(MAX_ID - 3, MAX_ID))


@given(st.lists(st.tuples(ids, st.integers(0, 2**31 - 1)), max_size=100))
def test_it_is_a_mapping(changes: list[tuple[int, int]]) -> None:
    found, expected = IdMap(), dict[int, int]()
    for id, number in changes:
        if id in expected:
            assert found.pop(id) == expected.pop(id)
        else:
            found[id] = expected[id] = number
        assert (id in found) is (id in expected)
    assert len(found) == len(expected)
    assert {id: found[id] for id in found} == expected


def test_what_is_not_there() -> None:
    held = IdMap()
    held[3] = 1
    assert 2 not in held
    assert -1 not in held
    assert "3" not in held
    for missing in (2, -1, MAX_ID):
        with pytest.raises(KeyError):
            held.pop(missing)


def test_dense_ids_take_four_bytes_and_far_ones_no_room() -> None:
    tracemalloc.start()
    try:
        held = IdMap()
        for id in range(100_000):
            held[id] = id
        held[MAX_ID] = 1
        assert tracemalloc.get_traced_memory()[0] < 600_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", ["xtrie", "xtrie-eager", "xfilter"])
def test_engines_take_ids_from_both_ends(name: str) -> None:
    engine = create_engine(name)
    for id in (MAX_ID, 0, 70):
        engine.add(id, parse_xpath("//a or //b[c]"))
    engine.remove(70)
    engine.add(1, parse_xpath("//c"))
    assert list(engine.match(b"<a/>")) == [0, MAX_ID]
    engine.remove(MAX_ID)
    assert list(engine.match(b"<b><c/></b>")) == [0, 1]
    with pytest.raises(KeyError):
        engine.remove(MAX_ID)
