"""What merging is judged by: publications written out one by one, and matching straight from its definition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from hypothesis import strategies as st

from broker_sim.xpath import DESCENDANT, WILDCARD, Path, Step, parse_xpath
from dtd_ads import Element, Schema
from dtd_ads.content import Content, Group, Name

Publication = tuple[str, ...]


def path(text: str) -> Path:
    parsed = parse_xpath(text)
    assert isinstance(parsed, Path)
    return parsed


def schema_of(children: dict[str, str], must_go_on: str = "") -> Schema:
    """A schema from `{"a": "b c"}`; the first name is the root, those in `must_go_on` need a child."""
    elements = {}
    for name, allowed in children.items():
        names = tuple(allowed.split())
        particle = Group("|", tuple(Name(child) for child in names), "+" if name in must_go_on.split() else "*")
        elements[name] = Element(name, Content("CHILDREN", particle), names)
    return Schema("test", next(iter(children)), elements)


def publications(schema: Schema, max_depth: int) -> Iterator[Publication]:
    stack: list[Publication] = [(schema.root,)]
    while stack:
        walk = stack.pop()
        if schema.may_end(walk[-1]):
            yield walk
        if len(walk) < max_depth:
            stack += [(*walk, child) for child in schema.children(walk[-1])]


def words(names: str, max_length: int) -> Iterator[Publication]:
    """All publications over `names`, up to a length."""
    stack: list[Publication] = [()]
    while stack:
        word = stack.pop()
        if word:
            yield word
        if len(word) < max_length:
            stack += [(*word, name) for name in names]


def matches(expression: Path, publication: Publication) -> bool:
    return _embeds(expression.steps, publication)


def _embeds(steps: tuple[Step, ...], rest: Publication) -> bool:
    if not steps:
        return True
    places = range(len(rest)) if steps[0].axis == DESCENDANT else range(min(1, len(rest)))
    return any(steps[0].name in (WILDCARD, rest[at]) and _embeds(steps[1:], rest[at + 1 :]) for at in places)


def matched(expressions: Iterable[Path], among: Iterable[Publication]) -> set[Publication]:
    paths = list(expressions)
    return {publication for publication in among if any(matches(one, publication) for one in paths)}


def degree(merger: Path, parts: Iterable[Path], among: Iterable[Publication]) -> Fraction:
    whole = matched([merger], among)
    return Fraction(len(whole - matched(parts, whole)), len(whole)) if whole else Fraction(0)


def linear_paths(names: str = "abc", max_steps: int = 4) -> st.SearchStrategy[Path]:
    step = st.tuples(st.sampled_from(["/", "/", "//"]), st.sampled_from([*names, WILDCARD])).map("".join)
    return st.lists(step, min_size=1, max_size=max_steps).map("".join).map(path)


@st.composite
def related_paths(draw: st.DrawFn, names: str = "abc", max_steps: int = 4) -> tuple[Path, Path]:
    """Two paths that a merging rule is likely to apply to: the second is the first with a change or two."""
    first = draw(linear_paths(names, max_steps))
    steps = list(first.steps)
    for _ in range(draw(st.integers(1, 2))):
        at = draw(st.integers(0, len(steps) - 1))
        change = Step(draw(st.sampled_from(["/", "//"])), draw(st.sampled_from([*names, WILDCARD])))
        steps[at : at + draw(st.integers(0, 1))] = [change]
    return first, Path(tuple(steps[: max_steps + 1]))


@st.composite
def schemas(draw: st.DrawFn, names: str = "abc") -> Schema:
    """A root `a` and any element graph, recursive or not; some elements cannot end a path."""
    children = {name: " ".join(sorted(draw(st.sets(st.sampled_from(names))))) for name in names}
    going_on = draw(st.sets(st.sampled_from(names), max_size=1))
    return schema_of(children, " ".join(going_on))
