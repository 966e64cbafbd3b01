"""TRANSTOOL: rewrite a subscription by the schema, so that its paths have long prefixes to cut at.

Section 3 of "XPath-Aware Chunking of XML-Documents" (Lehner, Irmert). Parent steps are predicates already when an
expression is parsed. Here `*` and `//` are resolved along the element graph: an expression becomes paths whose *spine*,
the names from the root on, is known. A `//` is followed until a name would come again; there recursion begins, and the
path keeps its `//` (of figure 4's `//c`: `/a/b/l/c`, `/a/b/m/c` and, for all below the recursion, `/a/b/m//c`). An
expression that the element graph contradicts has no path left: it is dead.

The rewritten paths together match where the expression does, on every document whose elements nest as the schema says.

Where the paper is silent: a `//` in a rich DTD leads along thousands of paths. All are followed level by level, and
once a level would bring more than `MAX_PATHS` those not yet finished keep what is left of their steps unresolved. Every
form on the way, from the expression as written to the finished path, is kept: `forms[k]` is resolved for k levels only.
So a chunk can ask one question for all paths that differ below its cut.

Two rules bound where a path may be cut (its `cut` is the longest prefix allowed). An element whose whole string value
is tested must not be cut. And paths of one subscription that could find the same element (an open one, with steps left
beyond its spine, and any that goes on below) are cut at the same place: then no element is found in two chunks for the
same subscription.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from broker_sim.chunking.element_graph import ElementGraph
from broker_sim.engines.documents import MAX_DEPTH
from broker_sim.xpath import CHILD, DESCENDANT, FOLLOWING_SIBLING, WILDCARD, Expression, Path, Step, ValueTest

MAX_PATHS: Final = 64
"""How many paths one path may be resolved to, before the rest stays as written."""

Names = tuple[str, ...]
Steps = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A path, the names from the root on that it is known to follow, and where it may be cut.

    `forms[k]` is the path resolved for its first k levels only; the last is the path itself.
    """

    path: Path
    spine: Names
    cut: Names
    is_open: bool
    forms: tuple[Path, ...]


class Transformation:
    """Rewrites expressions by one schema, or leaves `*` and `//` as they are where there is none."""

    def __init__(self, graph: ElementGraph | None, max_paths: int = MAX_PATHS) -> None:
        self._graph = graph
        self._max_paths = max_paths

    def rewrite(self, expression: Expression) -> tuple[Rewritten, ...]:
        """The paths that together match where `expression` does; none if no valid document does."""
        found: dict[Path, Rewritten] = {}
        for path in expression.disjuncts:
            for rewritten in self._resolved(path):
                found.setdefault(rewritten.path, rewritten)
        if self._graph is not None:
            self._graph.forget()
        return _never_twice(found.values())

    def _resolved(self, path: Path) -> Iterator[Rewritten]:
        if self._graph is None:
            yield _as_written(path)
            return
        done: list[_Partial] = []
        level = [_Partial((), (), path.steps, (path,))] if self._graph.follows(path.steps, None) else []
        while level:
            finished: list[_Partial] = []
            onward: list[_Partial] = []
            for partial in level:
                ended, going_on = self._expanded(partial, self._graph)
                finished += ended
                onward += going_on
            if len(done) + len(finished) + len(onward) > self._max_paths:
                finished, onward = level, []
            done += finished
            level = onward
        for partial in done:
            yield partial.finished()

    def _expanded(self, partial: _Partial, graph: ElementGraph) -> tuple[list[_Partial], list[_Partial]]:
        """The paths that end here, and those one level on; a sibling counts as a level too."""
        if not partial.rest:
            return [partial], []
        step = partial.rest[0]
        if step.axis == FOLLOWING_SIBLING:
            names = graph.children(partial.spine[-2]) if len(partial.spine) > 1 else ()
            return [], [partial.beside(name) for name in names if graph.fits(partial.rest, name)]
        here = partial.spine[-1] if partial.spine else None
        children = graph.children(here)
        onward = [partial.taken(child) for child in children if graph.fits_below(partial.rest, child, here)]
        finished: list[_Partial] = []
        if step.axis == DESCENDANT:
            passed = [child for child in children if graph.follows(partial.rest, child)]
            onward += [partial.passing(child) for child in passed if child not in partial.spine]
            if any(child in partial.spine for child in passed):
                finished.append(partial)
        return finished, onward


@dataclass(frozen=True, slots=True)
class _Partial:
    """A path resolved for some levels: the steps so far, where they lead, the steps left, and the forms so far."""

    steps: Steps
    spine: Names
    rest: Steps
    forms: tuple[Path, ...]

    def taken(self, name: str) -> _Partial:
        """With the next step taken to a child."""
        first, *rest = self.rest
        return self._to((*self.spine, name), Step(CHILD, name, first.predicates), tuple(rest))

    def passing(self, name: str) -> _Partial:
        """With one more level passed by the next step's `//`."""
        return self._to((*self.spine, name), Step(CHILD, name), self.rest)

    def beside(self, name: str) -> _Partial:
        """With the next step taken to a sibling."""
        first, *rest = self.rest
        return self._to((*self.spine[:-1], name), Step(FOLLOWING_SIBLING, name, first.predicates), tuple(rest))

    def finished(self) -> Rewritten:
        path = Path(self.steps + self.rest)
        spine = _passed(self.spine, self.rest)
        return Rewritten(path, spine, _uncut_text(path, spine), bool(self.rest), self.forms)

    def _to(self, spine: Names, step: Step, rest: Steps) -> _Partial:
        steps = (*self.steps, step)
        forms = (*self.forms[: len(spine)], Path(steps + rest))
        return _Partial(steps, spine, rest, forms)


def _as_written(path: Path) -> Rewritten:
    """Without a schema: the spine goes as far as names are written."""
    spine: Names = ()
    rest = path.steps
    while rest and rest[0].axis != DESCENDANT and rest[0].name != WILDCARD:
        spine = (*_passed(spine, rest), rest[0].name)
        rest = rest[1:]
    spine = _passed(spine, rest)
    return Rewritten(path, spine, _uncut_text(path, spine), bool(rest), (path,) * (len(spine) + 1))


def _passed(spine: Names, rest: Steps) -> Names:
    """The names that `rest` is below: where it goes on beside an element, not that element's own."""
    return spine[:-1] if rest and rest[0].axis == FOLLOWING_SIBLING else spine


def _uncut_text(path: Path, spine: Names) -> Names:
    """The spine down to the first element on it whose string value is tested."""
    level = 0
    tested: set[int] = set()
    for step in path.steps:
        if step.axis == FOLLOWING_SIBLING:
            tested.discard(level)
        else:
            level += 1
        if any(isinstance(test, ValueTest) and test.subject == "." for test in step.predicates):
            tested.add(level)
        if step.axis == DESCENDANT or level > len(spine):
            break
    return spine[: min(tested, default=len(spine))]


def _never_twice(paths: Iterable[Rewritten]) -> tuple[Rewritten, ...]:
    """The same paths, with one place to cut for all that may find the same element."""
    kept = list(paths)
    open_spines = {rewritten.spine for rewritten in kept if rewritten.is_open}
    meeting = [_meeting(rewritten.spine, open_spines) for rewritten in kept]
    depths = dict.fromkeys((spine for spines in meeting for spine in spines), MAX_DEPTH)
    changed = True
    while changed:
        changed = False
        for rewritten, spines in zip(kept, meeting, strict=True):
            least = min(len(rewritten.cut), *(depths[spine] for spine in spines))
            changed = changed or any(depths[spine] != least for spine in spines)
            depths.update(dict.fromkeys(spines, least))
    return tuple(replace(rewritten, cut=rewritten.spine[: depths[rewritten.spine]]) for rewritten in kept)


def _meeting(spine: Names, open_spines: set[Names]) -> list[Names]:
    """The spine itself, and those of open paths that may find the same elements."""
    return [spine, *(above for end in range(len(spine)) if (above := spine[:end]) in open_spines)]
