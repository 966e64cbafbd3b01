"""Small random advertisements of every kind."""

from __future__ import annotations

from hypothesis import strategies as st

from dtd_ads import AutomatonAdvertisement, Loop, PathAdvertisement
from dtd_ads.advertisement import WILDCARD, Part

NAMES = ("a", "b")
ELEMENTS = ("a", "b", "c")

labels = st.sampled_from((*NAMES, *NAMES, WILDCARD))


@st.composite
def path_advertisements(draw: st.DrawFn, most: int = 4, wildcards: bool = True) -> PathAdvertisement:
    """Up to `most` steps, with loops anywhere."""
    steps = st.lists(labels if wildcards else st.sampled_from(NAMES), min_size=1, max_size=most)
    return PathAdvertisement(draw(_with_loops(tuple(draw(steps)), 2)))


@st.composite
def _with_loops(draw: st.DrawFn, parts: tuple[Part, ...], nesting: int) -> tuple[Part, ...]:
    """The same steps in the same order, some runs of them in `( ... )+`."""
    written: list[Part] = []
    begin = 0
    while begin < len(parts):
        end = draw(st.integers(begin + 1, len(parts)))
        run = parts[begin:end]
        if nesting and draw(st.booleans()):
            written.append(Loop(draw(_with_loops(run, nesting - 1))))
        else:
            written.extend(run)
        begin = end
    return tuple(written)


@st.composite
def element_graphs(draw: st.DrawFn) -> AutomatonAdvertisement:
    """An element graph over three names, which may hold elements that no publication can pass."""
    children = st.lists(st.sampled_from(ELEMENTS), unique=True, max_size=3).map(tuple)
    edges = tuple((name, draw(children)) for name in ELEMENTS)
    ends = draw(st.frozensets(st.sampled_from(ELEMENTS)))
    return AutomatonAdvertisement("a", edges, ends, draw(st.none() | st.integers(1, 5)))


advertisements = path_advertisements() | element_graphs()


@st.composite
def advertising(draw: st.DrawFn, names: tuple[str, ...]) -> PathAdvertisement:
    """A path advertisement that matches the publication `names`, and others."""
    shown = tuple(draw(st.sampled_from((name, name, name, WILDCARD))) for name in names)
    return PathAdvertisement(draw(_with_loops(shown, 1)))
