"""A sweep's rows, run as far as they are missing: what a notebook asks for."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from broker_sim.experiment.aggregation import read_rows
from broker_sim.experiment.sweep.plan import Sweep, load_sweep
from broker_sim.experiment.sweep.runners import run_on_spark
from broker_sim.experiment.sweep.running import run_sweep
from broker_sim.experiment.sweep.store import LocalStore

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def default_folder(sweep: Sweep) -> str:
    """Where results go when nobody says: `results/NAME-PROFILE`."""
    return f"results/{'-'.join(filter(None, (sweep.name, sweep.profile)))}"


def swept(
    spark: SparkSession, path_or_name: str | Path, profile: str | None = None, overrides: Iterable[str] = ()
) -> DataFrame:
    """The rows of a sweep, from its default folder; cells that have none there are run first."""
    sweep = load_sweep(path_or_name, profile, overrides)
    store = LocalStore(Path(default_folder(sweep)))
    run_sweep(sweep, store, partial(run_on_spark, spark))
    return read_rows(spark, store.location)
