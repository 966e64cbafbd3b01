"""Advertisements as text."""

from __future__ import annotations

import pytest
from hypothesis import given

from dtd_ads import PathAdvertisement, parse_advertisement
from dtd_ads.errors import AdvertisementError
from tests.strategies.advertisements import path_advertisements


@given(path_advertisements(most=6))
def test_what_is_printed_is_read_back(advertisement: PathAdvertisement) -> None:
    assert parse_advertisement(str(advertisement)) == advertisement


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("/a/*/x:c", "non-recursive"),
        ("/a(/b/c)+/d", "simple"),
        ("(/a)+/b(/c)+", "series"),
        ("/a(/b(/c)+)+", "embedded"),
        ("(/a)+(/b(/c)+)+", "embedded"),
    ],
)
def test_kind(text: str, kind: str) -> None:
    assert parse_advertisement(text).kind == kind


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("", 1),
        ("a", 1),
        ("/", 2),
        ("/a//b", 4),
        ("/a*", 2),
        ("/a b", 3),
        ("/a(", 4),
        ("/a(/b", 6),
        ("/a(/b)", 6),
        ("/a(/b)*", 6),
        ("/a()+", 4),
        ("/a)+", 3),
        ("/a+", 3),
        ("(" * 101 + "/a" + ")+" * 101, 101),
    ],
)
def test_malformed(text: str, column: int) -> None:
    with pytest.raises(AdvertisementError) as caught:
        parse_advertisement(text)
    assert caught.value.column == column
