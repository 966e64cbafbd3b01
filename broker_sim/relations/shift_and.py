"""Bit-parallel search of a segment in an advertisement, with wildcards on both sides.

Shift-And keeps a set of partial matches as bits and moves all of them with one shift. The bits here are the places of
the advertisement, not those of the segment, because an advertisement meets many subscriptions and its masks are
there already: after `j` names of the segment a bit stands at every place where those names can end. A name of the
segment keeps the places labelled so and the wildcards; a `*` keeps all. Nothing is carried over from a match to a
shifted one, so it is exact where the paper's search (see `kmp`) is not.

Cost: one shift and one `and` of n bits for each of the k names, k * n / 30 word operations.
"""

from __future__ import annotations

from broker_sim.xpath import WILDCARD
from dtd_ads.automaton import PositionAutomaton


def find(segment: tuple[str, ...], chain: PositionAutomaton, begin: int) -> int:
    """The earliest place in `chain` (one path, no loops), from `begin` on, where `segment` fits; -1 if none."""
    everywhere = chain.everywhere
    ends = everywhere >> begin << begin
    for name in segment:
        ends &= everywhere if name == WILDCARD else chain.by_name.get(name, chain.wildcards)
        if not ends:
            return -1
        ends <<= 1
    return (ends & -ends).bit_length() - 1 - len(segment)
