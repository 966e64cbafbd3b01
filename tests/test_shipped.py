"""Shipped files are found in a checkout, and beside the modules as a wheel installs them."""

import shutil
import subprocess
import sys
from pathlib import Path

import broker_sim
from broker_sim.shipped import shipped


def test_in_a_checkout() -> None:
    assert (shipped("topologies") / "paper-8.graphml").is_file()
    assert shipped("experiments").is_dir()


def test_as_a_wheel_lays_them_out(tmp_path: Path) -> None:
    package = Path(broker_sim.__file__).parent
    installed = tmp_path / "site"
    shutil.copytree(package, installed / "broker_sim", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(package.parent / "dtd_ads", installed / "dtd_ads", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(shipped("topologies"), installed / "broker_sim" / "topologies")
    program = "import broker_sim.network as n; print(n.__file__, len(n.load_topology('paper-8').brokers))"
    found = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={"PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
    )
    assert found.stdout.split() == [str(installed / "broker_sim" / "network" / "__init__.py"), "8"], found.stderr
