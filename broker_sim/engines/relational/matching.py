"""The matching algorithm (section 3.3): the SELECTs of the five steps, the same for every database.

The tree of every XPath is rebuilt from the document bottom-up, one level after the other. At each level:

1. *frame matching* joins the edges of the level with the edges found in the document;
2. *predicate matching* joins the predicates with the values of the document;
3. *neighbour pruning* keeps an edge to an inner node only where that node was found one level below;
4. *branching point pruning* keeps a node only where all that leaves it was found;
5. *matched-XPath cutting* drops XPaths of which nothing was found: levels above need not look at them.

The paper inserts rows and deletes those that a later step finds wrong. We write each step as a SELECT over the one
before, one statement a level, so that no row is stored that a later step would delete, and databases without deletes
serve as well. Edges to leaves, where any low node will do, join with the distinct high nodes only (`xml_leaf`).

An XPath enters the race at its deepest level, so nothing is cut there. Above it, cutting spares the edges to leaves
and the predicates; an edge to an inner node is joined with what was found below it anyway.

Parameters are `:low` and `:high`, the range of XPath ids that is matched at a time. Apart from them a statement
depends on the number of the level only.
"""

from __future__ import annotations

from typing import Final

_EDGE: Final = ("high_node", "low_node", "min_diff", "max_diff")
_TEST: Final = ("node", "operation", "value")

FIND_EDGES: Final = f"""
SELECT h.doc, h.start_point AS high_start, l.start_point AS low_start, {", ".join(f"e.{name}" for name in _EDGE)}
FROM xml_descent d
JOIN xml_frame h ON h.doc = d.doc AND h.start_point = d.high_start
JOIN xml_frame l ON l.doc = d.doc AND l.start_point = d.low_start
JOIN xpath_edge e ON e.high_node = h.node AND e.low_node = l.node
WHERE l.depth - h.depth BETWEEN e.min_diff AND e.max_diff
UNION ALL
SELECT h.doc, h.start_point AS high_start, l.start_point AS low_start, {", ".join(f"e.{name}" for name in _EDGE)}
FROM xpath_edge e
JOIN xml_frame h ON h.node = e.high_node
JOIN xml_frame l ON l.node = e.low_node AND l.doc = h.doc AND l.above = h.above
WHERE e.max_diff = 0 AND h.end_point < l.start_point
"""
"""Where the document has an edge that some XPath asks for: below each other, or as siblings."""

FIND_LEAVES: Final = f"SELECT DISTINCT doc, high_start, {', '.join(_EDGE)} FROM xml_edge"
"""Where such an edge starts."""

_VALUE: Final = f"SELECT v.doc, v.start_point AS high_start, {', '.join(f't.{name}' for name in _TEST)}"

FIND_TESTS: Final = f"""
{_VALUE} FROM xpath_test t JOIN xml_value v ON v.node = t.node AND v.value = t.value
WHERE t.operation = 6
UNION ALL
{_VALUE} FROM xpath_test t JOIN xml_value v ON v.node = t.node AND v.number = t.number
WHERE t.operation = 0
UNION ALL
{_VALUE} FROM xpath_test t JOIN xml_value v ON v.node = t.node
WHERE CASE t.operation
    WHEN 1 THEN v.number > t.number
    WHEN 2 THEN v.number >= t.number
    WHEN 3 THEN v.number < t.number
    WHEN 4 THEN v.number <= t.number
    WHEN 5 THEN v.number IS NULL OR v.number <> t.number
    WHEN 7 THEN v.value <> t.value
    ELSE FALSE
END
"""
"""Where a predicate holds. Equality stands apart, since it can be a hash join; what is no number differs from all."""

ANSWER: Final = "SELECT DISTINCT m.doc, x.owner FROM xml_match_1 m JOIN xpath x ON x.id = m.id"
"""The subscriptions of the XPaths that were rebuilt to the top."""

_OUT: Final = ("id", "high_num", "low_num", "branches")


def _same(first: str, second: str, columns: tuple[str, ...]) -> str:
    return " AND ".join(f"{first}.{name} = {second}.{name}" for name in columns)


def _leaves(level: int, cutting: bool) -> str:
    """Step 1 for edges to leaves."""
    join, kept = _uncut("e", "p") if cutting else ("", "")
    return f"""
SELECT p.doc, p.high_start, {_of("e")}
FROM xpath_frame_{level} e JOIN xml_leaf p ON {_same("e", "p", _EDGE)}{join}
WHERE e.final AND e.id BETWEEN :low AND :high{kept}"""


def _predicates(level: int, cutting: bool) -> str:
    """Step 2."""
    join, kept = _uncut("q", "t") if cutting else ("", "")
    return f"""
SELECT t.doc, t.high_start, {_of("q")}
FROM xpath_pred_{level} q JOIN xml_test t ON {_same("q", "t", _TEST)}{join}
WHERE q.id BETWEEN :low AND :high{kept}"""


def _uncut(xpath: str, document: str) -> tuple[str, str]:
    """Keep XPaths that enter the race at this level, and those that entered below and were not cut."""
    join = f"\nLEFT JOIN matched_xpath c ON c.doc = {document}.doc AND c.id = {xpath}.id"
    return join, f" AND ({xpath}.bottom OR c.id IS NOT NULL)"


def _neighbours(level: int) -> str:
    """Steps 1 and 3 for edges to inner nodes, from what was found below upwards; one may lead to several nodes."""
    return f"""
SELECT DISTINCT p.doc, p.high_start, {_of("e")}
FROM xml_match_{level + 1} m
JOIN xpath_frame_{level} e ON e.id = m.id AND e.low_num = m.high_num
JOIN xml_edge p ON p.doc = m.doc AND p.low_start = m.high_start AND {_same("e", "p", _EDGE)}
WHERE NOT e.final AND e.id BETWEEN :low AND :high"""


def find_level(level: int, *, lowest: bool, edges: bool, predicates: bool, cutting: bool) -> str:
    """Steps 1 to 4: where each XPath can be rebuilt from this level downwards.

    Nothing lies below the `lowest` level; there may be no table of edges or none of predicates.
    """
    cutting = cutting and not lowest
    found = [_leaves(level, cutting)] if edges else []
    found += [_predicates(level, cutting)] if predicates else []
    if edges and not lowest:
        found.append(_neighbours(level))
    return f"""
WITH pruned AS ({" UNION ALL ".join(found)})
SELECT doc, id, high_num, high_start FROM pruned
GROUP BY doc, id, high_num, high_start HAVING COUNT(*) = MIN(branches)
"""


def cut(level: int) -> str:
    """Step 5: the XPaths of which something was found at this level."""
    return f"SELECT DISTINCT doc, id FROM xml_match_{level}"


def _of(alias: str) -> str:
    return ", ".join(f"{alias}.{name}" for name in _OUT)
