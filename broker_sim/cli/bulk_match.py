"""`broker-sim match --spark`: many documents at once, rows to Parquet."""

from __future__ import annotations

import json
from collections.abc import Mapping

import click

from broker_sim.experiment.bulk import EngineChoice, match_documents, read_documents
from broker_sim.spark import spark_session

SHOWN_ERRORS = 5


def bulk_match(
    documents: str,
    subscriptions: Mapping[int, str],
    out: str,
    *,
    master: str,
    engine: EngineChoice,
    as_json: bool,
) -> int:
    """Match subscriptions that the engine is known to take, and say how it went; returns the exit code."""
    spark = spark_session(master, "match")
    table = read_documents(spark, documents)
    result = match_documents(spark, table, subscriptions, out, engine, tried=True)
    if as_json:
        counts = {"documents": result.documents, "matches": result.matches, "errors": len(result.errors), "out": out}
        click.echo(json.dumps(counts))
    else:
        click.echo(f"{result.documents:,} documents, {result.matches:,} matches. The rows are in {out}")
    for error in list(result.errors.values())[:SHOWN_ERRORS]:
        click.echo(f"error: {error}", err=True)
    if len(result.errors) > SHOWN_ERRORS:
        click.echo(f"error: and {len(result.errors) - SHOWN_ERRORS:,} more documents", err=True)
    return 2 if result.errors else 0
