"""Every rewriting of the parser asks what the text asked, says lxml; and `str` is a fixpoint."""

from __future__ import annotations

from hypothesis import assume, example, given
from lxml import etree

from broker_sim.errors import XPathError
from broker_sim.xpath import Expression, parse_xpath
from tests.strategies.expressions import Spelling, linear_paths, raw_texts, small_documents, tree_patterns


def parsed(text: str) -> Expression | None:
    """None where the parser says that nothing can match."""
    try:
        return parse_xpath(text)
    except XPathError as error:
        if "can never match" in error.message:
            return None
        assume("alternatives" not in error.message)
        raise


def asks(document: etree._Element, text: str) -> bool:
    """Asked as a boolean, because lxml leaves the document node out of the node-sets it returns."""
    return bool(etree.ElementTree(document).xpath(f"boolean({text})"))


@given(raw_texts(), small_documents())
@example(Spelling("//b/../a", "//b/../a"), etree.XML("<a><a/><c><b/></c></a>"))
@example(Spelling("/a//@x", "/a//@x"), etree.XML('<a x="1"/>'))
def test_disjuncts_match_where_the_text_does(spelling: Spelling, document: etree._Element) -> None:
    expression = parsed(spelling.text)
    found = expression is not None and any(asks(document, str(path)) for path in expression.disjuncts)
    assert found == asks(document, spelling.lxml)


@given(raw_texts())
def test_text_of_an_expression_is_a_fixpoint(spelling: Spelling) -> None:
    expression = parsed(spelling.text)
    assume(expression is not None)
    assert parse_xpath(str(expression)) == expression


@given(linear_paths())
def test_linear_paths_read_back(path: object) -> None:
    assert parse_xpath(str(path)) == path


@given(tree_patterns())
def test_tree_patterns_read_back(path: object) -> None:
    assert parse_xpath(str(path)) == path
