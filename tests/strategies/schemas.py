"""Small random element graphs, and random DTD texts with what they say."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from dtd_ads import Element, Schema
from dtd_ads.content import Content, Group, Name

ELEMENTS = ("a", "b", "c", "d", "e")
UNDECLARED = "lost"


@st.composite
def schemas(draw: st.DrawFn) -> Schema:
    """Up to five elements under the root `a`; any edge may be there, also to the element itself."""
    names = ELEMENTS[: draw(st.integers(1, len(ELEMENTS)))]
    elements = {}
    for name in names:
        children = tuple(draw(st.lists(st.sampled_from(names), unique=True, max_size=3)))
        occurs = "*" if draw(st.booleans()) else "+"
        content = Content("CHILDREN", Group("|", tuple(map(Name, children)), occurs)) if children else Content("MIXED")
        elements[name] = Element(name, content, children)
    return Schema("random", "a", elements)


@dataclass(frozen=True, slots=True)
class Model:
    """The text of a content model, the names in it, and whether it can hold no element at all."""

    text: str
    names: tuple[str, ...]
    nullable: bool


@st.composite
def particles(draw: st.DrawFn, nesting: int = 2) -> Model:
    """A group of names and groups, with occurrences."""
    parts = []
    for _ in range(draw(st.integers(1, 3))):
        if nesting and draw(st.booleans()):
            parts.append(draw(particles(nesting - 1)))
        else:
            name, occurs = draw(st.sampled_from((*ELEMENTS, UNDECLARED))), draw(st.sampled_from(("", "?", "*", "+")))
            parts.append(Model(name + occurs, (name,), occurs in ("?", "*")))
    connector, occurs = draw(st.sampled_from(",|")), draw(st.sampled_from(("", "?", "*", "+")))
    nullable = [part.nullable for part in parts]
    empty = occurs in ("?", "*") or (all(nullable) if connector == "," else any(nullable))
    text = "(" + connector.join(part.text for part in parts) + ")" + occurs
    return Model(text, tuple(name for part in parts for name in part.names), empty)


_mixed = st.lists(st.sampled_from((*ELEMENTS, UNDECLARED)), unique=True, min_size=1).map(
    lambda names: Model("(#PCDATA|" + "|".join(names) + ")*", tuple(names), True)
)
models = (
    st.sampled_from([Model("EMPTY", (), True), Model("ANY", ELEMENTS, True), Model("(#PCDATA)", (), True)])
    | _mixed
    | particles()
)

dtds = st.fixed_dictionaries(dict.fromkeys(ELEMENTS, models))
"""A content model for each element; `text_of` writes the DTD."""


def text_of(declared: dict[str, Model]) -> str:
    """The DTD that declares these elements."""
    return "".join(f"<!ELEMENT {name} {model.text}>\n" for name, model in declared.items())
