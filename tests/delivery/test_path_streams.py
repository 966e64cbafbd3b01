"""The streams against `YFilter.path_tuples`, which finds the same tuples in another way."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from broker_sim.delivery.path_streams import PathStreams
from broker_sim.engines.documents import parse
from broker_sim.engines.outline import Outline
from broker_sim.engines.yfilter import YFilter
from broker_sim.xpath import Path, parse_xpath
from tests.strategies.documents import documents
from tests.strategies.expressions import linear_paths


def test_the_papers_example_is_not_ordered_by_its_binding_field() -> None:
    outline = Outline(parse(b"<s><s><f><t/></f></s><f><t/></f></s>"))
    engine = PathStreams()
    number = engine.add(parse_xpath("//s/f/t").disjuncts[0].steps)
    assert engine.streams(outline) == {number: [(1, 2, 3), (0, 4, 5)]}


@given(st.lists(documents(max_depth=5), min_size=1, max_size=3), st.lists(linear_paths(max_steps=5), max_size=12))
def test_streams_are_path_tuples_ordered_by_the_last_element(texts: list[bytes], paths: list[Path]) -> None:
    engine, referee = PathStreams(), YFilter()
    numbers = [engine.add(path.steps) for path in paths]
    for id, path in enumerate(paths):
        referee.add(id, path)
    assert len(engine) == len(set(paths))
    for text in texts:
        outline = Outline(parse(text))
        place = {element: number for number, element in enumerate(outline.elements)}
        streams, expected = engine.streams(outline), referee.path_tuples(outline.elements[0])
        assert set(streams) == {numbers[id] for id in expected}
        for id, tuples in expected.items():
            found = streams[numbers[id]]
            assert sorted(found) == sorted(tuple(place[element] for element in one) for one in tuples)
            assert [one[-1] for one in found] == sorted(one[-1] for one in found)


@given(documents(max_depth=5), st.lists(linear_paths(max_steps=4), min_size=1, max_size=12), st.randoms())
def test_paths_come_and_go(text: bytes, paths: list[Path], rng: Random) -> None:
    outline = Outline(parse(text))
    engine = PathStreams()
    numbers = {index: engine.add(path.steps) for index, path in enumerate(paths)}
    engine.streams(outline)
    for index in rng.sample(sorted(numbers), rng.randint(0, len(paths))):
        engine.release(numbers.pop(index))
    fresh = PathStreams()
    again = {index: fresh.add(paths[index].steps) for index in numbers}
    found, expected = engine.streams(outline), fresh.streams(outline)
    assert (len(engine), engine.states) == (len(fresh), fresh.states)
    assert {index: found.get(numbers[index]) for index in numbers} == {
        index: expected.get(again[index]) for index in numbers
    }


def test_what_is_remembered_is_bounded_and_changes_no_answer() -> None:
    engine = PathStreams(max_moves=10)
    engine.add(parse_xpath("//b").disjuncts[0].steps)
    for index in range(50):
        assert engine.streams(Outline(parse(f"<a{index}><b/></a{index}>".encode()))) == {0: [(1,)]}
        assert engine.remembered <= 12
