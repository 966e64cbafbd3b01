"""The order that the paper prints, against its brute-force referee."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from broker_sim.engines import create_engine
from broker_sim.errors import ConfigurationError, XPathError
from broker_sim.xpath import Branch, Path, Step, parse_xpath
from tests.engines.xtrie.printed_order import printed_order_matches
from tests.strategies.documents import documents
from tests.strategies.expressions import linear_paths, tree_patterns

ENGINES = ("xtrie", "xtrie-eager")

CASES = [
    ("/a[b]/c", "<a><b/><c/></a>", True),
    ("/a[b]/c", "<a><c/><b/></a>", False),
    ("/a[b/d]/c", "<a><b/><c/><b><d/></b></a>", False),
    ("/a[b/d]/c", "<a><b/><b><d/></b><c/></a>", True),
    # A branch inside its later sibling ends before it: figures 4 to 6 would miss this.
    ("/a[.//b]//c", "<a><c><b/></c></a>", True),
    ("/a[.//b]//c", "<a><b><c/></b></a>", False),
    ("/a[.//b]//c[d]", "<a><c><b/><d/></c></a>", True),
    ("/a[b][c]/d", "<a><b/><c/><d/></a>", True),
    ("/a[b][c]/d", "<a><c/><b/><d/></a>", False),
    ("/a[@x][b]/c", "<a x=''><b/><c/></a>", True),
    ("/a[. = '12'][b]/c", "<a><b/>1<c>2</c></a>", True),
    ("/a[b]/b", "<a><b/></a>", False),
    ("/a[b]/b", "<a><b/><b/></a>", True),
    ("/a[b/*]/c", "<a><b/><c/></a>", False),
    ("/a[b/*]/c", "<a><b><d/></b><c/></a>", True),
    ("//a[.//b]//b", "<a><b><b/></b></a>", True),
]


def reversed_branches(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """The same pattern with predicates in the other order, which the parser would never give."""
    return tuple(
        Step(
            step.axis,
            step.name,
            tuple(
                Branch(reversed_branches(part.steps)) if isinstance(part, Branch) else part
                for part in reversed(step.predicates)
            ),
        )
        for step in steps
    )


trees = tree_patterns(siblings=False)
patterns = st.one_of(trees, trees, trees.map(lambda path: Path(reversed_branches(path.steps))), linear_paths())


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize(("text", "document", "expected"), CASES)
def test_cases(name: str, text: str, document: str, expected: bool) -> None:
    engine = create_engine(name, order="printed")
    engine.add(1, parse_xpath(text))
    assert list(engine.match(document.encode())) == [1] * expected
    assert printed_order_matches(parse_xpath(text).disjuncts[0], etree.fromstring(document)) is expected


@given(
    st.lists(documents(("a", "b", "c"), 4, False), min_size=3, max_size=3), st.lists(patterns, min_size=12, max_size=12)
)
def test_agrees_with_every_embedding(texts: list[bytes], paths: list[Path]) -> None:
    for name in ENGINES:
        engine = create_engine(name, order="printed")
        for id, path in enumerate(paths):
            engine.add(id, path)
        for text in texts:
            root = etree.fromstring(text)
            expected = [id for id, path in enumerate(paths) if printed_order_matches(path, root)]
            assert list(engine.match(text)) == expected, name


@pytest.mark.parametrize("text", ["//a/following-sibling::b", "/a[b[following-sibling::c]]/d"])
def test_siblings_are_refused(text: str) -> None:
    engine = create_engine("xtrie", order="printed")
    with pytest.raises(XPathError, match="no following-sibling"):
        engine.add(1, parse_xpath(text))
    assert len(engine) == 0


def test_unknown_order() -> None:
    with pytest.raises(ConfigurationError, match="order is 'any'; expected one of xpath, printed"):
        create_engine("xtrie", order="any")
    with pytest.raises(ConfigurationError, match="option order of engine 'xtrie' is 3, expected a word"):
        create_engine("xtrie", order=3)
