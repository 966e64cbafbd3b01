"""Where to cut: the worked example of figures 5 to 7, and the table of appendix A3."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker_sim.chunking.query_tree import QueryTree, remaining
from broker_sim.chunking.transformation import Names


def tree_of(weights: dict[str, int]) -> QueryTree:
    tree = QueryTree()
    for path, number in weights.items():
        for _ in range(number):
            tree.add(tuple(path.strip("/").split("/")))
    return tree


def written(cuts: tuple[Names, ...]) -> list[str]:
    return ["/" + "/".join(cut) for cut in cuts]


def test_the_worked_example() -> None:
    tree = tree_of({"/a/b/c": 2, "/a/b/d": 1})
    assert dict(tree.weights) == {("a",): 3, ("a", "b"): 3, ("a", "b", "c"): 2, ("a", "b", "d"): 1}
    assert list(map(written, tree.growing_cuts())) == [[], ["/a/b"], ["/a/b/c"], ["/a/b/c", "/a/b/d"]]
    assert written(tree.cuts(2)) == ["/a/b/c", "/a/b/d"]
    assert written(tree.cuts(9)) == ["/a/b/c", "/a/b/d"]
    assert tree.cuts(0) == ()


A = "/ejb-jar/assembly-descriptor"
B = "/ejb-jar/enterprise-beans"

QUERIES = {
    f"{A}/container-transaction/method": 95,
    f"{A}/container-transaction/trans-attribute": 95,
    f"{A}/method-permission/method": 90,
    f"{A}/method-permission/role-name": 90,
    f"{A}/security-role/description": 85,
    f"{A}/security-role/role-name": 85,
    f"{B}/session/home": 82,
    f"{B}/session/remote": 82,
    f"{B}/message-driven/ejb-name": 77,
    f"{B}/message-driven/ejb-ref": 76,
    f"{B}/entity/home": 72,
    f"{B}/entity/remote": 71,
}
"""A thousand queries in the shares of appendix A3; it gives whole per cents, which add up to 99."""

TABLE_A3: dict[int, dict[str, int]] = {
    2: {A: 54, B: 46},
    3: {f"{A}/container-transaction": 19, A: 35, B: 46},
    4: {f"{A}/container-transaction": 19, f"{A}/method-permission": 18, f"{A}/security-role": 17, B: 46},
    5: {
        f"{A}/container-transaction": 19,
        f"{A}/method-permission": 18,
        f"{A}/security-role": 17,
        f"{B}/session": 16,
        B: 30,
    },
    6: {
        f"{A}/container-transaction": 19,
        f"{A}/method-permission": 18,
        f"{A}/security-role": 17,
        f"{B}/session": 16,
        f"{B}/message-driven": 15,
        f"{B}/entity": 14,
    },
}


@pytest.mark.parametrize("chunks", TABLE_A3)
def test_appendix_a3(chunks: int) -> None:
    tree = tree_of(QUERIES)
    cuts = tree.cuts(chunks)
    left = remaining(tree.weights, set(cuts))
    shares = {path: round(left[cut] / 10) for path, cut in zip(written(cuts), cuts, strict=True)}
    assert shares == TABLE_A3[chunks]


names = st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map(tuple)


@given(st.lists(names, max_size=40), st.integers(1, 8))
def test_cuts_are_bounded_and_each_answers_something(paths: list[Names], number: int) -> None:
    tree = QueryTree()
    for path in paths:
        tree.add(path)
    cuts = tree.cuts(number)
    left = remaining(tree.weights, set(cuts))
    assert len(cuts) <= number
    assert all(left[cut] > 0 and len(cut) > 1 for cut in cuts)
    assert sum(left[cut] for cut in cuts) <= tree.total == len(paths)


@given(st.lists(names, max_size=20), st.lists(names, max_size=20))
def test_removing_paths_leaves_no_trace(kept: list[Names], gone: list[Names]) -> None:
    tree, fresh = QueryTree(), QueryTree()
    for path in kept + gone:
        tree.add(path)
    for path in gone:
        tree.remove(path)
    for path in kept:
        fresh.add(path)
    assert (tree.weights, tree.total) == (fresh.weights, fresh.total)
    assert list(tree.growing_cuts()) == list(fresh.growing_cuts())
