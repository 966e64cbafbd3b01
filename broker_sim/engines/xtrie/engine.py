"""The engines `xtrie` (lazy) and `xtrie-eager`.

By default a pattern means what XPath says: branches in any order, siblings where `following-sibling::` asks for them.
With `order="printed"` it means what section 2 of the XTrie paper prints: the children of a node match in the order in
which the path lists them, and of two elements the one that ends first comes first (post-order), so a branch may match
inside its later sibling. The order of a `Path` is that of its predicates, then the step that follows. (Figures 4 to
6 of the paper do less than that: a later branch is only looked for once the one before is complete, and so never
around it.) `following-sibling::` has no place there and is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from lxml import etree
from pyroaring import BitMap

from broker_sim.engines.documents import Document, attribute_values, parse, string_value, text_nodes, written_attributes
from broker_sim.engines.streaming import Source, StreamReader, source_name, stream
from broker_sim.engines.walking import walk
from broker_sim.engines.xtrie.eager import EagerRun
from broker_sim.engines.xtrie.index import XTrieIndex
from broker_sim.engines.xtrie.lazy import LazyRun
from broker_sim.engines.xtrie.run import Reader, Run
from broker_sim.engines.xtrie.xpe_tree import has_siblings
from broker_sim.errors import ConfigurationError, XPathError
from broker_sim.xpath import Expression

ORDERS: Final = ("xpath", "printed")
"""What the order of branches may mean."""


class XTrie:
    """All subscriptions in one index of substrings, asked lazily."""

    _run_type: type[Run] = LazyRun

    def __init__(self, order: str = "xpath") -> None:
        if order not in ORDERS:
            raise ConfigurationError(f"order is {order!r}; expected one of {', '.join(ORDERS)}")
        self._index = XTrieIndex(eager=self._run_type is EagerRun, ordered=order == "printed")

    def add(self, id: int, expression: Expression) -> None:
        """Subscribe; raises `XPathError` for siblings where the order is the printed one."""
        if self._index.ordered and any(map(has_siblings, expression.disjuncts)):
            raise XPathError("the printed order has no following-sibling::", text=str(expression), column=1)
        self._index.add(id, expression)

    def remove(self, id: int) -> None:
        """Unsubscribe."""
        self._index.remove(id)

    def match(self, document: Document) -> BitMap:
        """The ids whose expression has a match in the document."""
        root = parse(document)
        open_elements: list[etree._Element | None] = []
        run = self._run(TreeReader(open_elements))
        walk(root, run, open_elements)
        return run.found()

    def match_stream(self, source: Source, *, max_bytes: int | None = None) -> BitMap:
        """As `match`, for a document that is read in pieces and never held as a whole; by default of any size."""
        name = source_name(source)
        reader = StreamReader(name)
        run = self._run(reader)
        stream(source, reader, run, name=name, max_bytes=max_bytes)
        return run.found()

    def match_path(self, names: Sequence[str]) -> BitMap:
        """The ids whose expression matches this chain of elements."""
        if not names:
            raise ValueError("a publication has at least one name")
        run = self._run(ChainReader())
        for name in names:
            run.start(name)
        for _ in names:
            run.end()
        return run.found()

    def __len__(self) -> int:
        return len(self._index)

    def __contains__(self, id: object) -> bool:
        return id in self._index

    def _run(self, reader: Reader) -> Run:
        return self._run_type(self._index, reader)


class EagerXTrie(XTrie):
    """The same index, with every substring looked up where it ends."""

    _run_type = EagerRun


class TreeReader:
    """Values of the open elements of a parsed document, which the caller keeps by level."""

    def __init__(self, open_elements: list[etree._Element | None]) -> None:
        self._open = open_elements
        self._read: tuple[etree._Element | None, Mapping[str, str]] = (None, {})

    def values(self, level: int, subject: str) -> list[str]:
        element = self._open[level]
        if element is None:
            return []
        if subject[0] == "@":
            if self._read[0] is not element:
                self._read = (element, written_attributes(element))
            return attribute_values(self._read[1], subject)
        return text_nodes(element) if subject == "text()" else [string_value(element)]


class ChainReader:
    """Elements that have a name and nothing else."""

    def values(self, level: int, subject: str) -> list[str]:
        return [""] if subject == "." else []
