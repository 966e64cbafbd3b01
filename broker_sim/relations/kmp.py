"""Knuth-Morris-Pratt search of a segment in an advertisement, both without wildcards (router paper, Alg. 2 and 3).

The paper runs the same search with wildcards, comparing by "equal, or either is `*`". That is wrong. The `next` table
concludes from what the segment matched, and from how it matches itself, what the shifted segment matches. That needs
"matches" to be transitive, and with `*` it is not: `a` matches `*` and `*` matches `b`, but `a` does not match `b`.

- It misses: `a/b/a` occurs in `/a/*/b/a` (from the second step on, with `a` for the `*`). The search first lays
  `a/b` over `a/*`, fails at the third step, and `next` moves the segment past the place where the `*` had to be an `a`.
  A miss loses documents.
- It invents: `a/*/b` does not occur in `/*/b/c/b`. The search lays `a/*` over `*/b` and fails at `c`; `next` then
  trusts that `b`, which the segment's `*` had matched, matches the segment's `a`, and ends with `a/*/b` over `b/c/b`.

So this module is for names only, where it is exact; `shift_and` does the rest. Cost: linear in both lengths; the tables
of the last 4,096 segments are kept.
"""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=1 << 12)
def next_table(segment: tuple[str, ...]) -> tuple[int, ...]:
    """`next[j]`: how many names of `segment` may still fit before name `j` when that one does not; -1 for the first."""
    table = [-1]
    fitting = -1
    for name in segment[:-1]:
        while fitting >= 0 and segment[fitting] != name:
            fitting = table[fitting]
        fitting += 1
        table.append(fitting)
    return tuple(table)


def find(segment: tuple[str, ...], names: tuple[str, ...], begin: int) -> int:
    """The earliest place in `names`, from `begin` on, where `segment` stands; -1 if there is none."""
    table = next_table(segment)
    fitting = 0
    for place in range(begin, len(names)):
        while fitting >= 0 and segment[fitting] != names[place]:
            fitting = table[fitting]
        fitting += 1
        if fitting == len(segment):
            return place - fitting + 1
    return -1
