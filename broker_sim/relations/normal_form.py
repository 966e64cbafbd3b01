"""The normal form of linear paths: equal expressions in different spelling become one value.

A run of `*` with a `//` before, inside or directly after it only asks for a distance: `/a/*//b`, `/a//*/b` and
`/a//*//b` all say "b at least two levels below a". So does a run at the end, for the rest of a publication is free:
`/a/*` and `/a//*` both say "something below a", and `/*` is `//*`, everything. Such a run is *loose*. The normal form
writes the `//` of a loose run once, in front, and `/` elsewhere. A run that has only `/` around it and a name behind
it is *rigid*, and stays. Two linear paths match the same publications exactly if their normal forms are equal.

The router paper does not normalise, and so misses coverings (its own example `/*/a//*/c` over `/a/a/*//c/b/d`).
One pass over the steps; the steps are the interned ones.
"""

from __future__ import annotations

from broker_sim.xpath import CHILD, DESCENDANT, WILDCARD, Path, Step
from broker_sim.xpath.linear import linear_step


def normal_form(path: Path) -> Path:
    """The spelling that `path`, a linear one, shares with all its equals."""
    if not path.is_linear:
        raise ValueError(f"expected a linear path, got {path}")
    steps = path.steps
    written: list[Step] = []
    at = 0
    while at < len(steps):
        end = run_end(steps, at)
        if is_loose(steps, at, end):
            written.append(linear_step(DESCENDANT, steps[at].name))
            written += [linear_step(CHILD, step.name) for step in steps[at + 1 : end + 1]]
        else:
            written += [linear_step(step.axis, step.name) for step in steps[at : end + 1]]
        at = end + 1
    return Path(tuple(written))


def run_end(steps: tuple[Step, ...], at: int) -> int:
    """The index just behind the run of `*` steps that starts at `at`; `at` itself if a name stands there."""
    while at < len(steps) and steps[at].name == WILDCARD:
        at += 1
    return at


def is_loose(steps: tuple[Step, ...], at: int, end: int) -> bool:
    """Whether the run of `*` in `steps[at:end]` and the step behind it only ask for a distance.

    An empty run is loose if the step behind it is reached by `//`.
    """
    return end == len(steps) or any(step.axis == DESCENDANT for step in steps[at : end + 1])
