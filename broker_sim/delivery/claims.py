"""Claims 1 to 5: when streams have no duplicates, and when they are ordered by the bound element.

Section 4 of "Query Processing for High-Volume XML Message Brokering" (VLDB 2003). A stream is ordered by its last
field; fields count from 0 here, and `field` is that of the bound element. Without a DTD only claims 1 and 4 can be
used.

- Claim 1: at most one `//`: the last element determines the tuple.
- Claim 2: of several `//` steps, none but the last meets an element that can stand inside itself.
- Claim 3: no duplicates on (bound, last) where both the path to the bound element and the rest have none. (The paper
  says "either path"; its own example needs both.)
- Claim 4: no `//` up to the bound element: all bound elements are at one depth, so the stream is ordered by them.
- Claim 5: order by the bound element can fail only where one bound element stands inside another. With the last `//` up
  to it at step j, that takes a loop through the elements of step j and of the bound step: their names repeat on the way
  from one to the other. The paper asks this of every `//`; the last one is enough. *Loop* must mean that the elements
  can stand inside each other; two elements of that kind need not lie on one simple cycle, and a check for simple cycles
  would be wrong (`//a/b/c` where a and b, and b and c, may contain each other).

The claims speak of names. A `*` step may meet several elements; then the condition is asked of every pair of them. All
conditions hold for documents that keep to the element graph, valid or not in other ways.
"""

from __future__ import annotations

from typing import Final

from broker_sim.delivery.element_graph import ElementGraph
from broker_sim.delivery.query import Navigation
from broker_sim.xpath import DESCENDANT, WILDCARD


class Claims:
    """What can be said of streams; with `graph` None, from the query alone."""

    def __init__(self, graph: ElementGraph | None = None) -> None:
        self._graph: Final = graph

    def distinct(self, path: Navigation) -> bool:
        """Claims 1 and 2: no two tuples of the path end at the same element."""
        return self._distinct_part(path, 0, len(path))

    def distinct_pairs(self, path: Navigation, field: int) -> bool:
        """Claim 3: no two tuples of the path agree in the bound and in the last element."""
        return self._distinct_part(path, 0, field + 1) and self._distinct_part(path, field + 1, len(path))

    def ordered(self, path: Navigation, field: int) -> bool:
        """Claims 4 and 5: the stream of the path is ordered by the bound element."""
        jumps = _jumps(path, 0, field + 1)
        if not jumps or field == len(path) - 1:
            return True
        graph = self._graph
        if graph is None:
            return False
        first, second = path[jumps[-1]].name, path[field].name
        if WILDCARD not in (first, second):
            return not graph.on_one_loop(first, second)
        met = graph.met_by(path)
        return not graph.nest(met[field]) or not graph.nest(met[jumps[-1]])

    def _distinct_part(self, path: Navigation, start: int, end: int) -> bool:
        jumps = _jumps(path, start, end)
        if len(jumps) <= 1:
            return True
        if self._graph is None:
            return False
        met = self._graph.met_by(path)
        return not any(self._graph.nest(met[step]) for step in jumps[:-1])


def _jumps(path: Navigation, start: int, end: int) -> list[int]:
    """The steps along `//`."""
    return [index for index in range(start, end) if path[index].axis == DESCENDANT]
