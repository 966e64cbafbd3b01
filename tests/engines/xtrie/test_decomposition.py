"""XPE-trees and their rows: the paper's examples, and what the paper leaves out."""

from __future__ import annotations

import pytest

from broker_sim.engines.xtrie.decomposition import NONE, Row, decompose
from broker_sim.engines.xtrie.xpe_tree import RelLevel, xpe_tree
from broker_sim.xpath import CHILD, FOLLOWING_SIBLING, Branch, Path, Step, parse_xpath

# The XPE of the paper's figure 2, in its own order of branches: /a/b[c/d//e][g//e/f]//*/*/e/f.
FIGURE_2 = Path(
    (
        Step("/", "a"),
        Step(
            "/",
            "b",
            (
                Branch((Step("/", "c"), Step("/", "d"), Step("//", "e"))),
                Branch((Step("/", "g"), Step("//", "e"), Step("/", "f"))),
            ),
        ),
        Step("//", "*"),
        Step("/", "*"),
        Step("/", "e"),
        Step("/", "f"),
    )
)


def rows_of(path: Path | str, *, ordered: bool = False) -> list[Row]:
    tree = xpe_tree(parse_xpath(path).disjuncts[0] if isinstance(path, str) else path)
    assert tree is not None
    return decompose(tree, ordered=ordered)


def summary(rows: list[Row]) -> list[tuple[str, int, RelLevel, int, int]]:
    return [("".join(row.substring), row.parent, row.rel_level, row.rank, row.num_child) for row in rows]


def test_figure_2() -> None:
    assert summary(rows_of(FIGURE_2)) == [
        ("ab", NONE, RelLevel(2), 1, 3),
        ("abcd", 0, RelLevel(2), 1, 1),
        ("e", 1, RelLevel(1, True), 1, 0),
        ("abg", 0, RelLevel(1), 2, 1),
        ("ef", 3, RelLevel(2, True), 1, 0),
        ("ef", 0, RelLevel(4, True), 3, 0),
    ]


def test_figure_2_minimal_decomposition_is_the_simple_one_without_its_branching_nodes() -> None:
    rows = rows_of(FIGURE_2)
    continued = {row.parent for row in rows if row.parent != NONE and _continues(row, rows[row.parent])}
    longest = [row for place, row in enumerate(rows) if place not in continued]
    assert ["".join(row.substring) for row in longest] == ["abcd", "e", "abg", "ef", "ef"]


def _continues(row: Row, parent: Row) -> bool:
    return not row.rel_level.unbounded and row.substring[: -row.rel_level.least] == parent.substring


def test_figure_1() -> None:
    path = Path(
        (
            Step("//", "a"),
            Step("//", "b", (Branch((Step("/", "*"), Step("/", "c"))),)),
            Step("/", "d"),
        )
    )
    assert summary(rows_of(path)) == [
        ("a", NONE, RelLevel(1, True), 1, 1),
        ("b", 0, RelLevel(1, True), 1, 2),
        ("c", 1, RelLevel(2), 1, 0),
        ("bd", 1, RelLevel(1), 2, 0),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/a/b/c", [("abc", NONE, RelLevel(3), 1, 0)]),
        ("//a/*//b", [("a", NONE, RelLevel(1, True), 1, 1), ("b", 0, RelLevel(2, True), 1, 0)]),
        ("/*/a", [("a", NONE, RelLevel(2), 1, 0)]),
        ("/a[b]/*[c]/d", [("a", NONE, RelLevel(1), 1, 2), ("ab", 0, RelLevel(1), 1, 0), ("*", 0, RelLevel(1), 2, 2),
                          ("c", 2, RelLevel(1), 1, 0), ("d", 2, RelLevel(1), 2, 0)]),
    ],
)  # fmt: skip
def test_small_patterns(text: str, expected: list[tuple[str, int, RelLevel, int, int]]) -> None:
    assert summary(rows_of(text)) == expected


@pytest.mark.parametrize(
    ("text", "heights"), [("/a/*", [1]), ("/a//*/*", [2]), ("/*/*/*", [3]), ("/a[*/*]/b", [0, 2, 0])]
)
def test_wildcards_at_the_end_are_a_height(text: str, heights: list[int]) -> None:
    assert [row.height for row in rows_of(text)] == heights


def test_tests_of_inner_nodes_are_rows_of_their_own() -> None:
    inner, test, leaf = rows_of("/a[@x = 1]/b[. = 'z']")
    assert (inner.num_child, inner.tests) == (2, ())
    assert (test.substring, test.rel_level, test.parent) == (inner.substring, RelLevel(0), 0)
    assert [str(row.tests[0]) for row in (test, leaf)] == ["@x = 1", '. = "z"']


def test_siblings_hang_below_their_parent_in_order() -> None:
    above, first, second = rows_of("/a/b/following-sibling::c")
    assert [row.after for row in (above, first, second)] == [NONE, NONE, 1]
    assert (first.parent, second.parent) == (0, 0)


def test_siblings_without_a_parent_get_one() -> None:
    above, between, first, second = rows_of("/a//b/following-sibling::c")
    assert (between.substring, between.rel_level) == (("*",), RelLevel(0, True))
    assert (first.parent, second.parent, first.rel_level) == (1, 1, RelLevel(1))
    assert rows_of("//b/following-sibling::c")[0].rel_level == RelLevel(1, True)
    assert above.num_child == 1


def test_the_root_has_no_siblings() -> None:
    assert xpe_tree(Path((Step(CHILD, "a"), Step(FOLLOWING_SIBLING, "b")))) is None


def test_ordered_children_end_where_they_branch_off() -> None:
    rows = rows_of("/a[b/c]/d", ordered=True)
    assert ["".join(row.substring) for row in rows] == ["a", "ab", "abc", "ad"]
    assert [row.after for row in rows] == [NONE, NONE, NONE, 1]
