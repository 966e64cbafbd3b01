"""Random FLWR queries, kept in the pieces they are written from, and documents that keep to an element graph.

A referee reads the pieces, the system under test the text: they share no parser.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from xml.sax.saxutils import escape, quoteattr

from hypothesis import strategies as st

from dtd_ads import Element, Schema
from dtd_ads.content import Content

NAMES = ("a", "b", "c", "d")
ATTRIBUTES = ("x", "y")
VALUES = ("1", "2", "one", " 1 ", "1.5")
OPERATORS = ("=", "=", "!=", "<", "<=", ">", ">=")
LITERALS = ("1", "2", "1.5", '"1"', '"one"', "'one'", '""', '" 1 "')


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


EVERYTHING = Schema("everything", "a", {name: Element(name, Content("ANY"), NAMES) for name in NAMES})
"""Any name inside any other: the graph of documents without a DTD."""


@st.composite
def graphs(draw: st.DrawFn) -> Schema:
    """An element graph in which nearly every element has children, often itself or one that contains it."""
    names = NAMES[: draw(st.integers(2, len(NAMES)))]
    elements = {}
    for name in names:
        least = draw(st.sampled_from((1, 1, 2, 0))) if name != names[0] else 2
        children = tuple(draw(st.lists(st.sampled_from(names), unique=True, min_size=least, max_size=3)))
        elements[name] = Element(name, Content("ANY"), children)
    return Schema("random", names[0], elements)


@st.composite
def walks(draw: st.DrawFn, schema: Schema, above: str | None, most: int, least: int = 1) -> tuple[str, str | None]:
    """Steps that mostly follow the graph down from `above` (None is the document), and where they end."""
    written = ""
    for _ in range(draw(st.integers(least, most))):
        axis = draw(st.sampled_from(("/", "/", "//")))
        for _ in range(draw(st.integers(0, 2)) if axis == "//" else 0):
            above = draw(st.sampled_from(_children(schema, above)))
        above = draw(st.sampled_from(_children(schema, above)))
        shown = draw(st.sampled_from((*[above] * 15, "*", *schema.elements)))
        written += axis + shown
    return written, above


def _children(schema: Schema, name: str | None) -> tuple[str, ...]:
    if name is None:
        return (schema.root,)
    return schema.children(name) or (name,)


@st.composite
def simple_tests(draw: st.DrawFn) -> str:
    """What may stand in brackets."""
    subject = draw(st.sampled_from((*(f"@{name}" for name in ATTRIBUTES), "@*", "text()", ".")))
    if subject != "." and draw(st.booleans()):
        return subject
    return f"{subject} {draw(st.sampled_from(OPERATORS))} {draw(st.sampled_from(LITERALS))}"


@st.composite
def bindings(draw: st.DrawFn, schema: Schema) -> tuple[str, str | None]:
    """A path with a simple predicate or two at some steps, and where it ends."""
    written, above = "", None
    for _ in range(draw(st.integers(1, 3))):
        step, above = draw(walks(schema, above, 1))
        kind = draw(st.integers(0, 19))
        tests = f"[{draw(simple_tests())}]" if kind < 2 else ""
        if kind == 2:
            tests = f"[{draw(simple_tests())} and {draw(simple_tests())}]"
        written += step + tests
    return written, above


@st.composite
def conditions(draw: st.DrawFn, schema: Schema, bound: str | None) -> str:
    """A predicate path from the bound element, with a comparison or asking for existence."""
    path, _ = draw(walks(schema, bound, 2, 0))
    end = draw(st.sampled_from(("", "", "", "/text()", "/@x")))
    if path and not end and draw(st.integers(0, 3)) == 0:
        return f"{path}[{draw(simple_tests())}]"
    if (path or end) and draw(st.integers(0, 3)) == 0:
        return path + end
    return f"{path}{end} {draw(st.sampled_from(OPERATORS))} {draw(st.sampled_from(LITERALS))}"


@st.composite
def tags(draw: st.DrawFn, schema: Schema, bound: str | None, depth: int = 2) -> Tag:
    """A constant tag with return paths, text and tags inside."""
    attributes = draw(st.lists(st.tuples(st.sampled_from(("k", "l")), st.sampled_from(("", "1 < 2", 'say "hi"')))))
    inside: list[Tag | str] = []
    for _ in range(draw(st.integers(0, 3))):
        kind = draw(st.integers(0, 7))
        if kind == 0 and depth:
            inside.append(draw(tags(schema, bound, depth - 1)))
        elif kind == 1:
            inside.append(draw(st.sampled_from(("#x", "# & then ", "#a < b"))))
        else:
            inside.append(draw(walks(schema, bound, 3, 0))[0])
    return Tag(draw(st.sampled_from(("r", "s"))), tuple(dict(attributes).items()), tuple(inside))


@st.composite
def queries(draw: st.DrawFn, schema: Schema = EVERYTHING) -> Flwr:
    """Whole queries, most of which find something in documents of the graph."""
    binding, bound = draw(bindings(schema))
    chosen = tuple(draw(conditions(schema, bound)) for _ in range(draw(st.sampled_from((0, 1, 1, 2, 3)))))
    return Flwr(draw(st.sampled_from(("out", "results"))), binding, chosen, draw(tags(schema, bound)))


@st.composite
def graph_documents(draw: st.DrawFn, schema: Schema, max_depth: int = 7) -> bytes:
    """A document whose elements nest as the element graph allows; content models are not kept.

    Only its size and a seed are drawn, so that documents are large enough to have something to find in them.
    """
    rng = Random(draw(st.integers(0, 1 << 30)))
    size = [60 - draw(st.integers(0, 59))]
    return _element(rng, schema, schema.root, max_depth, size).encode()


def _element(rng: Random, schema: Schema, name: str, depth: int, size: list[int]) -> str:
    size[0] -= 1
    attributes = "".join(f" {attribute}={quoteattr(rng.choice(VALUES))}" for attribute in _some(rng, ATTRIBUTES))
    children = schema.children(name) if depth > 1 else ()
    inside = ""
    for _ in range(rng.randint(1, 3) if children else 0):
        if size[0] > 0:
            inside += _element(rng, schema, rng.choice(children), depth - 1, size) + escape(_text(rng))
    return f"<{name}{attributes}>{escape(_text(rng))}{inside}</{name}>"


def _text(rng: Random) -> str:
    return rng.choice(("", "", "", *VALUES))


def _some(rng: Random, names: tuple[str, ...]) -> list[str]:
    return [name for name in names if rng.random() < 0.4]
