"""Measured studies as Markdown: counts and times, the paper's remarks beside them, then operators and their costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from broker_sim.delivery.benchmark import Row
from broker_sim.delivery.studies import Study


def study_table(study: Study, rows: Sequence[Row]) -> str:
    """One study."""
    lines = [
        f"## {study.name[0].upper()}{study.name[1:]}",
        "",
        f"{study.workload.dtd}, documents of {rows[0].elements:.0f} elements, MaxValue {study.max_value}.",
        "",
        "| approach | optimised by | sharing | Q | PP | RP | plans | paths | matches | documents | ms |",
        "|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        sizes = f"{row.queries:,} | {row.predicates} | {row.returns}"
        counts = f"{row.plans:,} | {row.paths:,} | {row.matches:,.0f} | {row.documents} | {row.milliseconds:,.1f}"
        lines.append(f"| {row.approach} | {row.optimise} | {'yes' if row.sharing else 'no'} | {sizes} | {counts} |")
    remarks = ["", "The paper:", "", *(f"- {remark}." for remark in study.paper)] if study.paper else []
    return "\n".join([*lines, *remarks, *_details(rows), ""])


def _details(rows: Sequence[Row]) -> Iterator[str]:
    profiled = [row for row in rows if row.costs]
    if profiled:
        yield from ("", "Costs (ms a document, under the profiler) and numbers of operators:", "")
    for row in profiled:
        costs = ", ".join(f"{kind} {cost:.1f}" for kind, cost in row.costs.items())
        operators = ", ".join(f"{number:,} {kind}" for kind, number in row.operators.items())
        sharing = " shared" if row.sharing else ""
        yield f"- {row.approach} {row.optimise}{sharing}, Q = {row.queries:,}: {costs}. Operators: {operators}."
