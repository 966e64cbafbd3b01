"""What all tests share.

Hypothesis profiles: `default` for every run, `campaign` (HYPOTHESIS_PROFILE=campaign) for long ones. `spark`: the one
Spark session of a test process, started by the first test that asks for it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_common = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large]}
settings.register_profile("default", max_examples=100, **_common)
settings.register_profile("campaign", max_examples=5_000, **_common)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(scope="session")
def spark() -> SparkSession:
    from broker_sim.spark import spark_session

    return spark_session("local[2]", config={"spark.sql.shuffle.partitions": "1"})
