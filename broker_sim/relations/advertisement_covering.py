"""Covering between advertisements: does the first match every publication that the second does?

An advertisement that another one from the same direction covers need not be forwarded. Unlike a subscription it matches
publications of exactly its length, so two paths without loops are compared place by place and must be equally long.

Everything else is inclusion of position automata. Walk through the second one position at a time, and keep beside it
the set of positions that the first can stand at after the same names (the subset construction, made on the fly). The
first covers if that set holds an end whenever the second is at one. A wildcard of the second stands for all names, of
which only a fresh one, that neither side mentions, must be tried: it fits the wildcards of the first alone, so any
other name leaves the first at least the same positions, and more positions accept more.

Cost: for deterministic automata at most the product of the two. In general subsets may be exponential, so after
`MAX_STATES` pairs the answer is False. That is safe: an advertisement is then forwarded that need not be.
"""

from __future__ import annotations

from typing import Final

from dtd_ads.advertisement import WILDCARD
from dtd_ads.automaton import Advertised, PositionAutomaton, automaton_of
from dtd_ads.positions import positions_in

MAX_STATES: Final = 20_000


def advertisement_covers(first: Advertised, second: Advertised) -> bool:
    """Whether every publication of `second` is one of `first`; False also where that takes too long to see."""
    covering, covered = automaton_of(first), automaton_of(second)
    if covering.is_chain and covered.is_chain:
        return _chain_covers(covering.labels, covered.labels)
    return _includes(covering, covered)


def _chain_covers(first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    return len(first) == len(second) and all(one in (WILDCARD, other) for one, other in zip(first, second, strict=True))


def _includes(first: PositionAutomaton, second: PositionAutomaton) -> bool:
    pairs = [
        (position, _fitting(first, first.start, second.labels[position])) for position in positions_in(second.start)
    ]
    seen = set(pairs)
    while pairs:
        position, mask = pairs.pop()
        if not mask or (second.accept >> position & 1 and not mask & first.accept) or len(seen) > MAX_STATES:
            return False
        below = first.forward.step(mask)
        for target in positions_in(second.successors[position]):
            pair = target, _fitting(first, below, second.labels[target])
            if pair not in seen:
                seen.add(pair)
                pairs.append(pair)
    return True


def _fitting(automaton: PositionAutomaton, mask: int, label: str) -> int:
    """The positions of `mask` that the name `label` fits; `*` stands for a fresh name."""
    return mask & automaton.by_name.get(label, automaton.wildcards)
