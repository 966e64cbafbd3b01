"""A PostgreSQL server of our own: from the machine's binaries or a Python package, in a temporary directory.

PostgreSQL refuses to run as root; then the server runs as `nobody`. It listens on a Unix socket only.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

USER = "tester"


def binaries() -> Path | None:
    """The folder with initdb and postgres, or None."""
    places = [Path(found).resolve().parent for found in [shutil.which("initdb")] if found]
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    package = importlib.util.find_spec("pgserver")
    if package is not None and package.origin is not None:
        places.append(Path(package.origin).parent / "pginstall" / "bin")
    complete = (place for place in places if (place / "initdb").exists() and (place / "postgres").exists())
    return next(complete, None)


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """A running server; its connection string."""
    person = "nobody" if os.geteuid() == 0 else None
    home = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
    if person is not None:
        shutil.chown(home, person)
    data = home / "data"
    try:
        _run([folder / "initdb", "-D", data, "-U", USER, "-E", "UTF8", "--no-sync", "-A", "trust"], person)
        settings = [
            "-F",
            "-c",
            "listen_addresses=",
            "-c",
            f"unix_socket_directories={home}",
            "-c",
            "max_connections=20",
        ]
        process = subprocess.Popen(
            [str(folder / "postgres"), "-D", str(data), *settings],
            user=person,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=home,
        )
        try:
            yield f"host={home} user={USER} dbname=postgres"
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(30)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _run(command: list[str | Path], person: str | None) -> None:
    done = subprocess.run(list(map(str, command)), user=person, capture_output=True, text=True, cwd="/tmp")
    assert done.returncode == 0, done.stderr
