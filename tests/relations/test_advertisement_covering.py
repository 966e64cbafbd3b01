"""Covering between advertisements: hand-made cases and the brute-force referee."""

from __future__ import annotations

import pytest
from hypothesis import given

from broker_sim.relations import advertisement_covering, advertisement_covers
from dtd_ads import EVERYTHING, Advertisement, AdvertisementSet, AutomatonAdvertisement, parse_advertisement
from tests.relations import referee
from tests.strategies.advertisements import advertisements, element_graphs, path_advertisements

LONGEST = 7


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("/a/*", "/a/b", True),
        ("/a/b", "/a/*", False),
        ("/a/*", "/a/*", True),
        ("/a", "/a/b", False),
        ("/a/b", "/a", False),
        ("(/*)+", "/a(/b/*)+", True),
        ("(/a)+", "/a/a/a", True),
        ("(/a)+", "(/a/a)+", True),
        ("(/a/a)+", "(/a)+", False),
        ("/a(/*)+", "(/a/b)+", True),
        ("/a(/*)+/b", "(/a/b)+", False),
        ("/*(/*)+", "(/*)+", False),
        ("(/a(/b)+)+", "/a/b/b(/a/b)+", True),
        ("(/*/a)+", "/b/a/*/a", True),
    ],
)
def test_paths(first: str, second: str, expected: bool) -> None:
    assert advertisement_covers(parse_advertisement(first), parse_advertisement(second)) is expected


@given(path_advertisements(most=3) | element_graphs(), path_advertisements(most=3) | element_graphs())
def test_covering_is_that_of_the_referee(first: Advertisement, second: Advertisement) -> None:
    assert advertisement_covers(first, second) == referee.advertisement_covers(first, second, LONGEST)


@given(advertisements)
def test_everything_covers_and_each_covers_itself(advertisement: Advertisement) -> None:
    assert advertisement_covers(EVERYTHING, advertisement)
    assert advertisement_covers(advertisement, advertisement)


def test_a_set_covers_what_none_of_it_covers_alone() -> None:
    graph = AutomatonAdvertisement("a", (("a", ("b", "c")),), frozenset("bc"))
    paths = tuple(map(parse_advertisement, ["/a/b", "/a/c"]))
    assert advertisement_covers(AdvertisementSet(paths, "paths", exact=True), graph)
    assert not any(advertisement_covers(path, graph) for path in paths)
    assert advertisement_covers(graph, AdvertisementSet(paths, "paths", exact=True))


def test_what_takes_too_many_states_is_not_covered(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = parse_advertisement("(/*)+"), parse_advertisement("/a/b/c/d/e(/f)+")
    assert advertisement_covers(first, second)
    monkeypatch.setattr(advertisement_covering, "MAX_STATES", 3)
    assert not advertisement_covers(first, second)
