"""Does one expression match whatever another matches? `covers(s1, s2)`: P(s1) contains P(s2).

For linear paths the answer is exact: it is an embedding (see `embedding`). The router paper (section 5, its rules and
algorithms for absolute, relative and descendant XPEs) holds that an absolute expression never covers a relative one
and that a sub-XPE cannot span a `//`; neither is so (`/*` covers everything), and we are exact instead.

Tree patterns are decided by `pattern_covering`. A disjunction is covered if each of its paths is covered by one path of
the other; that is sound, and exact as long as no path is covered only by several others together.

With a schema, only publications of its documents count: walks from the root to an element that may end. More holds then
(`/a//c` covers `//c` if the root is `a`). It is exact for linear expressions, see `schema_covering`; for tree patterns
we answer as without the schema, which is sound.
"""

from __future__ import annotations

from functools import lru_cache

from broker_sim.relations.embedding import Pattern, Target, embeds, pattern_of, target_of
from broker_sim.relations.pattern_covering import pattern_covers
from broker_sim.relations.schema_covering import schema_covers
from broker_sim.xpath import Expression, Path
from dtd_ads import Schema


def covers(first: Expression, second: Expression, schema: Schema | None = None) -> bool:
    """Whether every document (publication, for linear paths) that `second` matches is matched by `first`."""
    if schema is not None and first.is_linear and second.is_linear:
        return schema_covers(first.disjuncts, second.disjuncts, schema)
    return all(any(path_covers(path, covered) for path in first.disjuncts) for covered in second.disjuncts)


def path_covers(first: Path, second: Path) -> bool:
    """`covers` for two paths."""
    if first is second:
        return True
    if first.is_linear and second.is_linear:
        return embeds(_pattern(first), _target(second))
    return pattern_covers(first, second)


@lru_cache(maxsize=1 << 16)
def _pattern(path: Path) -> Pattern:
    return pattern_of(path)


@lru_cache(maxsize=1 << 16)
def _target(path: Path) -> Target:
    return target_of(path)
