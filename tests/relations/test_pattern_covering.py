"""Covering of tree patterns never says yes wrongly, and says yes where users expect it."""

from __future__ import annotations

import re
from itertools import product
from random import Random

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from lxml import etree

from broker_sim.relations import covers, merge
from broker_sim.relations.pattern_covering import pattern_covers
from broker_sim.relations.value_implication import implies
from broker_sim.xpath import CHILD, DESCENDANT, FOLLOWING_SIBLING, Branch, Path, Step, ValueTest, parse_xpath
from broker_sim.xpath.values import holds
from tests.strategies.expressions import (
    COMPARISONS,
    LITERALS,
    NAMES,
    VALUES,
    linear_paths,
    small_documents,
    tree_patterns,
)

PUBLICATIONS = ["".join(f"/{name}" for name in names) for n in range(1, 7) for names in product("abz", repeat=n)]


def path(text: str) -> Path:
    expression = parse_xpath(text)
    assert isinstance(expression, Path)
    return expression


COVERED = [
    ("/a", "/a"),
    ("/*", "//b[@x = 5]"),
    ("//*", "/a[b]/c"),
    ("/a", "/a/b[c]"),
    ("/a/b", "/a[b]"),
    ("/a[b]", "/a/b"),
    ("/a[b]", "/a[b][c]"),
    ("/a[b]/c", "/a[c]/b"),
    ("/a[.//b]", "/a[c/b]"),
    ("/a[*]", "/a[.//b]"),
    ("/a[@x]", "/a[@x = 5]"),
    ("/a[@*]", "/a[@x]"),
    ("/a[@* = 5]", "/a[@x = 5]"),
    ("/a[@x > 5]", "/a[@x > 10]"),
    ("/a[@x > 5]", "/a[@x = 6]"),
    ("/a[@x >= 5]", "/a[@x = '5']"),
    ("/a[@x != 5]", "/a[@x = 6]"),
    ("/a[@x != 5]", "/a[@x = 'news']"),
    ("/a[@x != 'news']", "/a[@x > 3]"),
    ("/a[@x = 5]", "/a[@x = '5.0']"),
    ("/a[text()]", "/a[text() = 'b']"),
    ("//a[b]//c", "/x/a[b = 5]/b/c[@y]"),
    ("//*/b", "//a[b]"),
    ("/a//*/b", "/a/*//b"),
    ("/a//*/b[@x]", "/a/*//b[@x = 3]"),
    ("/a[.//*/*/b]", "/a[c/d//b]"),
    ("/a/*[c]", "/a/b[c]"),
    ("/a/c", "/a/b/following-sibling::c"),
    ("/a[b]", "/a/b/following-sibling::c"),
    ("//a/following-sibling::c", "//a/following-sibling::b/following-sibling::c"),
    ("//*[a][b]", "//a/following-sibling::b"),
    ("//a[following-sibling::b]", "/r/a[@x]/following-sibling::b/c"),
    ("//a[b]", "/a/b"),
    ("/a/b", "/a[b][c]/d"),
    ("/a[b][c]", "/a[c]/b/d"),
    ("//a[.//c]", "/a[b/c]"),
    ("//a[.//c]", "/a/b//c[@x]"),
    ("/a[*/c]", "/a[b/c]"),
    ("/a[.//*/c]", "/a[*//c]"),
    ("/*[.//c]", "//b/c[@x]"),
    ("/a/b", "/a/b/following-sibling::c"),
    ("//b/following-sibling::d", "/a/b/following-sibling::c/following-sibling::d"),
    ("//b[following-sibling::*]", "//b/following-sibling::c/d"),
    ("//a//c", "//a/b/following-sibling::c"),
    ("//a[@x]", "//a[@x = 5]"),
    ("//a[@*]", "//a[@x = 5]"),
    ("//a[@x > 5]", "//a[@x > 10]"),
    ("//a[@x >= 5]", "//a[@x > 5]"),
    ("//a[@x != 5]", "//a[@x = 6]"),
    ("//a[@x != 5]", "//a[@x < 5]"),
    ("//a[@x != 5]", "//a[@x = 'word']"),
    ("//a[@x != '3']", "//a[@x > 5]"),
    ("//a[@x < 9]", "//a[@x = '5']"),
    ("//a[text()]", "//a[text() = 'x']"),
    ("//a[.='x']", "//b/a[.='x'][@y]"),
]

NOT_COVERED = [
    ("/a", "//a"),
    ("/a/b", "/a//b"),
    ("/a[b][c]", "/a[b]"),
    ("/a[b/c]", "/a[b][.//c]"),
    ("/a[@x]", "/a[@y]"),
    ("/a[@x]", "/a[@*]"),
    ("/a[@x = 5]", "/a[@x]"),
    ("/a[@x > 10]", "/a[@x > 5]"),
    ("/a[@x > 5]", "/a[@x >= 5]"),
    ("/a[@x > 5]", "/a[@x != 5]"),
    ("/a[@x = '5']", "/a[@x = 5]"),
    ("/a[@x != '5']", "/a[@x != 5.5]"),
    ("/a[. = 5]", "/a[text() = 5]"),
    ("/a[text() != 5]", "/a[text()]"),
    ("/a/*/b", "/a//b"),
    ("/a/*/b", "/a/*//b"),
    ("//a/following-sibling::b", "//b/following-sibling::a"),
    ("//a/following-sibling::b", "//*[a]/b"),
    ("/*/b", "//a/following-sibling::b"),
    ("/a/b", "//a[b]"),
    ("/a[b/c]", "/a[b][c]"),
    ("/a[b[c][d]]", "/a[b/c][b/d]"),
    ("/a[b]", "/a[.//b]"),
    ("/a[*/c]", "/a[.//c]"),
    ("/a[*[@x]]", "/a[.//b[@x]]"),
    ("/*[@x]", "//a[@x]"),
    ("//b/following-sibling::c", "//*[b][c]"),
    ("//b/following-sibling::c", "//c/following-sibling::b"),
    ("//b[following-sibling::c]", "//b/c"),
    ("//a//b", "//a/following-sibling::b"),
    ("//a[@x = 5]", "//a[@x]"),
    ("//a[@x]", "//a[@*]"),
    ("//a[@x]", "//a[@y]"),
    ("//a[@x > 5]", "//a[@x >= 5]"),
    ("//a[@x > 10]", "//a[@x > 5]"),
    ("//a[@x = '5']", "//a[@x = 5]"),
    ("//a[@x != 5]", "//a[@x != '5']"),
    ("//a[@x < 9]", "//a[@x != 9]"),
    ("//a[text()]", "//a[. = 'x']"),
    ("//a[. = 'x']", "//a[text() = 'x']"),
]


@pytest.mark.parametrize(("first", "second"), COVERED)
def test_covers(first: str, second: str) -> None:
    assert pattern_covers(path(first), path(second))


@pytest.mark.parametrize(("first", "second"), NOT_COVERED)
def test_does_not_cover(first: str, second: str) -> None:
    assert not pattern_covers(path(first), path(second))


def test_a_merger_of_tree_patterns_is_the_covering_one() -> None:
    wide, narrow = path("//a[@x > 5]"), path("/a[@x > 10]/b")
    merger = merge(narrow, wide)
    assert merger is not None
    assert (merger.expression, merger.perfect, merger.rule) == (wide, True, 0)
    assert merge(path("/a[b]"), path("/a[c]")) is None


def test_a_disjunction_is_covered_path_by_path() -> None:
    assert covers(parse_xpath("//a[@x] or //b"), parse_xpath("/a[@x = 5] or //b[c]"))
    assert not covers(parse_xpath("//a[@x] or //b"), parse_xpath("/a or //b[c]"))


@given(tree_patterns(), st.data())
def test_a_pattern_covers_itself_and_what_asks_for_more(pattern: Path, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(pattern.steps) - 1))
    step = pattern.steps[at]
    more = (Branch((Step(DESCENDANT, "b"),)), ValueTest("@x", "=", "5"))
    narrower = Step(step.axis, step.name, (*step.predicates, *more))
    assert pattern_covers(pattern, pattern)
    assert pattern_covers(pattern, Path((*pattern.steps[:at], narrower, *pattern.steps[at + 1 :])))
    assert pattern_covers(pattern, Path((*pattern.steps, Step(CHILD, "c"))))


def test_large_patterns_are_decided() -> None:
    deep = path("/a" * 900)
    wide = path("/a" + "[b/c//d]" * 100 + "".join(f"[b{i}]" for i in range(400)))
    assert pattern_covers(path("//*" * 900), deep)
    assert pattern_covers(path("/*[b399][.//d]"), wide)


def asks(document: etree._Element, pattern: Path) -> bool:
    return bool(etree.ElementTree(document).xpath(f"boolean({pattern})"))


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Path, Path]:
    """Two patterns, of which the second is often the first with more asked, so that covering is common."""
    first = draw(tree_patterns(max_steps=3))
    more = draw(st.sampled_from(("", "/a", "//b", "[@x = 5]", "[b]", "[.//c[@y > 3]]", "/b/following-sibling::c")))
    second = draw(st.one_of(tree_patterns(max_steps=3), st.just(path(f"{first}{more}"))))
    return draw(_loosened(first)), second


@st.composite
def _loosened(draw: st.DrawFn, pattern: Path) -> Path:
    """The pattern with some steps asking for less, or differently."""
    steps = []
    for index, step in enumerate(pattern.steps):
        change = draw(st.sampled_from(("none", "name", "axis", "predicates")))
        name = "*" if change == "name" else step.name
        axis = DESCENDANT if change == "axis" and step.axis != FOLLOWING_SIBLING else step.axis
        predicates = step.predicates[1:] if change == "predicates" else step.predicates
        follows_root = index == 1 and steps[0].axis == "/" and axis == FOLLOWING_SIBLING
        steps.append(Step("/" if follows_root else axis, name, predicates))
    return Path(tuple(steps))


def model(pattern: Path, random: Random) -> etree._Element:
    """A document made to match `pattern`: extra elements under `//`, any name for `*`, values that pass if they can."""
    document = etree.Element("document")
    _grow(document, pattern.steps, random)
    return document[0]


def _grow(at: etree._Element, steps: tuple[Step, ...], random: Random) -> None:
    for step in steps:
        if step.axis == DESCENDANT:
            for _ in range(random.choice((0, 0, 1, 2))):
                at = etree.SubElement(at, random.choice((*NAMES, "z")))
        element = etree.Element(random.choice((*NAMES, "z")) if step.name == "*" else step.name)
        if step.axis == FOLLOWING_SIBLING:
            at.addnext(element)
        else:
            at.append(element)
        at = element
        for predicate in step.predicates:
            if isinstance(predicate, Branch):
                _grow(element, predicate.steps, random)
            else:
                _set(element, predicate, random)


def _set(element: etree._Element, test: ValueTest, random: Random) -> None:
    passing = [text for text in (*VALUES, "6", "news") if _passes(test, text)]
    if passing and test.subject.startswith("@"):
        name = test.subject[1:] if test.subject != "@*" else random.choice(("x", "y", "z"))
        element.set(name, random.choice(passing))
    elif passing:
        element.text = random.choice(passing)


def _passes(test: ValueTest, text: str) -> bool:
    return test.operator is None or test.literal is None or holds(test.operator, text, test.literal)


@given(pairs(), st.randoms(use_true_random=False))
def test_what_covers_matches_the_documents_made_for_the_other(pair: tuple[Path, Path], random: Random) -> None:
    first, second = pair
    assume(pattern_covers(first, second))
    for _ in range(5):
        document = model(second, random)
        assert asks(document, first) or not asks(document, second)


@given(pairs(), small_documents())
@example((path("/*"), path("//b")), etree.XML("<a><b/></a>"))
def test_what_covers_matches_wherever_the_other_does(pair: tuple[Path, Path], document: etree._Element) -> None:
    first, second = pair
    assert not pattern_covers(first, second) or asks(document, first) or not asks(document, second)


@given(tree_patterns())
def test_a_pattern_covers_itself_without_looking_at_equality(pattern: Path) -> None:
    assert pattern_covers(pattern, Path((*pattern.steps[:-1], _with_twin(pattern.steps[-1]))))


def _with_twin(step: Step) -> Step:
    return Step(step.axis, step.name, (*step.predicates, ValueTest("@unheard-of")))


@given(linear_paths(names=("a", "b"), max_steps=4), linear_paths(names=("a", "b"), max_steps=4))
def test_linear_paths_are_decided_exactly(first: Path, second: Path) -> None:
    contained = all(_linear(first).match(text) for text in PUBLICATIONS if _linear(second).match(text))
    assert pattern_covers(first, second) == contained


def _linear(pattern: Path) -> re.Pattern[str]:
    steps = (
        (("(/[abz])*" if step.axis == DESCENDANT else ""), step.name.replace("*", "[abz]")) for step in pattern.steps
    )
    return re.compile("".join(f"{skip}/{name}" for skip, name in steps))


@given(st.sampled_from(COMPARISONS), st.sampled_from(LITERALS), st.sampled_from(COMPARISONS), st.sampled_from(LITERALS))
def test_implication_agrees_with_every_string_tried(known: str, known_to: str, asked: str, asked_to: str) -> None:
    tests = [
        path(f"/a[@x {operator} {literal}]").steps[0].predicates[0]
        for operator, literal in ((known, known_to), (asked, asked_to))
    ]
    assert all(isinstance(test, ValueTest) for test in tests)
    strings = (
        *VALUES,
        "7",
        "0.5",
        ".5",
        "0.7",
        "0",
        "-9",
        "99",
        "1e999",
        "-1e999",
        "3",
        "6",
        "5e0",
        "1.0",
        "-3.0",
        "7.0",
    )
    fails = any(_passes(tests[0], text) and not _passes(tests[1], text) for text in strings)
    assert implies(*tests) == (not fails)
