"""Small random subscriptions: linear paths, and tree patterns with branches and siblings; and documents to match."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import strategies as st
from lxml import etree

from broker_sim.xpath import CHILD, DESCENDANT, FOLLOWING_SIBLING, WILDCARD, Axis, Branch, Path, Step

NAMES = ("a", "b", "c")

names = st.sampled_from((*NAMES, *NAMES, WILDCARD))
linear_steps = st.builds(Step, st.sampled_from((CHILD, CHILD, DESCENDANT)), names)
linear_paths = st.lists(linear_steps, min_size=1, max_size=3).map(lambda steps: Path(tuple(steps)))


@st.composite
def documents(draw: st.DrawFn, depth: int = 4) -> etree._Element:
    """An element with up to three children at each level."""
    element = etree.Element(draw(st.sampled_from(NAMES)))
    if depth > 1:
        element.extend(draw(st.lists(documents(depth=depth - 1), max_size=3)))
    return element


@st.composite
def matching_patterns(draw: st.DrawFn, document: etree._Element) -> Path:
    """A tree pattern read off the document, so that it matches: branches, siblings and wildcards included."""
    begins = [(CHILD, document), *((DESCENDANT, element) for element in document.iter())]
    axis, element = draw(st.sampled_from(begins))
    return Path(draw(_steps(element, axis, depth=2)))


@st.composite
def _steps(draw: st.DrawFn, element: etree._Element, axis: Axis, depth: int) -> tuple[Step, ...]:
    step = Step(axis, draw(st.sampled_from((element.tag, element.tag, WILDCARD))), draw(_branches(element, depth)))
    moves = _moves(element)
    if not moves or draw(st.integers(0, 3)) == 0:
        return (step,)
    following, target = draw(st.sampled_from(moves))
    return (step, *draw(_steps(target, following, depth)))


@st.composite
def _branches(draw: st.DrawFn, element: etree._Element, depth: int) -> tuple[Branch, ...]:
    moves = _moves(element)
    if not depth or not moves or not draw(st.booleans()):
        return ()
    axis, target = draw(st.sampled_from(moves))
    return (Branch(draw(_steps(target, axis, depth - 1))),)


def _moves(element: etree._Element) -> list[tuple[Axis, etree._Element]]:
    children: list[tuple[Axis, etree._Element]] = [(CHILD, child) for child in element]
    descendants: list[tuple[Axis, etree._Element]] = [(DESCENDANT, below) for below in element.iterdescendants()]
    siblings: list[tuple[Axis, etree._Element]] = [(FOLLOWING_SIBLING, after) for after in element.itersiblings()]
    return children + descendants + siblings


def paths_of(element: etree._Element, above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The root-to-leaf paths of a document."""
    path = (*above, element.tag)
    if not len(element):
        yield path
    for child in element:
        yield from paths_of(child, path)
