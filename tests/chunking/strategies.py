"""Random schemas with text and attributes, valid documents of them, and expressions over the same names."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st
from lxml import etree

from broker_sim.errors import ConfigurationError
from broker_sim.workload.documents import DocumentGenerator, DocumentParameters
from broker_sim.xpath import Expression, disjunction, parse_xpath
from dtd_ads import Element, Schema
from dtd_ads.content import Attribute, Content, Group, Name
from tests.strategies.expressions import linear_paths, tree_patterns

NAMES = ("a", "b", "c", "d")

_attributes = tuple(Attribute(name, "CDATA", "implied") for name in ("x", "y"))


@st.composite
def schemas(draw: st.DrawFn) -> Schema:
    """A few elements under the root `a`; any may contain any, text stands between, some content is a sequence."""
    elements = {}
    for name in NAMES:
        children = tuple(draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=3)))
        parts = tuple(Name(child, draw(st.sampled_from(("", "?", "*", "+")))) for child in children)
        kind = draw(st.sampled_from(("MIXED", "MIXED", "SEQUENCE")))
        if kind == "MIXED" or not children:
            content = Content("MIXED", Group("|", tuple(map(Name, children)), "*") if children else None)
        else:
            content = Content("CHILDREN", Group(",", parts))
        elements[name] = Element(name, content, children, _attributes)
    return Schema("random.dtd", "a", elements)


@st.composite
def valid_documents(draw: st.DrawFn, schema: Schema, max_size: int = 3) -> list[bytes]:
    """Documents that are valid by `schema`, with values 1 .. 5; none where the schema has no small document."""
    parameters = DocumentParameters(number=1, max_levels=7, max_repeats=3, max_value=5)
    try:
        generator = DocumentGenerator(schema, parameters, Random(draw(st.integers(0, 2**32))))
    except ConfigurationError:
        return []
    texts = [generator.document() for _ in range(max_size)]
    return [text for text in texts if len(text) < 3_000]


paths = st.one_of(linear_paths(NAMES), tree_patterns(NAMES))
expressions: st.SearchStrategy[Expression] = st.one_of(
    paths, paths, st.sets(paths, min_size=2, max_size=3).map(disjunction)
)


def questions(text: bytes, random: Random, number: int) -> list[Expression]:
    """Expressions read off a document: each follows the way to one of its elements, and asks for what it saw there.

    Most of them match it; some values are changed, so that others just do not.
    """
    elements = list(etree.fromstring(text).iter())
    return [parse_xpath(_question(random.choice(elements), random)) for _ in range(number)]


def _question(element: etree._Element, random: Random) -> str:
    way = [*reversed(list(element.iterancestors())), element]
    text, place = "", 0
    while place < len(way):
        axis = "//" if random.random() < 0.15 else "/"
        if axis == "//":
            place = random.randrange(place, len(way))
        text += axis + _step(way[place], axis, random)
        place += 1
    return text


def _step(element: etree._Element, axis: str, random: Random) -> str:
    before = list(element.itersiblings(preceding=True))
    name = "*" if random.random() < 0.1 else element.tag
    text = name + "".join(_predicate(element, random) for _ in range(2) if random.random() < 0.25)
    if before and random.random() < 0.1:
        sibling = random.choice(before)
        return f"{sibling.tag}{_predicate(sibling, random)}/following-sibling::{text}"
    return text


def _predicate(element: etree._Element, random: Random) -> str:
    after = list(element.itersiblings())
    if after and random.random() < 0.2:
        return f"[following-sibling::{random.choice(after).tag}]"
    below = list(element.iterdescendants())
    if not below or random.random() < 0.3:
        return f"[{_value(element, '', random)}]"
    inner = random.choice(below)
    names = [above.tag for above in inner.iterancestors() if above in below and element in above.iterancestors()]
    path = f".//{inner.tag}" if random.random() < 0.2 else "/".join([*reversed(names), inner.tag])
    return f"[{_value(inner, path, random) if random.random() < 0.6 else path}]"


def _value(element: etree._Element, path: str, random: Random) -> str:
    subject = random.choice((".", "text()", "@x"))
    texts = {".": ["".join(element.itertext())], "text()": element.xpath("text()"), "@x": element.xpath("@x")}[subject]
    value = random.choice(["1", *texts, *texts])
    left = (path or ".") if subject == "." else f"{path}/{subject}" if path else subject
    return f"{left} {random.choice(('=', '=', '!='))} '{value}'"
