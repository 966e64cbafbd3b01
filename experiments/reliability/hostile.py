"""Put every hostile input to the command line and sum up, by command: right answers, most time, most memory.

python -m experiments.reliability.hostile --record
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from pathlib import Path

from experiments.reliability.hostile_inputs import CASES, Case, written
from experiments.reliability.limited import Answer, Launcher, Limits, launcher
from experiments.reliability.recording import record_row


def right(case: Case, answer: Answer, new: set[str]) -> bool:
    """Whether the answer is the documented one."""
    said = re.search(case.says, answer.stderr) is not None and "Traceback" not in answer.stderr
    return answer.code == case.code and said and new == set(case.writes) and not (case.code and answer.stdout)


def _ask(launch: Launcher, case: Case) -> tuple[bool, Answer]:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "work"
        folder.mkdir()
        case.prepare(folder)
        before = written(folder)
        answer = launch(case.arguments, folder, Limits())
        return right(case, answer, written(folder) - before), answer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--record", action="store_true", help="keep the figures under results/")
    chosen = parser.parse_args()
    rows: dict[str, dict[str, str | int | float | None]] = {}
    with launcher() as launch:
        for case in CASES:
            good, answer = _ask(launch, case)
            if not good:
                print(f"wrong: {case.name}: exit code {answer.code}: {answer.stderr[-300:]}")
            command = case.arguments[0]
            row = rows.setdefault(
                command, {"command": command, "inputs": 0, "right": 0, "most CPU s": 0.0, "most MB": 0.0}
            )
            row["inputs"] = int(row["inputs"] or 0) + 1
            row["right"] = int(row["right"] or 0) + good
            row["most CPU s"] = max(float(row["most CPU s"] or 0), answer.cpu_seconds)
            row["most MB"] = max(float(row["most MB"] or 0), answer.memory / 1e6)
    for row in rows.values():
        print(row)
        if chosen.record:
            record_row("hostile", "Hostile inputs through the command line", "command", row)
    print(f"{sum(int(row['right'] or 0) for row in rows.values())}/{len(CASES)} right")
    sys.exit(0 if all(row["inputs"] == row["right"] for row in rows.values()) else 1)


if __name__ == "__main__":
    main()
