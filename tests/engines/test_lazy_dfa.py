"""The lazy automaton's own promises: its bounds, and what a change leaves standing."""

from __future__ import annotations

import random
import statistics

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from broker_sim.engines import create_engine
from broker_sim.engines.dfa_cache import DfaState
from broker_sim.engines.lazy_dfa import LazyDfa
from broker_sim.engines.scan import Scan
from broker_sim.errors import ConfigurationError
from broker_sim.xpath import Path, parse_xpath
from tests.strategies.expressions import linear_paths

FEW = ("a", "b")
publication = st.lists(st.sampled_from((*FEW, "z")), min_size=1, max_size=7)


@settings(max_examples=300)
@given(st.data())
def test_a_warm_automaton_is_patched_exactly(data: st.DataObject) -> None:
    """Paths over two names share nearly everything, so that every change touches states that are in use."""
    engine, referee = LazyDfa(), Scan()
    publications = data.draw(st.lists(publication, min_size=5, max_size=12))
    free = list(range(40))
    for _ in range(data.draw(st.integers(5, 20))):
        if len(referee) > 3 and data.draw(st.integers(0, 2)) == 0:
            id = data.draw(st.sampled_from([id for id in range(40) if id in referee]))
            engine.remove(id)
            referee.remove(id)
            free.append(id)
        else:
            id, path = free.pop(0), data.draw(linear_paths(FEW))
            engine.add(id, path)
            referee.add(id, path)
        for names in publications:
            assert engine.match_path(names) == referee.match_path(names)


def _paths(number: int, seed: int) -> list[Path]:
    """Distinct paths over twenty names, with `*` and `//` in one step of ten each."""
    rng = random.Random(seed)
    found: dict[str, Path] = {}
    while len(found) < number:
        steps = [
            rng.choice(("/",) * 9 + ("//",)) + (f"n{rng.randrange(20)}" if rng.random() < 0.9 else "*")
            for _ in range(rng.randint(1, 6))
        ]
        text = "".join(steps)
        found[text] = parse_xpath(text).disjuncts[0]
    return list(found.values())


def _publications(number: int, seed: int) -> list[list[str]]:
    rng = random.Random(seed)
    return [[f"n{rng.randrange(20)}" for _ in range(rng.randint(1, 7))] for _ in range(number)]


def _reachable(engine: LazyDfa) -> dict[DfaState, int]:
    """The states to which some names lead, with the number of names that each of them knows."""
    found = {engine.cache.start: len(engine.cache.start.to)}
    waiting = [engine.cache.start]
    while waiting:
        for target in waiting.pop().to.values():
            if target not in found:
                found[target] = len(target.to)
                waiting.append(target)
    return found


def _warm(paths: list[Path], publications: list[list[str]]) -> LazyDfa:
    engine = LazyDfa()
    for id, path in enumerate(paths):
        engine.add(id, path)
    for names in publications:
        engine.match_path(names)
    return engine


def test_most_states_survive_a_change() -> None:
    paths, publications = _paths(5_060, seed=1), _publications(500, seed=2)
    engine = _warm(paths[:5_000], publications)
    standing = _reachable(engine)
    assert len(standing) > 1_000
    kept, transitions = [], []
    for id, path in enumerate(paths[5_000:], 5_000):
        engine.add(id, path)
        after = _reachable(engine)
        kept.append(len(after.keys() & standing.keys()) / len(standing))
        transitions.append(sum(after.values()) / sum(standing.values()))
        engine.remove(id)
        standing = _reachable(engine)
    assert statistics.median(kept) > 0.98
    assert statistics.median(transitions) > 0.98
    assert statistics.mean(kept) > 0.9


def test_after_changes_the_answers_are_those_of_a_fresh_engine() -> None:
    paths, publications = _paths(3_000, seed=3), _publications(300, seed=4)
    engine = _warm(paths[:2_000], publications)
    for id in range(500):
        engine.remove(id)
    for id, path in enumerate(paths[2_000:], 2_000):
        engine.add(id, path)
    fresh = LazyDfa()
    for id, path in enumerate(paths[500:], 500):
        fresh.add(id, path)
    for names in publications:
        assert engine.match_path(names) == fresh.match_path(names)


def test_endless_changes_do_not_fill_the_memory() -> None:
    engine = _warm(_paths(50, seed=5), _publications(20, seed=6))
    for round in range(5_000):
        engine.add(1_000, parse_xpath(f"/n1/x{round}//y{round}"))
        engine.match_path(("n1", f"x{round}", f"y{round}"))
        engine.remove(1_000)
    assert len(engine.cache) < 3_000
    assert engine.nfa_size < 2_000


def test_bounds_hold() -> None:
    paths, publications = _paths(500, seed=7), _publications(300, seed=8)
    free = _warm(paths, [])
    tight = LazyDfa(max_states=40)
    light = LazyDfa(max_bytes=60_000)
    for id, path in enumerate(paths):
        tight.add(id, path)
        light.add(id, path)
    for names in publications:
        answer = free.match_path(names)
        assert tight.match_path(names) == answer
        assert light.match_path(names) == answer
        assert len(tight.cache) <= 40
        assert light.cache.bytes < 2 * 60_000
    assert len(free.cache) > 200


def test_unknown_names_share_one_transition() -> None:
    engine = LazyDfa()
    engine.add(1, parse_xpath("/a//b"))
    engine.add(2, parse_xpath("//*/*/*"))
    for number in range(1_000):
        assert list(engine.match_path((f"x{number}", f"y{number}", f"z{number}"))) == [2]
    assert len(engine.cache) < 10
    assert all(len(state.to) <= 3 for state in engine.cache)
    engine.add(3, parse_xpath("x7/y7"))
    assert list(engine.match_path(("x7", "y7"))) == [3]
    assert list(engine.match_path(("x8", "y8"))) == []


@pytest.mark.parametrize("option", ["max_states", "max_bytes"])
def test_bounds_are_positive(option: str) -> None:
    with pytest.raises(ConfigurationError, match=f"{option} is 0; expected at least 1"):
        create_engine("lazy-dfa", **{option: 0})
