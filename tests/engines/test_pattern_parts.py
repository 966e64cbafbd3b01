"""Patterns by parts: when parts decide, when they do not, and patterns with more parts than slots."""

from __future__ import annotations

import pytest

from broker_sim.engines import create_engine
from broker_sim.engines.pattern_parts import ENDS, JOINTS, TESTS, Parts, straight
from broker_sim.engines.value_index import MAX_LENGTH
from broker_sim.xpath import parse_xpath

RIVALS = ("yfilter", "lazy-dfa")


def parts_of(text: str) -> Parts:
    return Parts.of(parse_xpath(text).disjuncts[0])


def written(ways: list[tuple[object, ...]]) -> list[str]:
    return ["".join(map(str, way)) for way in ways]


def test_ends_tests_and_joints() -> None:
    parts = parts_of("/n/h[@i = 1]/b[c//d][.//e/f[text() = 2]]/g")
    assert sorted(written(parts.ends)) == ["/n/h/b//e/f", "/n/h/b/c//d", "/n/h/b/g"]
    assert written(parts.ends)[0] == "/n/h/b/g"
    assert written([way for way, _ in parts.tests]) == ["/n/h", "/n/h/b//e/f"]
    assert written(parts.joints) == ["/n/h", "/n/h/b"]
    assert parts.decide


def test_one_condition_needs_no_joint() -> None:
    assert parts_of("/a/b[@x = 1]").joints == []
    assert written(parts_of("/a/b[c/d[@x = 1]]/e").joints) == ["/a/b"]


def test_order_is_not_decided_by_parts() -> None:
    assert not parts_of("/a/b/following-sibling::c").decide


@pytest.mark.parametrize(
    ("text", "same"), [("/a[b]", "/a/b"), ("/a[.//b[c][d]]", "/a//b[c]/d"), ("/a[@x]", "/a[@x]"), ("/a/b", "/a/b")]
)
def test_straight(text: str, same: str) -> None:
    assert straight(parse_xpath(text).disjuncts[0]) == parse_xpath(same)


def test_a_choice_of_equal_paths_comes_and_goes() -> None:
    engine = create_engine("lazy-dfa")
    engine.add(1, parse_xpath("/a[b] or /a/b or /a[b][c]"))
    assert list(engine.match(b"<a><b/></a>")) == [1]
    engine.remove(1)
    engine.add(2, parse_xpath("/a/b"))
    assert list(engine.match(b"<a><b/></a>")) == [2]


@pytest.mark.parametrize("name", RIVALS)
def test_more_ends_than_slots(name: str) -> None:
    names = [f"n{place}" for place in range(len(ENDS) + 3)]
    text, inside = "/a" + "".join(f"[{each}]" for each in names), "".join(f"<{each}/>" for each in names)
    assert not parts_of(text).decide
    engine = create_engine(name)
    engine.add(1, parse_xpath(text))
    assert list(engine.match(f"<a>{inside}</a>".encode())) == [1]
    assert list(engine.match(f"<a>{inside.replace('<n1/>', '')}</a>".encode())) == []
    assert list(engine.match(f"<a>{inside.replace('<n9/>', '')}</a>".encode())) == []


@pytest.mark.parametrize("name", RIVALS)
def test_more_tests_than_slots(name: str) -> None:
    text = "/a/b" + "".join(f"[@n{place} = 1]" for place in range(len(TESTS) + 2))
    assert not parts_of(text).decide
    engine = create_engine(name)
    engine.add(1, parse_xpath(text))
    values = " ".join(f"n{place}='1'" for place in range(len(TESTS) + 2))
    assert list(engine.match(f"<a><b {values}/></a>".encode())) == [1]
    for place in range(len(TESTS) + 2):
        wrong = values.replace(f"n{place}='1'", f"n{place}='2'")
        assert list(engine.match(f"<a><b {wrong}/></a>".encode())) == []


@pytest.mark.parametrize("name", RIVALS)
def test_more_joints_than_slots(name: str) -> None:
    names = [f"n{place}" for place in range(len(JOINTS) + 2)]
    text = "/a" + "".join(f"/{each}[@x]" for each in names) + "/z"
    inside = "".join(f"<{each} x='1'>" for each in names) + "<z/>" + "".join(f"</{each}>" for each in reversed(names))
    assert not parts_of(text).decide
    engine = create_engine(name)
    engine.add(1, parse_xpath(text))
    assert list(engine.match(f"<a>{inside}</a>".encode())) == [1]
    assert list(engine.match(f"<a>{inside.replace('<z/>', '')}</a>".encode())) == []


@pytest.mark.parametrize("name", RIVALS)
def test_parts_at_different_elements_do_not_join(name: str) -> None:
    engine = create_engine(name)
    for id, text in enumerate(("/a/b[c]/d", "/a/b[@x = 1]/d", "/a[b/c]/b/d", "//b[c][d]", "/a/b[@x = 1][@y = 2]")):
        engine.add(id, parse_xpath(text))
    apart = b"<a><b x='1'><c/></b><b y='2'><d/></b></a>"
    assert list(engine.match(apart)) == [2]
    assert list(engine.match(b"<a><b x='1' y='2'><c/><d/></b></a>")) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("name", RIVALS)
def test_long_values_are_compared_too(name: str) -> None:
    engine, value = create_engine(name), "v" * (MAX_LENGTH + 1)
    engine.add(1, parse_xpath(f"/a[@x = '{value}'][text() = '{value}']"))
    for _ in range(2):
        assert list(engine.match(f"<a x='{value}'>{value}</a>".encode())) == [1]
        assert list(engine.match(f"<a x='{value}'>{value}v</a>".encode())) == []
