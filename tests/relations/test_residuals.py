"""The automaton of rests against matching straight from its definition."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker_sim.relations.residuals import ACCEPTED, DEAD, Residuals, path_of, written
from broker_sim.xpath import Branch, Path, Step
from tests.relations.merging_referee import linear_paths, matches, path

names = st.lists(st.sampled_from("abcz"), max_size=8)


@given(st.lists(linear_paths("abc", 5), max_size=4), names)
def test_accepted_is_matched_and_dead_is_never_matched_again(paths, publication):
    residuals = Residuals()
    state = residuals.start(map(written, paths))
    for length, name in enumerate(publication, 1):
        state = residuals.step(state, name)
        assert (state == ACCEPTED) == any(matches(one, tuple(publication[:length])) for one in paths)
        if state == DEAD:
            assert not any(matches(one, tuple(publication)) for one in paths)


@pytest.mark.parametrize("texts", ["//a/b //c//a/b", "/a /a/b", "//b /a/*//b"])
def test_needless_rests_make_no_states(texts):
    residuals = Residuals()
    needed, _ = texts.split()
    both = residuals.start(written(path(text)) for text in texts.split())
    assert both == residuals.start([written(path(needed))])


@given(linear_paths())
def test_writing_and_reading_back(one):
    assert path_of(written(one)) == one


def test_a_tree_pattern_has_no_steps():
    with pytest.raises(ValueError, match="linear"):
        written(Path((Step("/", "a", (Branch((Step("/", "b"),)),)),)))
