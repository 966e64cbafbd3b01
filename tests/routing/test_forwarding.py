"""What one link carries, against the definitions."""

from hypothesis import given
from hypothesis import strategies as st
from pyroaring import BitMap

from broker_sim.engines import create_engine
from broker_sim.relations import covers, normal_form
from broker_sim.routing import STRATEGIES, Knowledge, Values
from broker_sim.routing.forwarding import Forwarding, forwarding_for
from broker_sim.xpath import Path, parse_xpath
from dtd_ads import Element, Schema
from dtd_ads.content import Content, Group, Name
from tests.strategies.patterns import linear_paths

changes = st.lists(st.tuples(st.booleans(), st.integers(0, 9)), max_size=30)


def link_under(strategy: str, paths: list[Path]) -> tuple[Forwarding, Knowledge, list[int]]:
    chosen = STRATEGIES[strategy]
    values = Values(owned=not chosen.cover)
    knowledge = Knowledge(values, create_engine("lazy-dfa"), cover=chosen.cover)
    keys = [values.subscription(path, f"client {number}") for number, path in enumerate(paths)]
    for key in keys:
        knowledge.learn(key)
    return forwarding_for(chosen, knowledge), knowledge, keys


def play(link: Forwarding, keys: list[int], steps: list[tuple[bool, int]]) -> tuple[set[int], set[int]]:
    """What is needed, and what a neighbour knows that heard every change, after the steps."""
    needed: set[int] = set()
    heard: set[int] = set()
    for adding, index in steps:
        key = keys[index % len(keys)]
        if adding == (key in needed):
            continue
        needed ^= {key}
        for kind, told in link.add(key) if adding else link.discard(key):
            assert (told in heard) == (kind == "unsubscribe")
            heard ^= {told}
    return needed, heard


@given(st.lists(linear_paths, min_size=1, max_size=8), changes)
def test_plain_forwards_what_is_needed(paths: list[Path], steps: list[tuple[bool, int]]) -> None:
    link, _, keys = link_under("with-adv-no-cov", paths)
    needed, heard = play(link, keys, steps)
    assert heard == needed == set(link.needed) == set(link.wire)


@given(st.lists(linear_paths, min_size=1, max_size=8), changes)
def test_covering_forwards_the_maximal_set(paths: list[Path], steps: list[tuple[bool, int]]) -> None:
    link, knowledge, keys = link_under("with-adv-with-cov", paths)
    needed, heard = play(link, keys, steps)
    path = knowledge.values.path
    maximal = {key for key in needed if not any(covers(path(other), path(key)) for other in needed - {key})}
    assert heard == maximal == set(link.wire)
    assert needed == set(link.needed)


@given(st.lists(linear_paths, min_size=1, max_size=8), changes)
def test_merging_covers_what_is_needed_and_no_more_than_its_parts(
    paths: list[Path], steps: list[tuple[bool, int]]
) -> None:
    link, knowledge, keys = link_under("with-adv-with-cov-merge-perfect", paths)
    for _ in range(2):
        needed, heard = play(link, keys, steps)
        for kind, told in link.settle():
            assert (told in heard) == (kind == "unsubscribe")
            heard ^= {told}
        path = knowledge.values.path
        assert heard == set(link.wire)
        assert all(any(covers(path(told), path(key)) for told in heard) for key in needed)
        assert len(heard) <= len(needed)
        assert link.settle() == []
        for key in sorted(needed):
            for kind, told in link.discard(key):
                assert (told in heard) == (kind == "unsubscribe")
                heard ^= {told}
        assert heard == set() == set(link.wire)


def test_a_merger_is_formed_at_rest_and_undone_when_a_part_leaves() -> None:
    children = Content("CHILDREN", Group("|", (Name("b"), Name("c")), "*"))
    text = Content("MIXED")
    schema = Schema(
        "two", "a", {"a": Element("a", children, ("b", "c")), "b": Element("b", text, ()), "c": Element("c", text, ())}
    )
    values = Values(owned=False)
    knowledge = Knowledge(values, create_engine("lazy-dfa"), cover=True, schema=schema)
    first, second = (values.subscription(parse_xpath(path).disjuncts[0]) for path in ("/a/b", "/a/c"))
    knowledge.learn(first)
    knowledge.learn(second)
    link = forwarding_for(STRATEGIES["with-adv-with-cov-merge-perfect"], knowledge)
    assert link.add(first) == [("subscribe", first)]
    assert link.add(second) == [("subscribe", second)]
    told = link.settle()
    merger = told[0][1]
    assert values.path(merger) == normal_form(parse_xpath("/a/*").disjuncts[0])
    assert told == [("subscribe", merger), ("unsubscribe", first), ("unsubscribe", second)]
    assert link.discard(first) == [("subscribe", second), ("unsubscribe", merger)]
    assert link.wire == BitMap([second])
