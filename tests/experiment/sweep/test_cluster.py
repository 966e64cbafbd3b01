"""A standalone cluster on the loopback address, and spark-submit with the wheel as a zip file."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow.parquet as pq
import pyspark
import pytest

from broker_sim.spark.java import find_java, java_home_for_spark

PROJECT = Path(__file__).parents[3]
SPARK = Path(pyspark.__file__).parent
PATIENCE = 240
OTHER_VERSION = "9.9.9"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    home = tmp_path / "java"
    home.mkdir()
    return {
        **{key: value for key, value in os.environ.items() if key != "PYTHONPATH"},
        "JAVA_HOME": str(java_home_for_spark(find_java(os.environ), home)),
        "SPARK_HOME": str(SPARK),
        "SPARK_CONF_DIR": str(PROJECT / "broker_sim" / "spark" / "conf"),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
    }


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def wait_for(port: int) -> None:
    patient_until = time.monotonic() + PATIENCE
    while time.monotonic() < patient_until:
        with socket.socket() as client:
            if client.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    pytest.fail(f"nothing listens on port {port}")


@contextmanager
def process(environment: dict[str, str], *arguments: str) -> Iterator[None]:
    """One of Spark's own processes, ended with the block."""
    command = [str(SPARK / "bin" / "spark-class"), *arguments, "--webui-port", "0"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as running:
        try:
            yield
        finally:
            running.terminate()


@contextmanager
def cluster(environment: dict[str, str], folder: Path) -> Iterator[str]:
    """A master and one worker with two cores."""
    port = free_port()
    master = f"spark://127.0.0.1:{port}"
    where = ("--host", "127.0.0.1")
    deploy = "org.apache.spark.deploy"
    resources = ("--cores", "2", "--memory", "1g", "--work-dir", str(folder / "work"))
    with process(environment, f"{deploy}.master.Master", *where, "--port", str(port)):
        wait_for(port)
        with process(environment, f"{deploy}.worker.Worker", *where, *resources, master):
            yield master


def wheel_as_zip(folder: Path) -> Path:
    """The project's wheel, with a version that no installation has."""
    copy = folder / "copy"
    for name in ("dtd_ads", "broker_sim", "topologies", "experiments"):
        shutil.copytree(PROJECT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(PROJECT / name, copy)
    package = copy / "broker_sim" / "__init__.py"
    package.write_text(f'{package.read_text()}\n__version__ = "{OTHER_VERSION}"\n')
    version = copy / "pyproject.toml"
    version.write_text(
        version.read_text()
        .replace('dynamic = ["version"]', f'version = "{OTHER_VERSION}"')
        .replace('[tool.hatch.version]\npath = "broker_sim/__init__.py"\n', "")
    )
    # The environment has what the build needs. (The variable sets whether to isolate, whatever its name says.)
    environment = {**os.environ, "PIP_NO_BUILD_ISOLATION": "false"}
    build = shown("pip").replace("pip", f"{shlex.quote(sys.executable)} -m pip --quiet", 1)
    subprocess.run(["bash", "-c", build], cwd=copy, env=environment, check=True)
    return copy / "broker_sim.zip"


def shown(program: str) -> str:
    """The command that the README shows."""
    found = re.search(rf"^\$ ({program} .*)$", (PROJECT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None
    return found[1]


def test_spark_submit_on_a_cluster_with_the_wheel(environment: dict[str, str], tmp_path: Path) -> None:
    archive = wheel_as_zip(tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with cluster(environment, tmp_path) as master:
        places = {
            "spark-submit": str(SPARK / "bin" / "spark-submit"),
            "spark://host:7077": master,
            "broker_sim.zip": str(archive),
            "experiments/sweep.py": str(PROJECT / "experiments" / "sweep.py"),
        }
        program, *words = (places.get(word, word) for word in shlex.split(shown("spark-submit")))
        command = [
            program,
            "--conf",
            "spark.executor.memory=512m",
            "--conf",
            "spark.ui.enabled=false",
            *words,
            "--json",
        ]
        command += ["--set", "axes.size=[8]", "--set", 'axes.strategy=["with-adv-with-cov"]', "--set", "seeds=1"]
        done = subprocess.run(command, cwd=elsewhere, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    totals = json.loads(done.stdout.splitlines()[-1])
    assert (totals["cells"], totals["done"], totals["failed"]) == (5, 5, 0)
    rows = pq.read_table(elsewhere / "results" / "traffic" / "rows").to_pylist()
    assert {row["code_version"].partition("+")[0] for row in rows} == {OTHER_VERSION}
    assert {row["family"]: row["missed"] for row in rows}.keys() >= {"line", "star", "watts-strogatz"}
