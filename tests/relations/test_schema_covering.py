"""Covering over a schema's publications, against enumeration of its walks."""

from collections.abc import Iterator
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from broker_sim.relations import covers
from broker_sim.relations.schema_covering import witness
from broker_sim.xpath import Path, disjunction
from dtd_ads import Element, Schema, parse_advertisement
from dtd_ads.advertisement import AdvertisementSet
from dtd_ads.automaton import automaton_of
from dtd_ads.content import Content, Name
from tests.relations.covering_referee import Publication, linear, linear_paths, matches


def schema(edges: dict[str, str], ends: str) -> Schema:
    """Root `a`; each name with its children; the elements in `ends` may end, the others need a child."""

    def content(name: str) -> Content:
        return Content("MIXED") if name in ends else Content("CHILDREN", Name((edges[name] or name)[0]))

    return Schema("small", "a", {name: Element(name, content(name), tuple(edges[name])) for name in edges})


def publications(given: Schema, longest: int) -> Iterator[Publication]:
    """Every walk from the root of at most `longest` elements that ends where a path may end."""
    walks: list[Publication] = [(given.root,)]
    for walk in walks:
        if given.may_end(walk[-1]):
            yield walk
        if len(walk) < longest:
            walks += [(*walk, child) for child in given.children(walk[-1])]


TREE = schema({"a": "bc", "b": "d", "c": "d", "d": ""}, ends="bd")


def test_the_schema_makes_more_covered() -> None:
    assert not covers(linear("/a//d"), linear("//d"))
    assert covers(linear("/a//d"), linear("//d"), TREE)
    assert covers(linear("/a/*/d"), linear("//d"), TREE)
    assert not covers(linear("/a/b/d"), linear("//d"), TREE)


def test_what_no_publication_matches_is_covered_by_everything() -> None:
    assert covers(linear("/b"), linear("/a/d"), TREE)
    assert covers(linear("/x"), linear("/y"), TREE)


def test_the_end_of_a_publication_counts() -> None:
    """Every path through `c` goes on to `d`, but one through `b` may end there."""
    assert covers(linear("//c/d"), linear("//c"), TREE)
    assert not covers(linear("//b/d"), linear("//b"), TREE)
    assert witness([linear("//b/d")], linear("//b"), TREE) == ("a", "b")


def test_disjunctions_are_exact_together() -> None:
    both = disjunction({linear("/a/b"), linear("/a/c")})
    assert covers(both, linear("/a"), TREE)
    assert not covers(both, linear("/a"))


def test_recursion_is_followed_to_any_length() -> None:
    loop = schema({"a": "ab", "b": ""}, ends="b")
    assert covers(linear("/a//b"), linear("/a"), loop)
    assert not covers(linear("/a/a/a/a/a"), linear("/a/a/a/a"), loop)
    assert witness([linear("/a/a/a/a/a")], linear("/a/a/a/a"), loop) == ("a", "a", "a", "a", "b")


@st.composite
def schemas(draw: st.DrawFn) -> Schema:
    children = st.sets(st.sampled_from("abcd"), max_size=2).map(sorted).map("".join)
    return schema({name: draw(children) for name in "abcd"}, draw(st.sets(st.sampled_from("abcd")).map("".join)))


@settings(max_examples=300)
@given(schemas(), linear_paths("abd*", longest=4), linear_paths("abd*", longest=3))
def test_agrees_with_enumeration(given: Schema, first: Path, second: Path) -> None:
    found = witness([first], second, given)
    assert covers(first, second, given) == (found is None)
    if found is None:
        assert all(matches(first, walk) for walk in publications(given, 8) if matches(second, walk))
    else:
        assert matches(second, found)
        assert not matches(first, found)
        assert given.may_end(found[-1])
        assert found in set(publications(given, len(found)))


@given(schemas(), linear_paths(longest=3), linear_paths(longest=3))
def test_covered_everywhere_is_covered_here(given: Schema, first: Path, second: Path) -> None:
    assert not covers(first, second) or covers(first, second, given)


ADVERTISEMENTS = ("/a", "/a/b", "/a/b/d", "/a(/b)+/c", "/a/*/d", "/*/b", "/a(/c/d)+")


@settings(max_examples=300)
@given(
    st.sets(st.sampled_from(ADVERTISEMENTS), min_size=1),
    linear_paths("abd*", longest=4),
    linear_paths("abd*", longest=3),
)
def test_advertised_publications_agree_with_enumeration(texts: set[str], first: Path, second: Path) -> None:
    advertised = AdvertisementSet(tuple(map(parse_advertisement, sorted(texts))), "paths", exact=False)
    automaton = automaton_of(advertised)
    found = witness([first], second, automaton)
    if found is not None:
        assert automaton.accepts(found)
        assert matches(second, found)
        assert not matches(first, found)
        return
    walks = [walk for length in range(1, 6) for walk in product("abcdz", repeat=length)]
    assert all(matches(first, walk) for walk in walks if automaton.accepts(walk) and matches(second, walk))
