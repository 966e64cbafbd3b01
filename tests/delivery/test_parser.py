"""Reading queries: what they mean, and where errors are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker_sim.delivery import parse_queries, parse_query
from broker_sim.errors import QueryError
from tests.strategies.flwr import Flwr, queries

PAPER = """<sections>
{ for $s in document("doc.xml")//section
  where $s//figure/title = "XML processing"
  return <section> { $s/title } { $s//figure } </section> }
</sections>"""


def test_the_papers_first_query() -> None:
    query = parse_query(PAPER)
    assert str(query.binding_path) == "//section"
    assert str(query.subscription) == '//section[.//figure/title[. = "XML processing"]]'
    assert [["".join(map(str, steps)) for steps in query.returns]] == [["/title", "//figure"]]
    assert query.template.parts == ("<section>", "", "</section>")
    assert (query.opening, query.closing) == ("<sections>", "</sections>")


def test_conditions_on_the_bound_element_are_predicates_of_the_binding_path() -> None:
    written = parse_query('<r>{for $b in doc("x")/bib/book where $b/@year > 1991 and $b/price return $b}</r>')
    inside = parse_query('<r>{for $b in doc("x")/bib/book[@year > 1991] where $b/price return $b}</r>')
    assert written == inside
    assert str(written.binding_path) == "/bib/book[@year > 1991]"
    assert str(written.subscription) == "/bib/book[@year > 1991][price]"
    assert written.returns == ((),)


def test_constant_tags_nest_and_keep_their_text_and_attributes() -> None:
    query = parse_query(
        """<r a='"'>(: note :){ for $b in document('it"s')//b return
        <li k = "1 &lt; 2">Title: <b>{$b/t}</b> and <i/> { $b//t } </li> }</r>"""
    )
    assert query.opening == "<r a='\"'>"
    assert query.template.parts == ('<li k="1 &lt; 2">Title: <b>', "</b> and <i></i>", "</li>")
    assert parse_query(str(query)) == query


def test_names_that_look_like_keywords() -> None:
    query = parse_query(
        '<r>{for $in in document("")/for/where[@and and @or]//return where $in/and/text return $in}</r>'
    )
    assert str(query.subscription) == "/for/where[@and][@or]//return[and/text]"


@given(queries())
def test_the_text_of_a_query_reads_back(written: Flwr) -> None:
    query = parse_query(str(written))
    assert parse_query(str(query)) == query


START = '<r>{for $x in document("d")'
ERRORS = [
    ("", "1:1: expected '<': the constant element around the query"),
    ("<r></r>", "1:4: expected '{' and a for clause"),
    ("<r/>", "1:5: expected '{' and a for clause"),
    ("<p:r>", "1:2: expected a name without prefix"),
    ('<r>{let $x := document("d")/a return $x}</r>', "1:5: expected 'for'"),
    ("<r>{for x in", "1:9: expected '$' and the name of the variable"),
    ("<r>{for $x in /a return $x}</r>", '1:15: expected document("...")'),
    ("<r>{for $x in document(d)/a return $x}</r>", "1:24: expected the name of the document in quotes"),
    (f"{START} return $x}}</r>", "1:29: expected '/' or '//' and the binding path"),
    (f"{START}/a/ return $x}}</r>", "1:39: expected 'return'"),
    (f"{START}/@x return $x}}</r>", "1:29: expected a step (a name or *)"),
    (f"{START}/a/text() return $x}}</r>", "1:31: functions and axes are outside the language"),
    (f"{START}/a/.. return $x}}</r>", "1:31: expected a step"),
    (f"{START}/a[b = 1] return $x}}</r>", "1:31: expected @name, text() or '.' (nested paths belong in the where"),
    (f"{START}/a[@b = c] return $x}}</r>", "1:36: expected a string or a number"),
    (f"{START}/a[@b = 1 or @c] return $x}}</r>", "1:38: expected ']' or 'and' after a simple predicate"),
    (f"{START}/a where $y/b return $x}}</r>", "1:38: expected $x, the variable of the for clause"),
    (f"{START}/a where $x return $x}}</r>", "1:39: expected a path or a comparison"),
    (f"{START}/a\n where $x/b[@c]/d\n return $x}}</r>", "2:12: a predicate can stand here only"),
    (f"{START}/a where $x/b = 1 or $x/c return $x}}</r>", "1:46: expected 'return'"),
    (f"{START}/a return $x/b[1]}}</r>", "1:42: a predicate can stand here only"),
    (f"{START}/a return 5}}</r>", "1:38: expected '<': a constant tag or a return path"),
    (f"{START}/a return <s>{{$x}}</t>}}</r>", "1:45: expected </s>"),
    (f"{START}/a return <s>{{$x}}", "1:45: expected a tag, a return path in braces, text or </s>, not the end"),
    (f"{START}/a return <s>}}</s>}}</r>", "1:41: expected a tag, a return path in braces, text or </s>, not a brace"),
    (f"{START}/a return <s k='{{$x}}'/>}}</r>", "1:43: expected a constant as the attribute's value"),
    (f"{START}/a return <s k='1' k='2'/>}}</r>", "1:38: expected a tag that XML allows"),
    (f"{START}/a return <s>&no;</s>}}</r>", "1:41: expected text that XML allows"),
    (f"{START}/a return <s>{{$x}}</s></r>", "1:49: expected '}' after the return clause"),
    (f"{START}/a return $x}}</s>", "1:41: expected </r>"),
    (f"{START}/a return $x}}</r> more", "1:46: expected the end after the query"),
    (f"{START}/a[. = 1{'0' * 400}] return $x}}</r>", "1:35: expected a number that a double can hold"),
    ("<r>\x00", "1:4: expected only characters that XML allows"),
    (f"{START}/a return {'<s>' * 60}", "1:188: expected at most 50 constant tags"),
    (f"{START}{'/a' * 1001} return $x}}</r>", "1:2029: expected at most 1,000 steps"),
    (f"{START}/a return <s>{'x' * 70_000}</s>}}</r>", "1:1: expected a query of at most 65,536 characters"),
]


@pytest.mark.parametrize(("text", "message"), ERRORS, ids=[text[:60] for text, _ in ERRORS])
def test_errors_have_their_place(text: str, message: str) -> None:
    with pytest.raises(QueryError) as error:
        parse_query(text)
    assert str(error.value).startswith(message)


@given(st.text(alphabet="<>/{}$x= \"'forinretudcmw()[]@.1\n:", max_size=60))
def test_any_text_is_a_query_or_an_error_with_its_place(text: str) -> None:
    for given_text in (text, f"{START}{text}", f"{START}/a return <s>{text}"):
        error = _error_of(given_text)
        if error is not None:
            assert error.source == "file"
            assert error.line is not None
            assert 1 <= error.line <= given_text.count("\n") + 1
            assert error.column is not None
            assert 1 <= error.column <= len(given_text.split("\n")[error.line - 1]) + 1


def _error_of(text: str) -> QueryError | None:
    try:
        parse_query(text, "file")
    except QueryError as error:
        return error
    return None


def test_many_queries_are_numbered_by_their_lines() -> None:
    text = f"(: all :)\n{PAPER}\n\n{START}/a return $x}}</r>\n(: end :)\n"
    assert [(line, query.closing) for line, query in parse_queries(text)] == [(2, "</sections>"), (8, "</r>")]
    assert list(parse_queries(" \n")) == []
    with pytest.raises(QueryError, match=r"^f:1:46: expected each query to begin on a line of its own"):
        list(parse_queries(f"{START}/a return $x}}</r> {START}/a return $x}}</r>", "f"))
    with pytest.raises(QueryError, match=r"^f:2:1: expected '<'"):
        list(parse_queries(f"{START}/a return $x}}</r>\nmore", "f"))
