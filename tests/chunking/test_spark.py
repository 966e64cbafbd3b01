"""Chunks on Spark give the answers of chunks in this process, fragments included."""

from __future__ import annotations

from pyspark.sql import SparkSession

from broker_sim.chunking.execution import Spark
from broker_sim.chunking.scenarios import EJB, scenario_document, scenario_queries
from broker_sim.engines.chunked import Chunked


def test_spark(spark: SparkSession) -> None:
    text = scenario_document(EJB, seed=1, scale=0.1)
    engines = [Chunked(EJB.schema, 3, executor=executor) for executor in (None, Spark(spark.sparkContext.master))]
    for id, query in enumerate(scenario_queries(EJB, 40, seed=1)):
        for engine in engines:
            engine.add(id, query)
    expected, found = (
        {answer.chunk: (answer.ids, answer.fragments) for answer in engine.answers(text, fragments=True)}
        for engine in engines
    )
    assert len(expected) == 3
    assert found == expected
