"""The referee of covering: enumerate short publications and look.

`matches` follows the meaning of an expression literally, by recursion on its steps. `referee_covers` asks whether any
publication of bounded length, over the names that occur and fresh ones, is matched by the second path alone. The bound
and the alphabet suffice for an exact answer: if there is a counterexample at all, there is one where every wildcard of
the second path is a fresh name and every `//` of it skips at most as many fresh names as the first path has steps
plus one, so those publications are the only ones tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from hypothesis import strategies as st

from broker_sim.xpath import CHILD, DESCENDANT, WILDCARD, Path
from broker_sim.xpath.linear import linear_step, parse_linear

FRESH = "fresh"

Publication = tuple[str, ...]


def linear(text: str) -> Path:
    """The linear path that `text` writes."""
    path = parse_linear(text)
    assert path is not None, text
    return path


def matches(path: Path, publication: Publication) -> bool:
    """Whether the steps of `path` embed in `publication` from the root on; the rest is free."""
    return _embeds(path, 0, publication, 0)


def _embeds(path: Path, index: int, publication: Publication, position: int) -> bool:
    if index == len(path.steps):
        return True
    step = path.steps[index]
    last = len(publication) if step.axis == DESCENDANT else min(position + 1, len(publication))
    return any(
        step.name in (WILDCARD, publication[here]) and _embeds(path, index + 1, publication, here + 1)
        for here in range(position, last)
    )


def canonical_publications(path: Path, longest_skip: int) -> Iterator[Publication]:
    """The publications `path` just matches, with fresh names for `*` and up to `longest_skip` of them for each `//`."""
    skips = [range(longest_skip + 1) if step.axis == DESCENDANT else range(1) for step in path.steps]
    names = [FRESH if step.name == WILDCARD else step.name for step in path.steps]
    for counts in product(*skips):
        yield tuple(part for count, name in zip(counts, names, strict=True) for part in (*[FRESH] * count, name))


def referee_covers(first: Path, second: Path) -> bool:
    """Whether every publication that `second` matches is matched by `first`."""
    return all(matches(first, publication) for publication in canonical_publications(second, len(first.steps) + 1))


def all_publications(names: str, longest: int) -> Iterator[Publication]:
    """Every publication over `names` of at most `longest` elements."""
    for length in range(1, longest + 1):
        yield from product(names, repeat=length)


@st.composite
def linear_paths(draw: st.DrawFn, names: str = "abc*", longest: int = 5) -> Path:
    """A random linear path, rich in wildcards and `//`."""
    steps = st.builds(linear_step, st.sampled_from((CHILD, DESCENDANT)), st.sampled_from(names))
    return Path(tuple(draw(st.lists(steps, min_size=1, max_size=longest))))
