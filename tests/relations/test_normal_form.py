"""The normal form: one spelling for equal expressions, and only for those."""

import pytest
from hypothesis import example, given

from broker_sim.relations import normal_form
from broker_sim.xpath import Branch, Path, Step
from broker_sim.xpath.linear import linear_step
from tests.relations.covering_referee import linear, linear_paths, referee_covers


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("/a/*//b", "/a//*/b"),
        ("/a//*//b", "/a//*/b"),
        ("/a//*/b", "/a//*/b"),
        ("/a/*/*//b", "/a//*/*/b"),
        ("/a/*/b", "/a/*/b"),
        ("/*/a", "/*/a"),
        ("/*//a", "//*/a"),
        ("/a/*", "/a//*"),
        ("/a/*/*", "/a//*/*"),
        ("/*", "//*"),
        ("*", "//*"),
        ("/*/*", "//*/*"),
        ("a/b", "//a/b"),
        ("/a//b/*/c//d/*", "/a//b/*/c//d//*"),
    ],
)
def test_loose_runs_are_written_one_way(written: str, normal: str) -> None:
    assert str(normal_form(linear(written))) == normal


def test_steps_are_the_interned_ones() -> None:
    spelled = Path((Step("/", "a"), Step("/", "b")))
    assert [step is linear_step(step.axis, step.name) for step in normal_form(spelled).steps] == [True, True]


def test_only_linear_paths_have_one() -> None:
    with pytest.raises(ValueError, match=r"/a\[b\]"):
        normal_form(Path((Step("/", "a", (Branch((Step("/", "b"),)),)),)))


@given(linear_paths())
def test_it_is_equal_to_the_path_and_to_its_own_normal_form(path: Path) -> None:
    normal = normal_form(path)
    assert referee_covers(normal, path)
    assert referee_covers(path, normal)
    assert normal_form(normal) == normal


@given(linear_paths("a*", longest=4), linear_paths("a*", longest=4))
@example(linear("/a/*//*"), linear("/a//*/*"))
@example(linear("/a/*"), linear("/a/*/*"))
def test_paths_are_equal_exactly_if_their_normal_forms_are(first: Path, second: Path) -> None:
    equal = referee_covers(first, second) and referee_covers(second, first)
    assert (normal_form(first) == normal_form(second)) == equal
