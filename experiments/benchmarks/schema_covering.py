"""How much smaller tables get when covering is relative to what is advertised.

Run it as `python experiments/benchmarks/schema_covering.py [--record] [SIZE ...]`; sizes are numbers of subscriptions
of each of 8 clients, on the tree of 127 brokers. Rows: entries of all PRTs and subscription messages without covering,
with exact covering, and with covering relative to the advertisements of each link.
"""

from __future__ import annotations

import time

from recording import Row, best_rows, options, report

from broker_sim.experiment import Experiment, run, summary_row
from broker_sim.experiment.spec import DocumentSpec, SchemaSpec, SubscriptionSpec
from broker_sim.workload import DocumentParameters, XPathParameters

SIZES = (100, 500)
DTDS = ("psd", "nitf", "bib")
STRATEGIES = ("with-adv-no-cov", "with-adv-with-cov", "with-adv-with-cov+schema-cov")


def measure(cell: tuple[str, float, int, int]) -> list[Row]:
    """One row: entries and messages under three strategies."""
    dtd, share, size, seed = cell
    begin = time.process_time()
    experiment = Experiment(
        name="schema-covering",
        seed=seed,
        strategies=STRATEGIES,
        topology="binary-127",
        schema=SchemaSpec(dtd=dtd, form="automaton"),
        subscriptions=SubscriptionSpec(
            placement="zipf",
            subscribers=8,
            theta=0.0,
            generate=XPathParameters(number=size, distinct=False, wildcard=share, descendant=share),
        ),
        documents=DocumentSpec(generate=DocumentParameters(number=20)),
    )
    rows = [summary_row(outcome) for outcome in run(experiment)]
    assert not any(row["missed"] or row["unwanted"] for row in rows)
    none, exact, aware = (int(row["prt_total"] or 0) for row in rows)
    return [
        {
            "DTD": dtd,
            "W = DO": share,
            "subscriptions": 8 * size,
            "PRT without": none,
            "exact": exact,
            "schema-aware": aware,
            "smaller by": f"{1 - aware / exact:.0%}",
            "sub messages exact": rows[1]["subscribe_messages"],
            "sub messages schema-aware": rows[2]["subscribe_messages"],
            "seconds": time.process_time() - begin,
        }
    ]


def main() -> None:
    chosen = options(__doc__ or "", SIZES)
    cells = [(dtd, share, size, chosen.seed) for dtd in DTDS for share in (0.05, 0.2) for size in chosen.sizes]
    notes = "Every run is checked against lxml. Of subscriptions that match the same publications, one is forwarded."
    rows = best_rows(measure, cells, chosen.repeat, "seconds")
    report("schema_covering", "Covering relative to the schema", notes, rows, chosen)


if __name__ == "__main__":
    main()
