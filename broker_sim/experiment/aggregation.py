"""Sweep results on Spark: read back, averaged over seeds with confidence intervals, compared with a baseline.

A folder may hold rows of older plans or code; what is read is what the sweep that ran last there planned. Means are
over the rows of a group, which differ by their seed; their interval is Student's. Savings are paired: each row is held
against the baseline's row of the same group and seed, so that what differs between seeds does not hide what a strategy
does.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from broker_sim.errors import ConfigurationError
from broker_sim.experiment.confidence import t_quantile
from broker_sim.spark.location import to_read

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

SEED = "seed"


def read_rows(spark: SparkSession, where: str | os.PathLike[str]) -> DataFrame:
    """The rows of the sweep that ran last with this folder or URL."""
    return _read(spark, where, "rows")


def read_errors(spark: SparkSession, where: str | os.PathLike[str]) -> DataFrame:
    """Its error rows; a `ConfigurationError` if there are none at all."""
    return _read(spark, where, "errors")


def _read(spark: SparkSession, where: str | os.PathLike[str], table: str) -> DataFrame:
    from pyspark.errors import AnalysisException
    from pyspark.sql import functions as f

    place = to_read(where)
    try:
        rows = spark.read.option("mergeSchema", "true").parquet(f"{place}/{table}")
        plan = spark.read.json(f"{place}/plan.json")
    except AnalysisException as error:
        raise ConfigurationError(f"there are no {table} of a sweep", source=str(where)) from error
    return rows.join(plan.select(f.explode("cells").alias("cell")), "cell", "left_semi")


def means(rows: DataFrame, by: Sequence[str], of: Sequence[str], confidence: float = 0.95) -> DataFrame:
    """For each group, `n` and for each column of `of` its mean, `NAME_low` and `NAME_high`.

    The bounds are null where a group has a single value.
    """
    from pyspark.sql import functions as f

    aggregates = [f.count(f.lit(1)).alias("n")]
    for name in of:
        spread, number = f.stddev_samp(name).alias(f"{name}_dev"), f.count(name).alias(f"{name}_n")
        aggregates += [f.avg(name).alias(name), spread, number]
    groups = rows.groupBy(*by).agg(*aggregates)
    largest = groups.agg(f.max("n")).first()
    factor = _factors(largest[0] if largest and largest[0] else 0, confidence)
    chosen: list[Column] = [*map(f.col, by), f.col("n")]
    for name in of:
        margin = factor[f.col(f"{name}_n")] * f.col(f"{name}_dev") / f.sqrt(f"{name}_n")
        low, high = (f.col(name) - margin).alias(f"{name}_low"), (f.col(name) + margin).alias(f"{name}_high")
        chosen += [f.col(name), low, high]
    return groups.select(*chosen).orderBy(*by)


def _factors(largest: int, confidence: float) -> Column:
    """Student's t by the number of values, from 2 on."""
    from pyspark.sql import functions as f

    entries: list[Column] = []
    for number in range(2, max(2, largest) + 1):
        entries += [f.lit(number).cast("long"), f.lit(t_quantile(confidence, number - 1))]
    return f.create_map(*entries)


def savings(
    rows: DataFrame,
    by: Sequence[str],
    of: str,
    baseline: str = "no-adv-no-cov",
    *,
    among: str = "strategy",
    confidence: float = 0.95,
) -> DataFrame:
    """For each group and strategy, the mean share `saved` of a column against the baseline strategy, with its bounds.

    A saving of 0.25 means a quarter less than the baseline; a negative one means more.
    """
    from pyspark.sql import functions as f

    shared = [*by, SEED]
    base = rows.where(f.col(among) == baseline).select(*shared, f.col(of).alias("_baseline"))
    saved = f.when(f.col("_baseline") != 0, 1 - f.col(of) / f.col("_baseline"))
    paired = rows.join(base, shared).withColumn("saved", saved)
    return means(paired, [*by, among], ["saved"], confidence)
