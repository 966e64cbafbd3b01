"""What the language is, what it is not, and that no text is too much for the parser."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker_sim.errors import ConfigurationError, XPathError
from broker_sim.xpath import CHILD, DESCENDANT, Branch, Limits, Path, Step, ValueTest, parse_xpath

CANONICAL = [
    ("/a/b", "/a/b"),
    ("a/b", "//a/b"),
    ("  /a //\tb\n", "/a//b"),
    ("./a", "//a"),
    (".//a", "//a"),
    ("/a/./b", "/a/b"),
    ("/and/or", "/and/or"),
    ("or or and", "//and or //or"),
    ("/a[or or and]", "/a[and] or /a[or]"),
    ("/div/mod[text]", "/div/mod[text]"),
    ("mml:math/a.b-c/_x", "//mml:math/a.b-c/_x"),
    ("/\u00e9t\u00e9/\u540d", "/\u00e9t\u00e9/\u540d"),
    ("/e\u0301a\u00b7b", "/e\u0301a\u00b7b"),
    ("/a[b/@x=5]", "/a[b[@x = 5]]"),
    ("/a[b/c=5]", "/a[b/c[. = 5]]"),
    ("/a[b[c]]", "/a[b/c]"),
    ("/a[b[@x][c]]", "/a[b[@x]/c]"),
    ("/a[b[c][d]]", "/a[b[c]/d]"),
    ("/a[b[d]/c]", "/a[b[c]/d]"),
    ("/a[.]", "/a"),
    ("/a[. = 5]", "/a[. = 5]"),
    ("/a[c][b][c]", "/a[b][c]"),
    ("/a[5 < @x]", "/a[@x > 5]"),
    ("/a[-5>=@x]", "/a[@x <= -5]"),
    ("/a[@x = .5]", "/a[@x = 0.5]"),
    ("/a[@x = 5.]", "/a[@x = 5]"),
    ("/a[@x = - 0]", "/a[@x = 0]"),
    ("/a[@x='it']", '/a[@x = "it"]'),
    ("/a[@x='\"']", "/a[@x = '\"']"),
    ("/a[@*]", "/a[@*]"),
    ("/nitf/head/title/text()", "/nitf/head/title[text()]"),
    ("//tobject[@id=12][@id=3]", "//tobject[@id = 12][@id = 3]"),
    ("/a[./head//title]", "/a[head//title]"),
    ("/a[.//table/caption]", "/a[.//table/caption]"),
    ("/a[(b or c) and d]", "/a[b][d] or /a[c][d]"),
    ("/a[b or b]", "/a[b]"),
    ("/a/b or //c or /a/b", "//c or /a/b"),
    ("//a[following-sibling::b/c]", "//a[following-sibling::b/c]"),
    # the parent, attributes and text anywhere
    ("/a/b/../c", "/a[b]/c"),
    ("/a//b/../c", "/a//*[b]/c or /a[b]/c"),
    ("//b/..", "//b"),
    ("//a[../b]", "//*[b]/a"),
    ("//a[../..]", "//*/a"),
    ("//a[.. = 5]", "//*[. = 5]/a or /a[. = 5]"),
    ("//a/following-sibling::b/../c", "//*[a/following-sibling::b]/c"),
    ("/a/@id/../b", "/a[@id]/b"),
    ("/a/text()/./../b", "/a[text()]/b"),
    ("/a[@id/.. = 5]", "/a[. = 5][@id]"),
    ("/a/../a/c", "/a/c"),
    ("/*/../a/c", "/a/c"),
    ("/a[../*/c]", "/a[c]"),
    ("/a/..//b", "/a//b"),
    ("/a//@id", "/a//*[@id] or /a[@id]"),
    ("//@id", "//*[@id]"),
    ("@id", "//*[@id]"),
    ("//text()", "//*[text()]"),
    ("/a[.//@id = 5]", "/a[.//*[@id = 5]] or /a[@id = 5]"),
    ("/a/../b or /c", "/c"),
]

WRONG = [
    ("", 1, "a step"),
    ("   ", 4, "a step"),
    ("/", 2, "a step"),
    ("//", 3, "a step"),
    ("/.", 1, "the document alone"),
    (".", 2, "after '.'"),
    ("//.", 3, "after '//'"),
    ("//..", 3, "after '//'"),
    ("..", 1, "after '//'"),
    ("//following-sibling::a", 3, "after '//'"),
    ("/a/", 4, "a step"),
    ("///a", 3, "a step"),
    ("/a b", 4, "'or'"),
    ("/a and /b", 4, "'or'"),
    ("/a | /b", 4, "'or'"),
    ("/a = 5", 4, "'or'"),
    ("/a * 2", 4, "'or'"),
    ("(/a)", 1, "a step"),
    ("/a]", 3, "'or'"),
    ("/a[", 4, "a step"),
    ("/a[]", 4, "a step"),
    ("/a[b", 5, "']'"),
    ("/a[(b]", 6, "')'"),
    ("/a[4]", 4, "positions"),
    ("/a['x']", 4, "a literal alone"),
    ("/a['x]", 4, "a closing '"),
    ("/a[b = c]", 8, "a string or a number"),
    ("/a[1 = 1]", 8, "a step"),
    ("/a[/b]", 4, "from this element"),
    ("/a[5 = //b]", 8, "from this element"),
    ("/a[@x = 5 = 6]", 11, "'and'"),
    ("/a[@x = --5]", 9, "a string or a number"),
    ("/a[@x + 1 = 5]", 7, "'and'"),
    ("/a[(b) = 5]", 8, "'and'"),
    ("/a[.[b]]", 5, "'and'"),
    ("/a[@x[. = 5]]", 6, "a predicate cannot follow @x"),
    ("/a/@x/b", 6, "only '/..' after @x"),
    ("/a/text()//..", 10, "only '/..' after text()"),
    ("/a/@", 5, "after '@'"),
    ("count(/a)", 1, "functions"),
    ("/a[not(b)]", 4, "functions"),
    ("/a/node()", 4, "functions"),
    ("/a[$x]", 4, "a step"),
    ("child::a", 1, "no axis but"),
    ("/a/ancestor::b", 4, "no axis but"),
    ("//a/following-sibling::@x", 24, "a name or *"),
    ("*:x", 2, "around ':'"),
    ("x:*", 2, "around ':'"),
    ("a:b:c", 4, "around ':'"),
    ("/a#b", 3, "starts nothing"),
    ("/2a", 2, "a step"),
    ("/a\u00b2", 3, "starts nothing"),
    ("/a\u00a0", 3, "starts nothing"),
    ("/a\0", 3, "XML allows"),
    ("/a['\ud800']", 5, "XML allows"),
    ("/a/../b", 1, "never match"),
    ("/a/following-sibling::b", 1, "never match"),
    ("/a[following-sibling::b]", 1, "never match"),
    ("/..", 1, "never match"),
    ("/@x", 1, "never match"),
    ("/text()", 1, "never match"),
    (f"/a[@x = {'9' * 400}]", 9, "a double"),
]

TOO_MUCH = {
    "characters": "/a" * 100_000,
    "steps": "/a" * 1_001,
    "steps in predicates": "/a" + "[b/c]" * 501,
    "brackets": "/a[b" * 51,
    "open brackets": "/a" + "[" * 60_000,
    "parentheses": "/a[" + "(" * 60_000,
    "100,000 parentheses": "(" * 100_000,
    "alternatives of or": "/a[" + " and ".join(["(b or c)"] * 300) + "]",
    "alternatives in predicates": "/a" + "[b or c]" * 7,
    "alternatives of parents": "//a" * 300 + "/.." * 300 + "/b",
    "paths": " or ".join(f"/a{number}" for number in range(65)),
}


@pytest.mark.parametrize(("text", "expected"), CANONICAL)
def test_canonical_text(text: str, expected: str) -> None:
    expression = parse_xpath(text)
    assert str(expression) == expected
    assert parse_xpath(expected) == expression


def test_values() -> None:
    inside = Branch((Step(CHILD, "b", (ValueTest("@x", "=", 5.0),)),))
    assert parse_xpath("//a[b/@x = 5]/c") == Path((Step(DESCENDANT, "a", (inside,)), Step(CHILD, "c")))
    assert parse_xpath("/a[b]") != parse_xpath("/a[b = '']")


@pytest.mark.parametrize(("text", "column", "expected"), WRONG)
def test_outside_the_language(text: str, column: int, expected: str) -> None:
    with pytest.raises(XPathError) as caught:
        parse_xpath(text)
    assert (caught.value.column, caught.value.text) == (column, text)
    assert expected in caught.value.message
    assert len(caught.value.message) < 300


@pytest.mark.parametrize("text", TOO_MUCH.values(), ids=TOO_MUCH)
def test_too_much(text: str) -> None:
    with pytest.raises(XPathError) as caught:
        parse_xpath(text)
    assert len(caught.value.message) < 300


@pytest.mark.parametrize(
    ("limits", "fits", "exceeds"),
    [
        (Limits(max_length=6), "/a/b/c", "/a/b/c "),
        (Limits(max_steps=2), "/a/b", "/a/b/c"),
        (Limits(max_steps=2), "/a[b]", "/a[b/c]"),
        (Limits(max_depth=1), "/a[b][c]", "/a[b[c]]"),
        (Limits(max_disjuncts=2), "/a[b or c]", "/a[b or c or d]"),
    ],
)
def test_limits(limits: Limits, fits: str, exceeds: str) -> None:
    parse_xpath(fits, limits)
    with pytest.raises(XPathError):
        parse_xpath(exceeds, limits)


@pytest.mark.parametrize("wrong", [{"max_steps": 0}, {"max_depth": 101}])
def test_limits_that_make_no_sense(wrong: dict[str, int]) -> None:
    with pytest.raises(ConfigurationError):
        Limits(**wrong)


def test_the_largest_expressions_are_read_and_written() -> None:
    climbing = "//r" + "/n/s/.." * 200 + "/.." * 190 + "/x"
    for text in ("/a" * 1_000, "/a[b" * 50 + "]" * 50, climbing, "/a" + "".join(f"[b{i}]" for i in range(999))):
        expression = parse_xpath(text)
        assert parse_xpath(str(expression)) == expression
        assert hash(expression) == hash(parse_xpath(str(expression)))


@given(st.text("ab/*[]()@.=<>!'\" 5-:|or\0\ud800\u00e9", max_size=30) | st.text(max_size=20))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        expression = parse_xpath(text)
    except XPathError as error:
        column = error.column or 0
        assert 1 <= column <= len(text) + 1
    else:
        assert parse_xpath(str(expression)) == expression
