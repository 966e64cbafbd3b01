"""The referee: every expression is an XPath of lxml, evaluated on its own.

libxml2 decides what matches; of our own code only the expression's text takes part. It is also the naive
peer in comparisons: a document costs one evaluation for each expression.

Subscriptions compare names as written. XPath's plain name test does so too, but for two things: a prefix would have
to be bound to a namespace, and an unprefixed name does not select elements of a default namespace. So a name test
becomes `*[name()="x"]` where a prefix occurs in the expression (or a letter outside ASCII, on which XPath and XML
versions differ), and for documents that use a default namespace; everywhere else the faster plain form serves.
"""

from __future__ import annotations

from collections.abc import Sequence

from lxml import etree
from pyroaring import BitMap

from broker_sim.engines.documents import Document, chain, parse
from broker_sim.engines.engine import require_known, require_new
from broker_sim.errors import XPathError
from broker_sim.xpath import WILDCARD, Branch, Expression, Predicate, Step, ValueTest
from broker_sim.xpath import Path as XPath

_default_namespace_used = etree.XPath('boolean(//*[namespace-uri() and not(contains(name(), ":"))])')


class LxmlEngine:
    """Each expression in turn, by libxml2."""

    def __init__(self) -> None:
        self._expressions: dict[int, Expression] = {}
        self._plain: dict[int, etree.XPath] = {}
        self._by_name: dict[int, etree.XPath] = {}

    def add(self, id: int, expression: Expression) -> None:
        """Subscribe."""
        require_new(self._expressions, id)
        self._plain[id] = _compile(expression, by_name=not _plain_names(expression))
        self._expressions[id] = expression

    def remove(self, id: int) -> None:
        """Unsubscribe."""
        require_known(self._expressions, id)
        del self._expressions[id], self._plain[id]
        self._by_name.pop(id, None)

    def match(self, document: Document) -> BitMap:
        """The ids whose XPath selects anything."""
        root = parse(document)
        compiled = self._compiled_by_name() if _default_namespace_used(root) else self._plain
        return BitMap([id for id, selects in compiled.items() if selects(root)])

    def match_path(self, names: Sequence[str]) -> BitMap:
        """The ids whose XPath selects anything in this chain of elements."""
        return self.match(chain(names))

    def __len__(self) -> int:
        return len(self._expressions)

    def __contains__(self, id: object) -> bool:
        return id in self._expressions

    def _compiled_by_name(self) -> dict[int, etree.XPath]:
        for id in self._expressions.keys() - self._by_name.keys():
            self._by_name[id] = _compile(self._expressions[id], by_name=True)
        return self._by_name


def selecting(expression: Expression) -> list[etree.XPath]:
    """For each path of an expression, the XPath that selects the elements at which it ends, in any document.

    One XPath with `|` would do, but libxml2 joins sets of n nodes in n x n steps.
    """
    return [etree.XPath(_by_name_text(path), smart_strings=False) for path in expression.disjuncts]


def _compile(expression: Expression, *, by_name: bool) -> etree.XPath:
    text = " or ".join(_by_name_text(path) if by_name else str(path) for path in expression.disjuncts)
    try:
        return etree.XPath(f"boolean({text})", smart_strings=False)
    except etree.XPathSyntaxError as error:
        raise XPathError(f"lxml cannot compile it: {error}", text=str(expression), column=1) from error


def _plain_names(expression: Expression) -> bool:
    """Whether no name in the expression has a prefix or a letter outside ASCII; literals may lead to a safe no."""
    text = str(expression).replace("following-sibling::", "")
    return ":" not in text and text.isascii()


def _by_name_text(path: XPath) -> str:
    return "".join(map(_step_text, path.steps))


def _step_text(step: Step) -> str:
    predicates = "".join(f"[{_predicate_text(predicate)}]" for predicate in step.predicates)
    return f"{step.axis}*{_name_test(step.name)}{predicates}"


def _predicate_text(predicate: Predicate) -> str:
    if isinstance(predicate, Branch):
        return f"self::node(){''.join(map(_step_text, predicate.steps))}"
    if not predicate.subject.startswith("@"):
        return str(predicate)
    subject = f"@*{_name_test(predicate.subject[1:])}"
    return subject + str(ValueTest(".", predicate.operator, predicate.literal)).removeprefix(".")


def _name_test(name: str) -> str:
    return "" if name == WILDCARD else f'[name()="{name}"]'
