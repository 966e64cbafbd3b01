"""Run `broker-sim` with bounds on time, memory and file size, and say what it did.

A server process imports every command once and then forks for each call, so that a hundred calls cost seconds. The
fork is a process of its own: its limits are set by `resource.setrlimit`, and what it used is what the kernel says
(`wait4`). Nothing is caught on the way: an exception that leaves `main` prints its traceback, and exit code 1.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).parents[2]
MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds of processor and of wall clock, bytes of address space beyond the server's, and bytes of one file."""

    cpu_seconds: int = 20
    wall_seconds: int = 120
    memory: int = 2048 * MEBIBYTE
    file_size: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call did: `code` is negative for a signal; `memory` is the growth of resident bytes over the server's."""

    code: int
    stdout: str
    stderr: str
    cpu_seconds: float
    memory: int


class Launcher:
    """Calls the command line in processes of its own, one at a time."""

    def __init__(self, server: subprocess.Popen[str]) -> None:
        self._server = server

    def __call__(self, arguments: Sequence[str], folder: Path, limits: Limits, stdout: str | None = None) -> Answer:
        """Run `broker-sim ARGUMENTS` in a folder; its output goes to the file `stdout`, if one is named."""
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        with tempfile.TemporaryDirectory() as scratch:
            out, err = stdout or f"{scratch}/stdout", f"{scratch}/stderr"
            request = {"arguments": list(arguments), "folder": str(folder), "out": out, "err": err, **asdict(limits)}
            self._server.stdin.write(json.dumps(request) + "\n")
            self._server.stdin.flush()
            reply = json.loads(self._server.stdout.readline())
            shown = "" if stdout else Path(out).read_text(encoding="utf-8", errors="replace")
            return Answer(stdout=shown, stderr=Path(err).read_text(encoding="utf-8", errors="replace"), **reply)


@contextmanager
def launcher() -> Iterator[Launcher]:
    """A launcher while the block lasts."""
    environment = {**os.environ, "PYTHONPATH": str(PROJECT), "COLUMNS": "120"}
    command = [sys.executable, "-m", "experiments.reliability.limited"]
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, text=True, env=environment, cwd=PROJECT, **pipes) as server:
        yield Launcher(server)
        assert server.stdin is not None
        server.stdin.close()


def serve() -> None:
    """Fork for every request on standard input and answer on standard output."""
    from broker_sim.cli import COMMANDS

    for name in COMMANDS:
        importlib.import_module(f"broker_sim.cli.{name}")
    importlib.import_module("broker_sim.engines.lazy_dfa")
    for line in sys.stdin:
        request = json.loads(line)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        child = os.fork()
        if child == 0:
            _call(request)
        _, status, usage = os.wait4(child, 0)
        grown = max(0, usage.ru_maxrss - before) * 1024
        code = os.waitstatus_to_exitcode(status)
        print(json.dumps({"code": code, "cpu_seconds": usage.ru_utime + usage.ru_stime, "memory": grown}), flush=True)


def _call(request: dict[str, Any]) -> None:
    """Be the command; never returns."""
    from broker_sim.cli import main

    code = 1
    try:
        _redirect(request["out"], request["err"])
        os.chdir(request["folder"])
        _limit(request)
        main.main(args=request["arguments"], prog_name="broker-sim")
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except OSError:
            code = 120
        os._exit(code)


def _address_space() -> int:
    """What the process has reserved already, libraries and all."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()


def _redirect(out: str, err: str) -> None:
    for number, name, mode in ((0, os.devnull, os.O_RDONLY), (1, out, os.O_WRONLY), (2, err, os.O_WRONLY)):
        handle = os.open(name, mode | (os.O_CREAT if number else 0))
        os.dup2(handle, number)
        os.close(handle)


def _limit(request: dict[str, Any]) -> None:
    bounds = {
        resource.RLIMIT_CPU: request["cpu_seconds"],
        resource.RLIMIT_AS: _address_space() + request["memory"],
        resource.RLIMIT_FSIZE: request["file_size"],
        resource.RLIMIT_CORE: 0,
    }
    for what, bound in bounds.items():
        if bound is not None:
            resource.setrlimit(what, (bound, bound))
    signal.alarm(request["wall_seconds"])


if __name__ == "__main__":
    serve()
