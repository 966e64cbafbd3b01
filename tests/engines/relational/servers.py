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
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

USER = "tester"
PATIENCE = 60


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
    home = Path(tempfile.mkdtemp(prefix="pg-"))
    if person is not None:
        shutil.chown(home, person)
    data = home / "data"
    try:
        _run([folder / "initdb", "-D", data, "-U", USER, "-E", "UTF8", "--no-sync", "-A", "trust"], home, person)
        settings = ["-F", "-c", "listen_addresses=", "-c", f"unix_socket_directories={home}"]
        process = subprocess.Popen(
            [str(folder / "postgres"), "-D", str(data), *settings],
            user=person,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=home,
        )
        try:
            location = f"host={home} user={USER} dbname=postgres"
            _wait_for(location, process)
            yield location
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(PATIENCE)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _run(command: list[str | Path], home: Path, person: str | None) -> None:
    done = subprocess.run(list(map(str, command)), user=person, capture_output=True, text=True, cwd=home)
    assert done.returncode == 0, done.stderr


def _wait_for(location: str, process: subprocess.Popen[bytes]) -> None:
    import psycopg

    end = time.monotonic() + PATIENCE
    while True:
        try:
            psycopg.connect(location).close()
        except psycopg.OperationalError:
            assert process.poll() is None, "the server ended"
            assert time.monotonic() < end, "the server does not answer"
            time.sleep(0.05)
        else:
            return
