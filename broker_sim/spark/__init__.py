"""Spark, as everything here that needs it gets it: one quiet session per process, with a Java it can run on."""

from broker_sim.spark.session import spark_session

__all__ = ["spark_session"]
