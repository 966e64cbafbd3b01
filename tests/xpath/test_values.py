"""Numbers and comparisons agree with lxml, bit by bit."""

from __future__ import annotations

import math
import struct

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree

from broker_sim.xpath.expression import Operator, ValueTest
from broker_sim.xpath.values import holds, to_number

ELEMENT = etree.Element("a")
OPERATORS: tuple[Operator, ...] = ("=", "!=", "<", "<=", ">", ">=")
ODD = (
    "", " ", "5", " 5 ", "\t5\n", "\r5", "\xa05", "5e3", "5E3", "5e+3", "5e-3", "5e", "5e+", "5e-", "e5",
    "1e400", "0e400",
    "0x1", "1.", ".5", ".", "-", "-.5", "-5", "- 5", "--5", "+5", "NaN", "Infinity", "INF", "-0", "0", "\u0665", "1 2",
    "1,000", "123.456", "0.1", "9" * 30, "9" * 400, "1." + "3" * 40, "5e3.5", ".e3", "1.e3", "5e-400", "5e" + "9" * 30,
    "0." + "0" * 30 + "1", "0." + "0" * 400 + "1", "0." + "7" * 25, "00012", "-1e-5", "1e 5",
    "17976931348623157" + "0" * 292,
    "0e-0005", "1e0000000000000003", "4.35", "2.675", "1234567890123456789.987654321", "12abc", "\u00b2", "1_000",
)  # fmt: skip
numbers = st.from_regex(r"\A[ \n]?-?[0-9]{0,25}\.?[0-9]{0,25}([eE][+-]?[0-9]{0,4})?[ \t]?\Z")
texts = st.one_of(st.sampled_from(ODD), numbers, st.text("0123456789.-+eE x\u0665\xa0", max_size=8))


def bits(number: float) -> bytes:
    return b"nan" if math.isnan(number) else struct.pack("d", number)


def test_odd_strings_read_as_lxml_reads_them() -> None:
    wrong = [text for text in ODD if bits(to_number(text)) != bits(ELEMENT.xpath("number($text)", text=text))]
    assert wrong == []


@given(texts)
def test_numbers_read_as_lxml_reads_them(text: str) -> None:
    assert bits(to_number(text)) == bits(ELEMENT.xpath("number($text)", text=text))


@given(
    st.sampled_from(OPERATORS),
    texts,
    st.one_of(texts, st.floats(allow_nan=False, allow_infinity=False), st.integers(-9, 9).map(float)),
)
@example("=", "1e22", 1e22)
@example("=", "0.1", 0.1)
@example("!=", "", 5.0)
@example("=", "-0", 0.0)
def test_comparisons_hold_where_lxml_says(operator: Operator, value: str, literal: str | float) -> None:
    document = etree.Element("a", x=value)
    test = ValueTest("@x", operator, literal)
    assert holds(operator, value, literal) == bool(document.xpath(f"/a[{test}]"))


@pytest.mark.parametrize(
    ("operator", "value", "literal", "expected"),
    [
        ("=", "5.0", 5.0, True),
        ("=", "5.0", "5", False),
        ("<", "5", "10", True),
        ("!=", "news", 5.0, True),
        ("=", "news", 5.0, False),
        (">", "news", 5.0, False),
    ],
)
def test_what_users_expect(operator: Operator, value: str, literal: str | float, expected: bool) -> None:
    assert holds(operator, value, literal) is expected
