"""The engine `xfilter`, plain or with `list_balance`.

Linear paths are one machine each. Tree patterns are matched structure first, as the XTrie paper notes that XFilter is
made for single paths: the linear parts of a pattern are machines, and patterns all of whose parts occur are checked at
the elements where their trunk ends (see `pattern_parts`, `predicates`).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from lxml import etree
from pyroaring import BitMap

from broker_sim.engines.documents import Document, chain, parse
from broker_sim.engines.engine import require_known, require_new
from broker_sim.engines.flags import positions
from broker_sim.engines.id_map import IdMap
from broker_sim.engines.outline import Outline
from broker_sim.engines.pattern_parts import ENDS, SLOT, Parts, Patterns
from broker_sim.engines.predicates import matches_at
from broker_sim.engines.walking import walk
from broker_sim.engines.xfilter.machines import Machines
from broker_sim.engines.xfilter.run import Run
from broker_sim.xpath import Expression, Path


class XFilter:
    """A state machine for each path."""

    def __init__(self, list_balance: bool = False) -> None:
        self._list_balance = list_balance
        self._machines = Machines(list_balance=list_balance)
        self._patterns = Patterns()
        self._ids = array("I")
        self._first_node = IdMap()
        self._other_nodes: dict[int, list[int]] = {}
        self._pattern_numbers: dict[int, list[int]] = {}
        self._parts: dict[int, int] = {}

    def add(self, id: int, expression: Expression) -> None:
        """Subscribe."""
        require_new(self._first_node, id)
        nodes: list[int] = []
        for path in expression.disjuncts:
            nodes += [self._enter(id, path)] if path.is_linear else self._enter_parts(id, path)
        self._first_node[id] = nodes[0]
        if len(nodes) > 1:
            self._other_nodes[id] = nodes[1:]

    def remove(self, id: int) -> None:
        """Unsubscribe."""
        require_known(self._first_node, id)
        for node in (self._first_node.pop(id), *self._other_nodes.pop(id, ())):
            self._parts.pop(self._machines.machine[node], None)
            self._machines.remove(node)
        for number in self._pattern_numbers.pop(id, ()):
            self._patterns.remove(number)

    def match(self, document: Document) -> BitMap:
        """The ids whose expression has a match in the document."""
        root = parse(document)
        run = Run(self._machines, self._parts, list_balance=self._list_balance)
        walk(root, run, [])
        found = BitMap([self._ids[machine] for machine in positions(run.matched)])
        if run.ends:
            self._add_patterns(found, root, run.ends)
        return found

    def match_path(self, names: Sequence[str]) -> BitMap:
        """The ids whose expression matches this chain of elements."""
        return self.match(chain(names))

    def __len__(self) -> int:
        return len(self._first_node)

    def __contains__(self, id: object) -> bool:
        return id in self._first_node

    def _enter(self, id: int, path: Path) -> int:
        machine, first = self._machines.add(path.steps)
        if machine == len(self._ids):
            self._ids.append(id)
        self._ids[machine] = id
        return first

    def _enter_parts(self, id: int, path: Path) -> list[int]:
        parts = Parts.of(path)
        number = self._patterns.add(id, path, parts)
        self._pattern_numbers.setdefault(id, []).append(number)
        nodes: list[int] = []
        for slot, way in zip(ENDS, parts.ends, strict=False):
            nodes.append(self._enter(id, Path(way)))
            self._parts[self._machines.machine[nodes[-1]]] = slot * SLOT + number
        return nodes

    def _add_patterns(self, found: BitMap, root: etree._Element, ends: dict[int, list[int]]) -> None:
        outline = Outline(root)
        candidates = self._patterns.with_all(ENDS, BitMap(ends))
        for id, number in zip(self._patterns.owners(candidates), candidates, strict=True):
            if id not in found and matches_at(outline, self._patterns[number].steps, ends[number]):
                found.add(id)
