"""Random FLWR queries, kept in the pieces they are written from, and documents that keep to an element graph.

A referee reads the pieces, the system under test the text: they share no parser.
"""

from __future__ import annotations

from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from hypothesis import strategies as st

from dtd_ads import Schema
from tests.strategies.documents import ATTRIBUTES, VALUES

NAMES = ("a", "b", "c", "d")
OPERATORS = ("=", "=", "!=", "<", "<=", ">", ">=")
LITERALS = ("1", "2", "0", "1.5", "-1", '"1"', '"one"', '"two"', "'a b'", '""', '" 1 "')


@dataclass(frozen=True, slots=True)
class Tag:
    """A constant tag with what stands inside: tags, return paths (which begin with a slash or are empty), `#text`."""

    name: str
    attributes: tuple[tuple[str, str], ...]
    inside: tuple[Tag | str, ...]

    def __str__(self) -> str:
        attributes = "".join(f" {name}={quoteattr(value)}" for name, value in self.attributes)
        return f"<{self.name}{attributes}>{''.join(map(_written, self.inside))}</{self.name}>"


def _written(part: Tag | str) -> str:
    if isinstance(part, Tag):
        return str(part)
    return escape(part[1:]) if part.startswith("#") else f"{{ $v{part} }}"


@dataclass(frozen=True, slots=True)
class Flwr:
    """A query: paths and conditions as XPath text, the latter relative to the bound element."""

    outer: str
    binding: str
    conditions: tuple[str, ...]
    inner: Tag

    def __str__(self) -> str:
        where = f"where {' and '.join(f'$v{condition}' for condition in self.conditions)} " if self.conditions else ""
        flwr = f'for $v in document("doc.xml"){self.binding}\n {where}return {self.inner}'
        return f"<{self.outer}>\n {{ {flwr} }} </{self.outer}>"


_axes = st.sampled_from(("/", "/", "//"))


@st.composite
def navigation(draw: st.DrawFn, names: tuple[str, ...] = NAMES, most: int = 3, least: int = 1) -> str:
    """Steps with names, now and then `*`."""
    chosen = st.sampled_from((*names, *names, "*"))
    return "".join(draw(_axes) + draw(chosen) for _ in range(draw(st.integers(least, most))))


@st.composite
def simple_tests(draw: st.DrawFn) -> str:
    """What may stand in brackets."""
    subject = draw(st.sampled_from((*(f"@{name}" for name in ATTRIBUTES), "@*", "text()", ".")))
    if subject != "." and draw(st.integers(0, 3)) == 0:
        return subject
    return f"{subject} {draw(st.sampled_from(OPERATORS))} {draw(st.sampled_from(LITERALS))}"


@st.composite
def binding_paths(draw: st.DrawFn, names: tuple[str, ...] = NAMES) -> str:
    """A path with simple predicates at some steps."""
    steps = draw(st.lists(navigation(names, most=1), min_size=1, max_size=3))
    return "".join(step + "".join(f"[{test}]" for test in draw(st.lists(_few_tests, max_size=1))) for step in steps)


_few_tests = st.one_of(
    simple_tests(), st.lists(simple_tests(), min_size=2, max_size=2).map(lambda tests: " and ".join(tests))
)


@st.composite
def conditions(draw: st.DrawFn, names: tuple[str, ...] = NAMES) -> str:
    """A predicate path from the bound element, with a comparison or asking for existence."""
    path = draw(navigation(names, most=2, least=0))
    end = draw(st.sampled_from(("", "", "/text()", "/@x", "/@y")))
    if path and not end and draw(st.integers(0, 3)) == 0:
        return f"{path}[{draw(simple_tests())}]"
    if (path or end) and draw(st.integers(0, 4)) == 0:
        return path + end
    return f"{path}{end} {draw(st.sampled_from(OPERATORS))} {draw(st.sampled_from(LITERALS))}"


@st.composite
def tags(draw: st.DrawFn, names: tuple[str, ...] = NAMES, depth: int = 2) -> Tag:
    """A constant tag with return paths, text and tags inside."""
    attributes = draw(st.lists(st.tuples(st.sampled_from(("k", "l")), st.sampled_from(("", "1 < 2", 'say "hi"')))))
    inside: list[Tag | str] = []
    for _ in range(draw(st.integers(0, 3))):
        kind = draw(st.integers(0, 5))
        if kind == 0 and depth:
            inside.append(draw(tags(names, depth - 1)))
        elif kind == 1:
            inside.append(draw(st.sampled_from(("#x", "# & then ", "#a < b"))))
        else:
            inside.append(draw(navigation(names, most=2, least=0)))
    return Tag(draw(st.sampled_from(("r", "s"))), tuple(dict(attributes).items()), tuple(inside))


def queries(names: tuple[str, ...] = NAMES) -> st.SearchStrategy[Flwr]:
    """Whole queries."""
    return st.builds(
        Flwr,
        st.sampled_from(("out", "results")),
        binding_paths(names),
        st.lists(conditions(names), max_size=3).map(tuple),
        tags(names),
    )


@st.composite
def graph_documents(draw: st.DrawFn, schema: Schema, max_depth: int = 6) -> bytes:
    """A document whose elements nest as the element graph allows; content models are not kept."""
    return _element(draw, schema, schema.root, max_depth).encode()


def _element(draw: st.DrawFn, schema: Schema, name: str, depth: int) -> str:
    attributes = "".join(
        f" {attribute}={quoteattr(draw(st.sampled_from(VALUES)))}"
        for attribute in draw(st.lists(st.sampled_from(ATTRIBUTES), unique=True, max_size=1))
    )
    children = schema.children(name) if depth > 1 else ()
    chosen = draw(st.lists(st.sampled_from(children), max_size=3)) if children else []
    text = st.sampled_from(("", "", *VALUES))
    inside = "".join(_element(draw, schema, child, depth - 1) + escape(draw(text)) for child in chosen)
    return f"<{name}{attributes}>{escape(draw(text))}{inside}</{name}>"
