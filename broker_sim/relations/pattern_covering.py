"""Covering of tree patterns: sound, by homomorphism.

`first` covers `second` if its tree maps into the tree of `second`: the document to the document, a child to a child, a
descendant to a node further down, a following sibling to a following sibling of any distance, a name to itself and `*`
to any, every value test to one that implies it. Whatever document `second` matches, `first` then matches at the
images. The converse does not hold where `*`, `//` and branches meet, so a "no" may be wrong, which costs a table entry
and loses nothing.

Two things make the answer better than a plain homomorphism. A run of `*` steps without predicates that has a `//` in
it, or ends the path, only asks for a distance (`/a/*//b` is `/a//*/b`; `/a/*` is `/a//*`; `/*` is everything), so it
becomes one edge "at least k levels below". And siblings have a parent: `//a/following-sibling::b` is `//*/a/...`.

For linear paths the answer is exact. Sets of nodes are bits of an int; the cost is |first| x |second| operations on
ints of |second| bits.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from broker_sim.relations.value_implication import implies
from broker_sim.xpath import CHILD, DESCENDANT, FOLLOWING_SIBLING, WILDCARD, Axis, Branch, Path, Step, ValueTest


def pattern_covers(first: Path, second: Path) -> bool:
    """Whether every document that `second` matches is surely matched by `first`."""
    return first == second or _maps(_tree(first), _target(second))


@dataclass(slots=True)
class _Node:
    """An element of a pattern; `levels` is how far below its parent it is at least, if its axis is descendant."""

    name: str
    axis: Axis
    levels: int = 1
    tests: list[ValueTest] = field(default_factory=list)
    parts: list[_Node] = field(default_factory=list)

    @property
    def is_plain(self) -> bool:
        """A `*` that asks nothing of its own and has at most one element below it."""
        if self.name != WILDCARD or self.tests or len(self.parts) > 1 or self.axis == FOLLOWING_SIBLING:
            return False
        return all(part.axis != FOLLOWING_SIBLING for part in self.parts)


@dataclass(slots=True)
class _Target:
    """The tree to map into, with sets of nodes as bits; node 0 is the document."""

    nodes: list[_Node]
    children: list[int]
    descendants: list[int]
    siblings: list[int]
    depths: list[int]
    at_least: list[int] = field(default_factory=list)

    def reached(self, node: int, part: _Node) -> int:
        """The nodes that stand to `node` as `part` asks."""
        if part.axis == CHILD:
            return self.children[node]
        if part.axis == FOLLOWING_SIBLING:
            return self.siblings[node]
        depth = self.depths[node] + part.levels
        return self.descendants[node] & self.at_least[depth] if depth < len(self.at_least) else 0


def _maps(document: _Node, target: _Target) -> bool:
    """Whether the tree below `document` maps into `target`, found from the leaves up."""
    images: dict[int, int] = {}
    for node in reversed(_downward(document)):
        images[id(node)] = sum(
            1 << place
            for place, image in enumerate(target.nodes)
            if _fits(node, image) and all(target.reached(place, part) & images[id(part)] for part in node.parts)
        )
    return bool(images[id(document)] & 1)


def _fits(node: _Node, image: _Node) -> bool:
    if node.name != image.name and (node.name != WILDCARD or not image.name):
        return False
    return all(any(implies(known, asked) for known in image.tests) for asked in node.tests)


@lru_cache(maxsize=1 << 14)
def _tree(path: Path) -> _Node:
    """The tree of `path` below a document node, its loose runs of `*` folded into distances."""
    document = _written(path)
    pending = [document]
    while pending:
        node = pending.pop()
        node.parts = [_folded(part) for part in node.parts]
        pending += node.parts
    return document


def _folded(start: _Node) -> _Node:
    """`start`, or the end of the loose run that it starts, so many levels below."""
    if start.axis == FOLLOWING_SIBLING:
        return start
    end, levels, loose = start, 1, start.axis == DESCENDANT
    while end.is_plain and end.parts:
        end = end.parts[0]
        levels += 1
        loose = loose or end.axis == DESCENDANT
    if not loose and not end.is_plain:
        return start
    return _Node(end.name, DESCENDANT, levels, end.tests, end.parts)


@lru_cache(maxsize=1 << 14)
def _target(path: Path) -> _Target:
    document = _written(path)
    _give_siblings_a_parent(document)
    nodes = _downward(document)
    places = {id(node): place for place, node in enumerate(nodes)}
    children, descendants, siblings, depths = ([0] * len(nodes) for _ in range(4))
    target = _Target(nodes, children, descendants, siblings, depths)
    for place, node in enumerate(nodes):
        for part in node.parts:
            target.depths[places[id(part)]] = target.depths[place] + (part.axis != FOLLOWING_SIBLING)
    for place in range(len(nodes) - 1, -1, -1):
        for part in nodes[place].parts:
            _join(target, place, part, places[id(part)])
    target.at_least = [
        sum(1 << place for place, depth in enumerate(target.depths) if depth >= least)
        for least in range(max(target.depths) + 1)
    ]
    return target


def _join(target: _Target, place: int, part: _Node, below: int) -> None:
    """Count `part`, at `below`, and what it reaches among what `place` reaches."""
    beside = 1 << below | target.siblings[below]
    if part.axis == FOLLOWING_SIBLING:
        target.siblings[place] |= beside
        return
    if part.axis == CHILD:
        target.children[place] |= beside
    for other in range(below, len(target.nodes)):
        if beside >> other & 1:
            target.descendants[place] |= 1 << other | target.descendants[other]


def _give_siblings_a_parent(document: _Node) -> None:
    """An element with a sibling is not the root: `//a` with one is `//*/a`."""
    for place, part in enumerate(document.parts):
        if part.axis == DESCENDANT and any(other.axis == FOLLOWING_SIBLING for other in part.parts):
            part.axis = CHILD
            document.parts[place] = _Node(WILDCARD, DESCENDANT, parts=[part])


def _written(path: Path) -> _Node:
    """The tree as the path writes it; the document has no name."""
    document = _Node("", CHILD)
    pending: list[tuple[_Node, tuple[Step, ...]]] = [(document, path.steps)]
    while pending:
        node, steps = pending.pop()
        for step in steps:
            below = _Node(step.name, step.axis)
            node.parts.append(below)
            node = below
            node.tests += [test for test in step.predicates if isinstance(test, ValueTest)]
            pending += [(node, branch.steps) for branch in step.predicates if isinstance(branch, Branch)]
    return document


def _downward(document: _Node) -> list[_Node]:
    """Every node, parents first."""
    order = [document]
    for node in order:
        order.extend(node.parts)
    return order
