"""Files of cases: pairs with the answer that someone else holds to be right.

A file has one JSON object a line, in UTF-8; blank lines are skipped. An object with the keys `advertisement`,
`subscription`, `overlaps` is a case of overlap; one with `first`, `second`, `first_covers_second` is a case of
covering. Other keys are comments. A line that is neither, or whose expressions cannot be read, is an error with its
place: the line, and where an expression is at fault, the column inside that expression.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from broker_sim.errors import ConfigurationError, InputError
from broker_sim.relations.covering import covers
from broker_sim.relations.overlap import overlaps
from broker_sim.xpath import parse_xpath
from dtd_ads import Schema, parse_advertisement

Relation = Literal["overlap", "covers"]
KEYS: Final[dict[Relation, tuple[str, str, str]]] = {
    "overlap": ("advertisement", "subscription", "overlaps"),
    "covers": ("first", "second", "first_covers_second"),
}


@dataclass(frozen=True, slots=True)
class Case:
    """A pair, the relation that is asked for and the answer to compare with; `line` counts from 1."""

    line: int
    relation: Relation
    first: str
    second: str
    expected: bool

    @property
    def as_object(self) -> dict[str, object]:
        """The case as its file writes it."""
        return dict(zip(KEYS[self.relation], (self.first, self.second, self.expected), strict=True))


@dataclass(frozen=True, slots=True)
class Verdict:
    """How many cases got the expected answer, and which did not."""

    right: int
    wrong: tuple[Case, ...]


def check_cases(file: Path, relation: Relation | None = None, schema: Schema | None = None) -> Verdict:
    """Compare every case with our answer.

    With a `relation` only cases of it may occur. With a schema covering is decided over its documents; overlap has no
    such form, so that cases of overlap are then refused.
    """
    right, wrong = 0, []
    for case in _read(file):
        _refuse_unwanted(case, relation, schema, str(file))
        if _answer(case, schema, str(file)) is case.expected:
            right += 1
        else:
            wrong.append(case)
    return Verdict(right, tuple(wrong))


def _refuse_unwanted(case: Case, relation: Relation | None, schema: Schema | None, source: str) -> None:
    if relation is not None and case.relation != relation:
        expected, given = ", ".join(KEYS[relation]), ", ".join(KEYS[case.relation])
        raise InputError(f"expected the keys {expected}, found {given}", source=source, line=case.line)
    if schema is not None and case.relation == "overlap":
        raise InputError("expected no case of overlap: a DTD changes only covering", source=source, line=case.line)


def _answer(case: Case, schema: Schema | None, source: str) -> bool:
    first_key, second_key, _ = KEYS[case.relation]
    with _placed(second_key, source, case.line):
        second = parse_xpath(case.second)
    with _placed(first_key, source, case.line):
        if case.relation == "overlap":
            return overlaps(parse_advertisement(case.first), second)
        return covers(parse_xpath(case.first), second, schema)


@contextmanager
def _placed(key: str, source: str, line: int) -> Iterator[None]:
    """Give errors about the text under `key` their place in the file."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{key}: {error.message}", source=source, line=line, column=error.column) from error


def _read(file: Path) -> Iterator[Case]:
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ConfigurationError(f"cannot be read: {error.strerror}", source=str(file)) from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ConfigurationError("expected UTF-8 text", source=str(file), line=line) from error
    for number, line_text in enumerate(text.split("\n"), 1):
        if line_text.strip():
            yield _case(line_text, str(file), number)


def _case(text: str, source: str, line: int) -> Case:
    try:
        value = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        column = error.colno if isinstance(error, json.JSONDecodeError) else None
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deeply"
        raise InputError(f"expected a JSON object: {reason}", source=source, line=line, column=column) from error
    if not isinstance(value, dict):
        raise InputError(f"expected a JSON object, not {text.strip()[:40]}", source=source, line=line)
    found = [case for relation in KEYS if (case := _of(relation, value, line)) is not None]
    if len(found) != 1:
        shapes = " or ".join(
            f"{first}, {second} (text), {last} (true or false)" for first, second, last in KEYS.values()
        )
        raise InputError(f"expected an object with the keys {shapes}", source=source, line=line)
    return found[0]


def _of(relation: Relation, value: dict[str, object], line: int) -> Case | None:
    first, second, expected = (value.get(key) for key in KEYS[relation])
    if isinstance(first, str) and isinstance(second, str) and isinstance(expected, bool):
        return Case(line, relation, first, second, expected)
    return None
