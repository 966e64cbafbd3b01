"""Text -> queries, by recursive descent.

    query     = "<" name attributes ">" "{" flwr "}" "</" name ">"
    flwr      = "for" variable "in" ("document" | "doc") "(" string ")" path ["where" both] "return" (element | value)
    both      = condition ("and" condition)*
    condition = variable steps ["/@name" | "/text()"] [compares literal]      (predicates at its last step only)
    value     = variable steps                                                (no predicates)
    element   = "<" name attributes ("/>" | ">" (element | "{" value "}" | text)* "</" name ">")
    path      = (("/" | "//") (name | "*") ("[" test ("and" test)* "]")*)+
    test      = ("@name" | "@*" | "text()" | ".") [compares literal]

Comparisons mean what they mean in XPath 1.0, as in subscriptions: a number literal or an order operator compares
numbers, anything else strings. Constant text keeps its blanks unless it is blank altogether, as XQuery asks; names in
constant tags have no prefix. The work is linear in the text; constant tags nest at most `MAX_DEPTH` deep.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from xml.sax.saxutils import quoteattr

from lxml import etree

from broker_sim.delivery.path_reader import PathReader, ordered
from broker_sim.delivery.query import Condition, Query, Template
from broker_sim.delivery.scanner import Scanner
from broker_sim.xpath import Step, ValueTest

MAX_DEPTH: Final = 50
MAX_LENGTH: Final = 65_536

_PREFIXED: Final = re.compile("^xmlns$|:")
_text: Final = re.compile(r"[^<{}]+")


def parse_query(text: str, source: str | None = None) -> Query:
    """The one query that `text` writes; raises `QueryError` with line and column."""
    scanner = Scanner(text, source)
    query = _Parser(scanner).query()
    scanner.skip_space()
    if not scanner.at_end:
        scanner.refuse("expected the end after the query")
    return query


def parse_queries(text: str, source: str | None = None) -> Iterator[tuple[int, Query]]:
    """The queries of a text one after the other, each with the line on which it begins, no two on one line."""
    scanner = Scanner(text, source)
    line = last = 0
    counted = 0
    scanner.skip_space()
    while not scanner.at_end:
        line += text.count("\n", counted, scanner.place)
        counted = scanner.place
        if line + 1 == last:
            scanner.refuse("expected each query to begin on a line of its own")
        last = line + 1
        yield last, _Parser(scanner).query()
        scanner.skip_space()


class _Parser:
    def __init__(self, scanner: Scanner) -> None:
        self._scanner = scanner
        self._start = scanner.place
        self._paths = PathReader(scanner)

    def query(self) -> Query:
        scanner = self._scanner
        scanner.skip_space()
        name, opening, closed = self._open_tag("the constant element around the query, as in <results>")
        if closed:
            scanner.refuse("expected '{' and a for clause inside the constant element")
        scanner.expect("{", " and a for clause inside the constant element")
        scanner.expect_word("for")
        self._paths.variable = self._new_variable()
        scanner.expect_word("in")
        document = self._document()
        binding = self._paths.binding()
        conditions = self._where()
        scanner.expect_word("return")
        template, returns = self._return()
        scanner.expect("}", " after the return clause")
        self._close_tag(name)
        if scanner.place - self._start > MAX_LENGTH:
            scanner.refuse(f"expected a query of at most {MAX_LENGTH:,} characters", self._start)
        binding, kept = _normal(binding, conditions)
        return Query(opening, f"</{name}>", self._paths.variable, document, binding, kept, returns, template)

    def _new_variable(self) -> str:
        self._scanner.expect("$", " and the name of the variable")
        return self._scanner.name("the name of the variable")

    def _document(self) -> str:
        scanner = self._scanner
        if not (scanner.take_word("document") or scanner.take_word("doc")):
            scanner.refuse('expected document("...")')
        scanner.expect("(")
        name = scanner.string("the name of the document")
        scanner.expect(")")
        return name

    def _where(self) -> list[Condition]:
        if not self._scanner.take_word("where"):
            return []
        conditions = [self._paths.condition()]
        while self._scanner.take_word("and"):
            conditions.append(self._paths.condition())
        return conditions

    def _return(self) -> tuple[Template, tuple[tuple[Step, ...], ...]]:
        parts, returns = [""], list[tuple[Step, ...]]()
        if self._scanner.sees("$"):
            self._add_value(parts, returns)
        else:
            self._element(parts, returns, 1)
        return Template(tuple(parts)), tuple(returns)

    def _element(self, parts: list[str], returns: list[tuple[Step, ...]], depth: int) -> None:
        scanner = self._scanner
        if depth > MAX_DEPTH:
            scanner.refuse(f"expected at most {MAX_DEPTH} constant tags inside one another")
        name, opening, closed = self._open_tag("a constant tag or a return path")
        parts[-1] += opening
        while not closed and not scanner.text.startswith("</", scanner.place):
            if scanner.text.startswith("<", scanner.place):
                self._element(parts, returns, depth + 1)
            elif scanner.text.startswith("{", scanner.place):
                scanner.place += 1
                self._add_value(parts, returns)
                scanner.expect("}", " after the return path")
            else:
                parts[-1] += self._constant_text(name)
        if not closed:
            self._close_tag(name)
        parts[-1] += f"</{name}>"

    def _add_value(self, parts: list[str], returns: list[tuple[Step, ...]]) -> None:
        returns.append(self._paths.value())
        parts.append("")

    def _constant_text(self, name: str) -> str:
        scanner = self._scanner
        found = _text.match(scanner.text, scanner.place)
        if found is None:
            what = "the end" if scanner.at_end else "a brace"
            scanner.refuse(f"expected a tag, a return path in braces, text or </{name}>, not {what}")
        if not found.group().strip(" \t\r\n"):
            scanner.place = found.end()
            return ""
        self._check_xml(f"<t>{found.group()}</t>", "expected text that XML allows")
        scanner.place = found.end()
        return found.group()

    def _open_tag(self, what: str) -> tuple[str, str, bool]:
        """A start tag: its name, its text without a slash, and whether it ends the element at once."""
        scanner = self._scanner
        start = scanner.place
        scanner.expect("<", f": {what}")
        name = self._constant_name()
        written = [f"<{name}"]
        while not (scanner.sees(">") or scanner.sees("/>")):
            attribute = self._constant_name()
            scanner.expect("=", " after the name of the attribute")
            scanner.skip_space()
            place = scanner.place
            value = scanner.string("a constant value")
            if "{" in value or "<" in value:
                scanner.refuse("expected a constant as the attribute's value", place)
            written.append(f" {attribute}={_requoted(value)}")
        text = "".join(written)
        self._check_xml(f"{text}/>", "expected a tag that XML allows", start)
        closed = scanner.take("/>")
        if not closed:
            scanner.expect(">")
        return name, f"{text}>", closed

    def _close_tag(self, name: str) -> None:
        scanner = self._scanner
        scanner.skip_space()
        if not scanner.take(f"</{name}") or not scanner.take(">"):
            scanner.refuse(f"expected </{name}>")

    def _constant_name(self) -> str:
        start = self._scanner.place
        name = self._scanner.name("a name")
        if _PREFIXED.search(name):
            self._scanner.refuse("expected a name without prefix: constant tags have no namespace", start)
        return name

    def _check_xml(self, text: str, message: str, place: int | None = None) -> None:
        try:
            etree.fromstring(text)
        except etree.XMLSyntaxError:
            self._scanner.refuse(message, place)


def _normal(binding: tuple[Step, ...], conditions: list[Condition]) -> tuple[tuple[Step, ...], tuple[Condition, ...]]:
    """Conditions on the bound element become predicates of the last step; the rest is sorted, without duplicates."""
    *above, last = binding
    on_bound = [test for condition in conditions if not condition.steps for test in condition.tests]
    if on_bound:
        last = Step(last.axis, last.name, ordered([*_simple(last), *on_bound]))
    kept = {condition for condition in conditions if condition.steps}
    return (*above, last), tuple(sorted(kept, key=lambda condition: str(condition.branch)))


def _simple(step: Step) -> list[ValueTest]:
    return [test for test in step.predicates if isinstance(test, ValueTest)]


def _requoted(value: str) -> str:
    return f'"{value}"' if '"' not in value else f"'{value}'" if "'" not in value else quoteattr(value)
