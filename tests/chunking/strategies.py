"""Random schemas with text and attributes, valid documents of them, and expressions over the same names."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from broker_sim.errors import ConfigurationError
from broker_sim.workload.documents import DocumentGenerator, DocumentParameters
from broker_sim.xpath import Expression, disjunction
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
    return [text for text in texts if len(text) < 20_000]


paths = st.one_of(linear_paths(NAMES), tree_patterns(NAMES))
expressions: st.SearchStrategy[Expression] = st.one_of(
    paths, paths, st.sets(paths, min_size=2, max_size=3).map(disjunction)
)
