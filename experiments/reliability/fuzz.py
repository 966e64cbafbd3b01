"""Fuzz the readers: XPath, FLWR, DTD, GraphML, TOML.

    python -m experiments.reliability.fuzz xpath --seconds 600 --record

Whatever the bytes, a reader may return a value or raise an `InputError`. Anything else is a finding, and so is a value
whose text does not read back as the same value, and a second and more of processor time. Findings do not stop the run:
the first input for each (exception, place) is kept in the folder that is printed.

With atheris installed (pip install atheris), inputs are guided by the coverage of our own modules. Without it, they
are random mutations of the seeds, which reach less; the report says which it was.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from experiments.reliability.fuzz_targets import TARGETS, Target
from experiments.reliability.recording import record_row

MAX_LENGTH = 4_096
SLOW = 1.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("target", choices=list(TARGETS))
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--record", action="store_true", help="keep the figures under results/")
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.inside is not None:
        _fuzz(chosen.target, chosen.inside, chosen.seconds, chosen.seed)
    else:
        sys.exit(_campaign(chosen))


def _campaign(chosen: argparse.Namespace) -> int:
    """Fuzz in a process of its own and report; returns 1 if there are findings."""
    folder = Path(tempfile.mkdtemp(prefix=f"fuzz-{chosen.target}-"))
    words = [chosen.target, "--seconds", str(chosen.seconds), "--seed", str(chosen.seed), "--inside", str(folder)]
    command = [sys.executable, "-m", "experiments.reliability.fuzz", *words]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    ended = re.search(r"Done (\d+) runs in (\d+) second", done.stdout)
    findings = sorted((folder / "findings").iterdir())
    coverage = re.findall(r"cov: (\d+)", done.stdout)
    row = {
        "reader": chosen.target,
        "by": "atheris" if find_spec("atheris") is not None else "random mutation",
        "seconds": int(ended[2]) if ended else None,
        "inputs": int(ended[1]) if ended else None,
        "edges reached": int(coverage[-1]) if coverage else None,
        "findings": len(findings) + (ended is None),
    }
    print(row)
    print(f"inputs and findings: {folder}" if findings or ended else done.stdout[-5_000:])
    for finding in findings:
        print(finding.read_text(encoding="utf-8", errors="replace") if finding.suffix == ".txt" else finding)
    if chosen.record:
        record_row("fuzz", "Fuzzing the readers", "reader", row)
    return 1 if row["findings"] else 0


def _fuzz(name: str, folder: Path, seconds: int, seed: int) -> None:
    target = TARGETS[name]
    corpus = folder / "corpus"
    for made in (corpus, folder / "findings"):
        made.mkdir()
    for number, content in enumerate(target.seeds()):
        (corpus / f"seed-{number}").write_bytes(content[:MAX_LENGTH])
    os.chdir(folder)
    if find_spec("atheris") is not None:
        _by_coverage(target, folder, seconds, seed)
    else:
        _by_mutation(target, folder, seconds, seed)


def _by_coverage(target: Target, folder: Path, seconds: int, seed: int) -> None:
    import atheris

    with atheris.instrument_imports(include=["broker_sim", "dtd_ads", "tomllib"]):
        read = target.reader()
    words = folder / "words"
    words.write_text("".join(f'"{_dictionary(word)}"\n' for word in target.words))
    arguments = [f"-max_total_time={seconds}", f"-seed={seed}", f"-max_len={MAX_LENGTH}", f"-dict={words}"]
    atheris.Setup([sys.argv[0], *arguments, "-timeout=60", str(folder / "corpus")], _checked(read, folder))
    atheris.Fuzz()


def _by_mutation(target: Target, folder: Path, seconds: int, seed: int) -> None:
    check, seeds = _checked(target.reader(), folder), target.seeds()
    chance = random.Random(seed)
    started, runs = time.monotonic(), 0
    while time.monotonic() - started < seconds:
        check(mutated(chance, seeds, target.words))
        runs += 1
    print(f"Done {runs} runs in {seconds} second(s)")


def mutated(chance: random.Random, seeds: list[bytes], words: tuple[str, ...]) -> bytes:
    """A seed with a few bytes changed, left out, doubled, or replaced by words of the language."""
    data = bytearray(chance.choice(seeds)[:MAX_LENGTH])
    for _ in range(chance.randint(1, 8)):
        at, length = chance.randint(0, len(data)), chance.randint(1, 8)
        kind = chance.randrange(4)
        if kind == 0:
            data[at : at + length] = chance.randbytes(length)
        elif kind == 1:
            del data[at : at + length]
        elif kind == 2:
            data[at:at] = data[at : at + length] * chance.randint(1, 20)
        else:
            data[at : at + chance.randrange(2)] = chance.choice(words).encode()
    return bytes(data[:MAX_LENGTH])


def _checked(read: Callable[[bytes], None], folder: Path) -> Callable[[bytes], None]:
    """`read`, with what goes wrong kept in the folder."""
    known: set[str] = set()

    def keep(place: str, data: bytes, text: str) -> None:
        if place not in known:
            known.add(place)
            (folder / "findings" / f"{len(known)}.input").write_bytes(data)
            (folder / "findings" / f"{len(known)}.txt").write_text(f"{place}\n{text}")

    def check(data: bytes) -> None:
        started = time.process_time()
        try:
            read(bytes(data))
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            keep(f"{type(error).__name__} at {last.filename}:{last.lineno}", data, traceback.format_exc())
        if time.process_time() - started > SLOW:
            keep("slow", data, f"{time.process_time() - started:.1f} s")

    return check


def _dictionary(word: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in word.encode())


if __name__ == "__main__":
    main()
