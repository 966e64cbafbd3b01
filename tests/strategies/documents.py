"""Small random documents: few names, so that expressions meet them, and everything that text and names can do."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from hypothesis import strategies as st

NAMES = ("a", "b", "c", "d")
ATTRIBUTES = ("x", "y")
VALUES = ("", "0", "1", "2", "10", "-1", "1.5", " 1 ", "one", "two", "a b")
BREAKS = ("", "<!--note-->", "<?do it?>", "<![CDATA[]]>")

texts = st.sampled_from(VALUES)


@st.composite
def documents(draw: st.DrawFn, names: tuple[str, ...] = NAMES, max_depth: int = 6, namespaces: bool = True) -> bytes:
    """A document over `names`, any of which may stand inside any, itself included.

    With `namespaces`, some documents have a default namespace and some elements and attributes a prefix.
    """
    declared = draw(st.sampled_from(["", "", ' xmlns="urn:d"', ' xmlns:p="urn:p"'])) if namespaces else ""
    prefixes = ("", "", "p:") if "xmlns:p" in declared else ("",)
    return _element(draw, names, prefixes, max_depth, declared).encode()


def _element(draw: st.DrawFn, names: tuple[str, ...], prefixes: tuple[str, ...], depth: int, declared: str = "") -> str:
    name = draw(st.sampled_from(prefixes)) + draw(st.sampled_from(names))
    attributes = "".join(
        f" {draw(st.sampled_from(prefixes))}{attribute}={quoteattr(draw(texts))}"
        for attribute in draw(st.lists(st.sampled_from(ATTRIBUTES), unique=True, max_size=2))
    )
    children = draw(st.integers(0, 3)) if depth > 1 else 0
    inside = _text(draw) + "".join(_element(draw, names, prefixes, depth - 1) + _text(draw) for _ in range(children))
    return f"<{name}{declared}{attributes}>{inside}</{name}>"


def _text(draw: st.DrawFn) -> str:
    parts = draw(st.lists(texts, max_size=2))
    return draw(st.sampled_from(BREAKS)).join(escape(part) for part in parts)


@st.composite
def schema_documents(draw: st.DrawFn, names: tuple[str, ...] = NAMES, max_depth: int = 6) -> bytes:
    """A document of a random schema: each element allows only some children, recursion included, in DTD order."""
    schema = {name: draw(st.lists(st.sampled_from(names), unique=True, max_size=3)) for name in names}
    return _valid(draw, schema, names[0], max_depth).encode()


def _valid(draw: st.DrawFn, schema: dict[str, list[str]], name: str, depth: int) -> str:
    allowed = schema[name] if depth > 1 else []
    inside = "".join(
        _valid(draw, schema, child, depth - 1) for child in allowed for _ in range(draw(st.integers(0, 2)))
    )
    return f"<{name}>{inside or draw(texts)}</{name}>"
