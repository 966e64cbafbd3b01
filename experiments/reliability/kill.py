"""Kill a writer at random moments, again and again, and look at what it left.

    python -m experiments.reliability.kill --kills 50 --record

Each subject is a process that writes results and is ended by SIGKILL somewhere between its first moment and its last.
After every kill, what is there must be whole: it equals what an undisturbed run writes, or is absent. Then the same
command goes on in the same place; when it comes to its end, all must be there, and a new place is begun.

A killed process may leave one hidden file, `.NAME.xxxxxxxx`, beside the place of the file that it was writing. No
reader looks at it; the table counts them.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from experiments.reliability.kill_subjects import PROJECT, SUBJECTS, Subject
from experiments.reliability.recording import record_row

LATER = 1.05
"""A kill that came before any result makes the next ones later: the machine may have become slower."""


@dataclass(slots=True)
class Tally:
    """How a campaign went."""

    kills: int = 0
    ended_first: int = 0
    between: int = 0
    """Kills that found some results there and others missing."""
    completed: int = 0
    broken: list[str] = field(default_factory=list)
    hidden: int = 0


def campaign(subject: Subject, kills: int, seed: int, scratch: Path) -> Tally:
    """Kill the subject so often; every check that fails is noted in `broken`."""
    chance, tally = random.Random(seed), Tally()
    span = subject.reference(scratch / "reference")
    place, number = scratch / "0", 0
    while tally.kills < kills:
        started = time.monotonic()
        killed = _start_and_kill(subject, place, chance.uniform(subject.startup * span, span))
        tally.kills += killed
        if not killed:
            tally.ended_first += 1
            span = time.monotonic() - started
        elif not subject.partial(place):
            span *= LATER
        _note(tally, subject.check(place, whole=not killed))
        tally.between += subject.partial(place)
        if not killed or chance.random() < 0.2:
            _note(tally, _finished(subject, place))
            tally.completed += 1
            tally.hidden += sum(1 for _ in place.rglob(".*"))
            number += 1
            place = scratch / str(number)
    return tally


def _start_and_kill(subject: Subject, place: Path, delay: float) -> bool:
    """Whether the process was still running when it was killed."""
    process = subprocess.Popen(subject.command(place), cwd=PROJECT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        process.wait(delay)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return True
    if process.returncode:
        assert process.stderr is not None
        raise RuntimeError(process.stderr.read().decode())
    process.communicate()
    return False


def _finished(subject: Subject, place: Path) -> str | None:
    """What is wrong after the same command has come to its end."""
    done = subprocess.run(subject.command(place), cwd=PROJECT, capture_output=True, text=True, check=False)
    return subject.check(place, whole=True) if done.returncode == 0 else done.stderr[-2_000:]


def _note(tally: Tally, problem: str | None) -> None:
    if problem is not None:
        tally.broken.append(problem)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("subjects", nargs="*", default=list(SUBJECTS), help=", ".join(SUBJECTS))
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--record", action="store_true", help="keep the figures under results/")
    chosen = parser.parse_args()
    failed = False
    for name in chosen.subjects:
        started = time.monotonic()
        with tempfile.TemporaryDirectory() as scratch:
            tally = campaign(SUBJECTS[name](), chosen.kills, chosen.seed, Path(scratch))
        row = {
            "subject": name,
            "kills": tally.kills,
            "ended before the kill": tally.ended_first,
            "kills amid results": tally.between,
            "resumed to the end": tally.completed,
            "corrupt, half-written or lost": len(tally.broken),
            "hidden files left": tally.hidden,
            "seconds": round(time.monotonic() - started),
        }
        print(row, flush=True)
        for problem in tally.broken[:5]:
            print(problem)
        failed = failed or bool(tally.broken)
        if chosen.record:
            record_row("kill", "SIGKILL at random moments", "subject", row)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
