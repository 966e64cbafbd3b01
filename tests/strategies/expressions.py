"""Expressions and small documents over the same few names, so that they often match.

`linear_paths` and `tree_patterns` draw values; `raw_texts` draws texts of the whole language, spelled in all the ways
that the parser rewrites, together with what lxml should be asked instead. A text may be one that can never match.
"""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st
from lxml import etree

from broker_sim.xpath import CHILD, DESCENDANT, WILDCARD, Path, Step, parse_xpath

NAMES = ("a", "b", "c")
ATTRIBUTES = ("x", "y")
VALUES = ("1", "5", "5.0", " 7 ", "-3", "a", "b", "")
LITERALS = ("5", "1", "-3", ".5", "7", "'a'", '"5"', "'b'", "''")
COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")


@dataclass(frozen=True)
class Spelling:
    """A text for our parser and the same question for lxml, where relative paths start with `//`."""

    text: str
    lxml: str


def linear_paths(names: tuple[str, ...] = NAMES, max_steps: int = 5) -> st.SearchStrategy[Path]:
    """Paths of `/`, `//`, names and `*`."""
    steps = st.builds(Step, st.sampled_from((CHILD, DESCENDANT)), st.sampled_from((*names, WILDCARD)))
    return st.lists(steps, min_size=1, max_size=max_steps).map(lambda found: Path(tuple(found)))


@st.composite
def tree_patterns(
    draw: st.DrawFn,
    names: tuple[str, ...] = NAMES,
    max_steps: int = 4,
    depth: int = 2,
    siblings: bool = True,
    values: bool = True,
) -> Path:
    """Canonical paths with predicates; `siblings` and `values` allow following-sibling and comparisons."""
    return parse_xpath("".join(draw(_conjunctive(names, max_steps, depth, siblings, values)))).disjuncts[0]


@st.composite
def raw_texts(draw: st.DrawFn, names: tuple[str, ...] = NAMES, max_steps: int = 4, depth: int = 2) -> Spelling:
    """Texts of the whole language: `or`, `..`, `.`, parentheses, literals on either side, odd spacing."""
    paths = draw(st.lists(_raw_path(names, max_steps, depth), min_size=1, max_size=2))
    starts = [draw(st.sampled_from(("/", "//", "", "//"))) for _ in paths]
    texts = [start + path for start, path in zip(starts, paths, strict=True)]
    asked = [(start or "//") + path for start, path in zip(starts, paths, strict=True)]
    return Spelling(" or ".join(texts), " or ".join(asked))


@st.composite
def small_documents(
    draw: st.DrawFn, names: tuple[str, ...] = NAMES, max_children: int = 3, depth: int = 4
) -> etree._Element:
    """Documents with attributes and text, a few levels deep."""
    root = draw(_element(names))
    root.tail = None
    level = [root]
    for _ in range(depth - 1):
        level = [_appended(parent, draw(_element(names))) for parent in level for _ in draw(_counts(max_children))]
        level = level[:6]
    return root


@st.composite
def _element(draw: st.DrawFn, names: tuple[str, ...]) -> etree._Element:
    element = etree.Element(draw(st.sampled_from(names)))
    for name in ATTRIBUTES:
        if draw(st.booleans()):
            element.set(name, draw(st.sampled_from(VALUES)))
    element.text = draw(st.sampled_from((None, None, *VALUES)))
    element.tail = draw(st.sampled_from((None, None, None, *VALUES)))
    return element


def _counts(most: int) -> st.SearchStrategy[range]:
    return st.integers(0, most).map(range)


def _appended(parent: etree._Element, child: etree._Element) -> etree._Element:
    parent.append(child)
    return child


@st.composite
def _conjunctive(
    draw: st.DrawFn, names: tuple[str, ...], max_steps: int, depth: int, siblings: bool, values: bool
) -> list[str]:
    """A path without `or` and `..`, in pieces; a following sibling only below the root."""
    pieces: list[str] = []
    for index in range(draw(st.integers(1, max_steps))):
        known_root = index == 1 and pieces[0].startswith("/") and not pieces[0].startswith("//")
        axes = ("/", "//", "/following-sibling::") if siblings and index and not known_root else ("/", "//")
        axis = draw(st.sampled_from(axes))
        predicates = draw(st.lists(_simple_predicate(names, depth, values), max_size=2)) if depth else []
        if siblings and depth and (index or axis == "//") and draw(st.integers(0, 7)) == 0:
            predicates.append(f"[following-sibling::{draw(st.sampled_from(names))}]")
        pieces.append(axis + draw(st.sampled_from((*names, "*"))) + "".join(predicates))
    return pieces


@st.composite
def _simple_predicate(draw: st.DrawFn, names: tuple[str, ...], depth: int, values: bool) -> str:
    kind = draw(st.sampled_from(("path", "path", "value", "value")))
    if kind == "value":
        subject = draw(st.sampled_from(("@x", "@y", "@*", "text()", ".")))
        if not values or (subject != "." and draw(st.booleans())):
            return f"[{subject if subject != '.' else '@x'}]"
        return f"[{subject} {draw(st.sampled_from(COMPARISONS))} {draw(st.sampled_from(LITERALS))}]"
    path = "".join(draw(_conjunctive(names, 2, depth - 1, False, values)))
    return f"[.{path}]"


@st.composite
def _raw_path(draw: st.DrawFn, names: tuple[str, ...], max_steps: int, depth: int) -> str:
    """Steps after the first slash; the first is one that may follow `//`."""
    text = draw(_raw_step(names, depth, first=True))
    for _ in range(draw(st.integers(0, max_steps - 1))):
        if text.endswith(("@x", "@*", "text()")):
            text += draw(st.sampled_from(("/..", "/./..")))
        slash = draw(st.sampled_from(("/", "/", " / ", "//")))
        text += slash + draw(_raw_step(names, depth, first=slash == "//"))
    return text


def _raw_step(names: tuple[str, ...], depth: int, first: bool) -> st.SearchStrategy[str]:
    plain = st.sampled_from((*names, *names, "*"))
    named = plain if depth == 0 else st.builds("{}{}".format, plain, _raw_predicates(names, depth))
    valued = st.sampled_from(("@x", "@*", "text()"))
    if first:
        return st.one_of(named, named, named, valued)
    climbing = st.sampled_from(("..", "..", "."))
    sibling = st.builds("following-sibling::{}".format, named)
    return st.one_of(named, named, climbing, climbing, sibling, valued)


def _raw_predicates(names: tuple[str, ...], depth: int) -> st.SearchStrategy[str]:
    predicate = st.builds("[{}]".format, _raw_condition(names, depth - 1))
    return st.one_of(st.just(""), predicate, st.builds("{}{}".format, predicate, predicate))


@st.composite
def _raw_condition(draw: st.DrawFn, names: tuple[str, ...], depth: int) -> str:
    form = draw(st.sampled_from(("test", "test", "test", "and", "or", "nested")))
    if form == "test":
        return draw(_raw_test(names, depth))
    parts = [draw(_raw_test(names, depth)), draw(_raw_test(names, depth))]
    if form == "nested":
        return f"({parts[0]} or {parts[1]}) and {draw(_raw_test(names, depth))}"
    return f" {form} ".join(parts)


@st.composite
def _raw_test(draw: st.DrawFn, names: tuple[str, ...], depth: int) -> str:
    start = draw(st.sampled_from(("", "", "./", ".//", "../", "..//", "following-sibling::", ".", "..")))
    if start in (".", ".."):
        path = start
    elif start == "following-sibling::":
        path = start + draw(st.sampled_from(names)) + draw(st.sampled_from(("", "/..", "/b", "/../c")))
    else:
        path = start + draw(_raw_path(names, 2, depth))
    literal, operator = draw(st.sampled_from(LITERALS)), draw(st.sampled_from(COMPARISONS))
    return draw(st.sampled_from((path, path, f"{path} {operator} {literal}", f"{literal}{operator}{path}")))
