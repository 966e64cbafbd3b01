"""The bit-parallel automaton, against a plain recursive matcher."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker_sim.relations.path_automaton import PathAutomaton
from broker_sim.xpath import Branch, Path, Step
from tests.relations.covering_referee import linear, linear_paths, matches


def run(automaton: PathAutomaton, publication: str) -> int:
    state = automaton.start
    for name in publication.split("/")[1:]:
        state = automaton.step(state, name)
    return automaton.accepted(state)


@pytest.mark.parametrize(
    ("path", "publication", "expected"),
    [
        ("/a/b", "/a/b/c", 1),
        ("/a/b", "/a", 0),
        ("/a/b", "/x/a/b", 0),
        ("a/b", "/x/a/b", 1),
        ("a/b", "/a/a/b", 1),
        ("/a//b", "/a/b", 1),
        ("/a//b", "/a/x/y/b/z", 1),
        ("//*/b", "/b", 0),
        ("//*/b", "/b/b", 1),
        ("/*", "/x", 1),
    ],
)
def test_matches_like_the_router_paper(path: str, publication: str, expected: int) -> None:
    assert run(PathAutomaton([linear(path)]), publication) == expected


def test_several_paths_answer_by_their_index() -> None:
    automaton = PathAutomaton([linear("/a"), linear("b//c"), linear("/*/b")])
    assert run(automaton, "/a/b") == 0b101
    assert run(automaton, "/a/b/x/c") == 0b111
    assert automaton.names == {"a", "b", "c"}


def test_a_lost_publication_is_state_zero() -> None:
    automaton = PathAutomaton([linear("/a/b"), linear("/a/c")])
    assert automaton.step(automaton.start, "b") == 0


def test_only_linear_paths_are_taken() -> None:
    with pytest.raises(ValueError, match=r"/a\[b\]"):
        PathAutomaton([Path((Step("/", "a", (Branch((Step("/", "b"),)),)),))])


@given(st.lists(linear_paths(), max_size=4), st.lists(st.sampled_from("abcz"), min_size=1, max_size=7))
def test_agrees_with_a_recursive_matcher(paths: list[Path], names: list[str]) -> None:
    expected = sum(1 << index for index, path in enumerate(paths) if matches(path, tuple(names)))
    assert run(PathAutomaton(paths), "/" + "/".join(names)) == expected
