"""The XPath generator keeps the rule it states, for every parameter."""

import os
import subprocess
import sys
from collections import Counter
from itertools import pairwise, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker_sim.errors import ConfigurationError
from broker_sim.workload import XPathParameters, generate_xpaths
from broker_sim.xpath import CHILD, DESCENDANT, WILDCARD, Branch, Path, Step, ValueTest, parse_xpath
from dtd_ads.schema import Schema
from tests.workload.dtds import CHAIN, FLAT, NEWS
from tests.workload.schemas import schema_of

news = schema_of(NEWS, "news")
probability = st.sampled_from((0.0, 0.1, 0.5, 1.0))


def texts(schema: Schema, seed: int = 1, **parameters: object) -> list[str]:
    return list(map(str, generate_xpaths(schema, XPathParameters(**parameters), seed)))


def ends(schema: Schema, steps: tuple[Step, ...]) -> set[str]:
    """The elements at which `steps` may end in some document, by sets of elements: the referee."""
    allowed: set[str] | None = None
    for step in steps:
        following = {schema.root} if allowed is None else {c for name in allowed for c in schema.children(name)}
        if step.axis == DESCENDANT:
            while True:
                more = following | {child for name in following for child in schema.children(name)}
                if more == following:
                    break
                following = more
        allowed = {name for name in following if step.name in (WILDCARD, name)}
    return allowed or set()


def alive(schema: Schema, path: Path) -> bool:
    return bool(ends(schema, path.steps))


def test_plain_walks_stop_only_at_leaves_or_at_the_last_level() -> None:
    for path in generate_xpaths(news, XPathParameters(2_000, distinct=False, max_length=6), 3):
        names = [step.name for step in path.steps]
        assert names[0] == "news"
        assert all(step.axis == CHILD for step in path.steps)
        assert all(child in news.children(parent) for parent, child in pairwise(names))
        assert len(names) == 6 or not news.children(names[-1])
        assert len(names) <= 6


def test_all_plain_paths_are_found_and_no_more() -> None:
    assert sorted(texts(schema_of(FLAT, "a"), number=2)) == ["/a/b", "/a/c"]
    assert texts(schema_of(CHAIN, "a"), number=1) == ["/a/b/c/d"]
    assert texts(schema_of(CHAIN, "a"), number=1, max_length=3) == ["/a/b/c"]


def test_certain_wildcards_and_descendants() -> None:
    assert texts(schema_of(CHAIN, "a"), number=1, wildcard=1) == ["/*/*/*/*"]
    every = set(texts(schema_of(CHAIN, "a"), number=500, descendant=1, distinct=False, max_length=4))
    # A // at level l skips floor(u x (4 - l)) levels: 0 to 2 at level 1, 0 or 1 at level 2, none from level 3 on.
    assert every == {"//a//b//c//d", "//b//c//d", "//c//d", "//a//c//d"}


def test_skips_are_uniform_over_the_levels_left() -> None:
    found = Counter(texts(schema_of(CHAIN, "a"), number=30_000, descendant=1, distinct=False, max_length=4))
    expected = {"//a//b//c//d": 1 / 6, "//a//c//d": 1 / 6, "//b//c//d": 1 / 3, "//c//d": 1 / 3}
    assert {text: count / 30_000 for text, count in found.items()} == pytest.approx(expected, abs=0.02)


@pytest.mark.parametrize("theta", [0.0, 0.5, 1.0, 2.0])
def test_children_come_by_zipf(theta: float) -> None:
    names = "bcdef"
    dtd = f"<!ELEMENT a ({'|'.join(names)})>" + "".join(f"<!ELEMENT {name} EMPTY>" for name in names)
    found = Counter(texts(schema_of(dtd, "a"), number=20_000, distinct=False, theta=theta))
    weights = [1 / rank**theta for rank in range(1, 6)]
    expected = {f"/a/{name}": weight / sum(weights) for name, weight in zip(names, weights, strict=True)}
    assert {text: count / 20_000 for text, count in found.items()} == pytest.approx(expected, abs=0.02)


@given(
    st.integers(0, 2**32),
    st.builds(
        XPathParameters,
        number=st.just(30),
        distinct=st.just(False),
        max_length=st.integers(1, 12),
        wildcard=probability,
        descendant=probability,
        theta=st.sampled_from((0.0, 1.5)),
        relative=probability,
        stop=probability,
    ),
)
def test_every_path_can_match(seed: int, parameters: XPathParameters) -> None:
    for path in generate_xpaths(news, parameters, seed):
        assert path.is_linear
        assert len(path.steps) <= parameters.max_length
        assert alive(news, path)


@given(st.integers(0, 2**32), probability, probability, probability)
def test_no_dead_path_can_match(seed: int, wildcard: float, descendant: float, relative: float) -> None:
    for dtd, root in ((NEWS, "news"), (FLAT, "a"), (CHAIN, "a")):
        schema = schema_of(dtd, root)
        parameters = XPathParameters(
            20, distinct=False, wildcard=wildcard, descendant=descendant, relative=relative, dead=1.0
        )
        assert not any(alive(schema, path) for path in generate_xpaths(schema, parameters, seed))


def test_shares_are_kept() -> None:
    dead = XPathParameters(4_000, distinct=False, dead=0.25)
    assert sum(not alive(news, path) for path in generate_xpaths(news, dead, 5)) == pytest.approx(1_000, rel=0.1)
    relative = XPathParameters(4_000, distinct=False, relative=0.25)
    found = sum(path.steps[0].axis == DESCENDANT for path in generate_xpaths(news, relative, 5))
    assert found == pytest.approx(1_000, rel=0.1)


def test_stopping_makes_shorter_paths() -> None:
    assert set(texts(news, number=50, distinct=False, stop=1.0)) == {"/news"}


def test_predicates_ask_for_what_the_dtd_offers() -> None:
    parameters = XPathParameters(500, max_length=8, predicates=3, branching=0.5, max_value=7)
    tests = 0
    for path in generate_xpaths(news, parameters, 11):
        for index, step in enumerate(path.steps):
            assert list(step.predicates) == sorted(set(step.predicates), key=str)
            for predicate in step.predicates:
                if isinstance(predicate, Branch):
                    assert ends(news, path.steps[: index + 1] + predicate.steps)
                else:
                    tests += 1
                    assert_value_test(step.name, predicate)
    assert tests > 200


@given(st.integers(0, 2**32), probability, probability, st.integers(0, 3), probability)
def test_the_parser_reads_back_what_is_generated(
    seed: int, wildcard: float, descendant: float, predicates: int, branching: float
) -> None:
    parameters = XPathParameters(
        20, distinct=False, wildcard=wildcard, descendant=descendant, predicates=predicates, branching=branching
    )
    for path in generate_xpaths(news, parameters, seed):
        assert parse_xpath(str(path)) == path


def assert_value_test(name: str, test: ValueTest) -> None:
    allowed = {
        "@kind": {"long", "short"},
        "@unit": {"section"},
        "@id": {None},
        "@to": {None},
        "@name": set(range(1, 8)),
        "@content": set(range(1, 8)),
        "text()": set(range(1, 8)),
    }
    assert test.literal in allowed[test.subject]
    if test.subject == "text()":
        assert news.elements[name].content.kind in ("MIXED", "ANY")
    else:
        assert test.subject[1:] in {attribute.name for attribute in news.elements[name].attributes}


@given(st.integers(0, 2**32), probability, probability, st.integers(0, 2), probability)
def test_distinct_paths_differ(seed: int, wildcard: float, dead: float, predicates: int, branching: float) -> None:
    parameters = XPathParameters(
        8, max_length=6, wildcard=wildcard, dead=dead, predicates=predicates, branching=branching, stop=0.2
    )
    try:
        paths = list(generate_xpaths(news, parameters, seed))
    except ConfigurationError:
        assert wildcard == 1  # Only /*, /*/* .. /*/*/*/*/*/* exist then.
        return
    assert len(set(paths)) == len(paths) == 8


def test_distinct_that_cannot_be_kept_says_how_many_were_found() -> None:
    paths = generate_xpaths(schema_of(FLAT, "a"), XPathParameters(3), 1)
    assert {str(next(paths)), str(next(paths))} == {"/a/b", "/a/c"}
    with pytest.raises(ConfigurationError, match=r"found 2 of 3, then 100,000 tries brought no new one"):
        next(paths)


def test_a_generator_continues_where_it_stands() -> None:
    random = Random(7)
    parameters = XPathParameters(20, distinct=False)
    first = list(generate_xpaths(news, parameters, random))
    second = list(generate_xpaths(news, parameters, random))
    assert first == list(generate_xpaths(news, parameters, 7))
    assert first + second == list(generate_xpaths(news, XPathParameters(40, distinct=False), 7))


def test_same_seed_same_paths_whatever_the_hash_seed() -> None:
    program = (
        "from tests.workload.test_xpaths import news, texts\n"
        "print(texts(news, seed=9, number=40, wildcard=0.2, descendant=0.2, theta=1.0, predicates=2,"
        " branching=0.3, dead=0.3, relative=0.2))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


def test_a_known_seed_keeps_its_paths() -> None:
    assert texts(news, seed=1, number=4, wildcard=0.2, descendant=0.2) == [
        "//*/em/em",
        "/news//body/quote//em/em/*/em/em/em",
        "/news/head/title",
        "/news//quote/para/link",
    ]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *product(("wildcard", "descendant", "branching", "relative", "dead", "stop"), (-0.1, 1.1, float("nan"), "x")),
        *product(("max_length", "max_value"), (0, -1, 2.5, True)),
        ("theta", -1),
        ("predicates", -1),
        ("number", -1),
        ("max_length", 1_001),
    ],
)
def test_parameters_outside_their_bounds(name: str, value: object) -> None:
    with pytest.raises(ConfigurationError, match=name):
        XPathParameters(**{"number": 1, name: value})
