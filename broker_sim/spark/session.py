"""The Spark session of this process.

`spark_session()` starts Spark inside this machine (`local[*]`: one thread per core) or joins the cluster that `master`
names, and says nothing but errors. It costs five to seven seconds the first time and nothing after that: a process has
one session. Heavy imports happen inside the call, so that commands that do not use Spark stay instant.

What a start needs is set for the start alone and the environment is put back after it:

- `PYSPARK_PYTHON`: this interpreter, or the workers would run whatever `python3` is on the path;
- `PYTHONPATH`: first the folder of this package, for local masters, or the workers might import another copy of it;
- `JAVA_HOME`: see `java`;
- `SPARK_CONF_DIR`: our `conf/`, so that only errors are logged, unless the user has one;
- `SPARK_LOCAL_IP`: the loopback address, for local masters: nothing listens to the network, no host name is looked up.

Under `spark-submit` the JVM runs already and the master was chosen there: pass `master=None` to take it as it is.
"""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Final

from broker_sim.errors import ConfigurationError
from broker_sim.spark.java import find_java, java_home_for_spark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LOCAL: Final = "local"
MASTERS: Final = (LOCAL, "spark://", "k8s://", "yarn")
QUIET: Final = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}


def spark_session(
    master: str | None = "local[*]", app_name: str = "broker-sim", config: Mapping[str, str] | None = None
) -> SparkSession:
    """The session of this process, started if need be; `config` adds Spark options or overrides ours."""
    from pyspark.sql import SparkSession

    if master is not None and not master.startswith(MASTERS):
        raise ConfigurationError(
            f"expected a Spark master that begins with one of {', '.join(MASTERS)}, not {master!r}"
        )
    if SparkSession.getActiveSession() is not None:
        running = SparkSession.Builder().getOrCreate()  # The active one may be a session made from this one.
        _configure(running, config or {})
        return _on(master, running)
    builder = SparkSession.Builder().appName(app_name)
    if master is not None:
        builder = builder.master(master)
    for key, value in {**QUIET, **(config or {})}.items():
        builder = builder.config(key, value)
    with _environment(master):
        return _on(master, _started(builder))


def _on(master: str | None, session: SparkSession) -> SparkSession:
    """The session, if it runs where it should: one that this process has already may run elsewhere."""
    where = session.sparkContext.master
    if master is None or where == master:
        return session
    raise ConfigurationError(f"Spark runs on {where} in this process and cannot also run on {master}: stop it first")


def _configure(running: SparkSession, config: Mapping[str, str]) -> None:
    from pyspark.errors import PySparkException

    for key, value in config.items():
        try:
            if running.conf.get(key, None) != value:
                running.conf.set(key, value)
        except PySparkException as error:
            raise ConfigurationError(f"{key} can only be set before Spark starts, and it runs already") from error


def _started(builder: SparkSession.Builder) -> SparkSession:
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        return builder.getOrCreate()
    except (PySparkException, Py4JError) as error:
        raise ConfigurationError(f"Spark does not start: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    """The innermost cause that the JVM or PySpark names, on one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    named = [line for line in lines if "Exception: " in line]
    return (named or lines or [type(error).__name__])[0].removeprefix(": ")


@contextmanager
def _environment(master: str | None) -> Iterator[None]:
    """The environment variables of a start, while the block runs."""
    before = dict(os.environ)
    os.environ.update(_settings(master, before))
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _settings(master: str | None, environment: Mapping[str, str]) -> dict[str, str]:
    settings = {}
    if "PYSPARK_GATEWAY_PORT" not in environment:
        settings["JAVA_HOME"] = str(_java_home(environment))
        settings["SPARK_CONF_DIR"] = str(files("broker_sim.spark") / "conf")
        settings["PYSPARK_PYTHON"] = sys.executable
        if master is not None and master.startswith(LOCAL):
            settings["SPARK_LOCAL_IP"] = "127.0.0.1"
            package_home = str(Path(str(files("broker_sim"))).parent)
            settings["PYTHONPATH"] = os.pathsep.join(filter(None, (package_home, environment.get("PYTHONPATH"))))
    own_choice = {"SPARK_CONF_DIR", "SPARK_LOCAL_IP", "PYSPARK_PYTHON"} & environment.keys()
    return {key: value for key, value in settings.items() if key not in own_choice}


def _java_home(environment: Mapping[str, str]) -> Path:
    folder = Path(mkdtemp(prefix="broker-sim-java-"))
    atexit.register(rmtree, folder, ignore_errors=True)
    return java_home_for_spark(find_java(environment), folder)
