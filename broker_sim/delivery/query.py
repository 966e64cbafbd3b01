"""A FLWR query as a value.

Section 2 of "Query Processing for High-Volume XML Message Brokering" (VLDB 2003): a query is one FLWR expression inside
a constant element. It has a *binding path* (the for clause) with simple predicates at any step, *predicate paths* (the
where clause, all must hold) and *return paths* inside constant tags. Predicate and return paths start at the bound
element.

Two spellings are one value here: a where predicate on the bound element itself (`$b/@year > 1991`) is a simple
predicate of the last step of the binding path. Beyond the paper a predicate path may ask for existence alone, and a
return path may be the bound element itself (`{ $b }`), which is then a path of no steps.

A document yields groups exactly when it matches `Query.subscription`: the binding path with the predicate paths as
nested paths. That expression is what an overlay routes, covers and merges.
"""

from __future__ import annotations

from dataclasses import dataclass

from broker_sim.xpath import Branch, Path, Step, ValueTest

Steps = tuple[Step, ...]
Navigation = Steps
"""Steps without predicates."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A predicate path: some element at the end of `steps` passes every test."""

    steps: Navigation
    tests: tuple[ValueTest, ...]

    @property
    def branch(self) -> Branch:
        """The same condition as a nested path."""
        *above, last = self.steps
        return Branch((*above, Step(last.axis, last.name, tuple(sorted(self.tests, key=str)))))


@dataclass(frozen=True, slots=True)
class Template:
    """The constant text around return paths: part 0, path 0, part 1, path 1, ..., the last part."""

    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Query:
    """One query; `opening` and `closing` are the constant element around all groups, `template` is one group."""

    opening: str
    closing: str
    variable: str
    document: str
    binding: Steps
    conditions: tuple[Condition, ...]
    returns: tuple[Navigation, ...]
    template: Template

    @property
    def binding_path(self) -> Path:
        """The binding path with its simple predicates, as an expression of the subscription language."""
        return Path(self.binding)

    @property
    def subscription(self) -> Path:
        """The expression that a document matches exactly when the query has a result for it."""
        *above, last = self.binding
        branches = {condition.branch for condition in self.conditions}
        predicates = tuple(sorted({*last.predicates, *branches}, key=str))
        return Path((*above, Step(last.axis, last.name, predicates)))

    def __str__(self) -> str:
        """The query in one line; it parses back to an equal value."""
        bound = f"${self.variable}"
        where = " and ".join(_written(bound, condition) for condition in self.conditions)
        holes = ["{ " + bound + "".join(map(str, steps)) + " }" for steps in self.returns]
        group = "".join(part + hole for part, hole in zip(self.template.parts, [*holes, ""], strict=True))
        if not self.template.parts[0] and len(holes) == 1:
            group = holes[0][2:-2]
        clauses = (
            f"for {bound} in document({_quoted(self.document)}){Path(self.binding)}",
            *([f"where {where}"] if where else []),
            f"return {group}",
        )
        return f"{self.opening} {{ {' '.join(clauses)} }} {self.closing}"


def _quoted(text: str) -> str:
    return f'"{text}"' if '"' not in text else f"'{text}'"


def _written(bound: str, condition: Condition) -> str:
    """A condition as the where clause spells it: one comparison if that says all, else a path with brackets."""
    path = bound + "".join(map(str, condition.steps))
    if len(condition.tests) != 1 or condition.tests[0].operator is None:
        return path + "".join(f"[{test}]" for test in condition.tests)
    test = condition.tests[0]
    return f"{path}{str(test)[1:]}" if test.subject == "." else f"{path}/{test}"
