"""`broker-sim relate`: overlap, covering and merging, for one pair or for a file of cases."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from broker_sim.errors import ConfigurationError, InputError
from broker_sim.relations import covers, merge, overlaps
from broker_sim.xpath import Path as XPath
from broker_sim.xpath import parse_xpath
from dtd_ads import Schema, load_schema, parse_advertisement

OVERLAP_KEYS: Final = ("advertisement", "subscription", "overlaps")
COVERS_KEYS: Final = ("first", "second", "first_covers_second")
SHOWN_WRONG: Final = 20

_cases = click.option(
    "--cases", type=click.Path(dir_okay=False, path_type=Path), help="Check a file of cases, one JSON object a line."
)
_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_dtd = click.option("--dtd", help="Consider only documents of this DTD (a file or a catalogue name).")
_root = click.option("--root", help="The root element, where the DTD leaves it open.")


@click.group(invoke_without_command=True)
@_cases
@click.pass_context
def relate(ctx: click.Context, cases: Path | None) -> None:
    """Decide overlap, covering or merging of expressions.

    With --cases, check a file of cases: objects with the keys advertisement, subscription, overlaps, or first, second,
    first_covers_second.
    """
    if ctx.invoked_subcommand is None:
        if cases is None:
            click.echo(ctx.get_help())
            return
        _check(cases)


@relate.command()
@click.argument("advertisement", required=False)
@click.argument("subscription", required=False)
@_cases
@_json
def overlap(advertisement: str | None, subscription: str | None, cases: Path | None, as_json: bool) -> None:
    """Whether some publication matches both ADVERTISEMENT and SUBSCRIPTION."""
    if cases is not None:
        _check(cases)
        return
    advertisement, subscription = _both(advertisement, subscription, "an advertisement and a subscription")
    answer = overlaps(parse_advertisement(advertisement), parse_xpath(subscription))
    words = "overlaps" if answer else "does not overlap"
    _answer(as_json, {"overlaps": answer}, f"{advertisement} {words} {subscription}")


@relate.command(name="covers")
@click.argument("first", required=False)
@click.argument("second", required=False)
@_cases
@_dtd
@_root
@_json
def covers_command(
    first: str | None, second: str | None, cases: Path | None, dtd: str | None, root: str | None, as_json: bool
) -> None:
    """Whether FIRST matches everything that SECOND matches."""
    if cases is not None:
        _check(cases)
        return
    first, second = _both(first, second, "two expressions")
    answer = covers(parse_xpath(first), parse_xpath(second), _schema(dtd, root))
    words = "covers" if answer else "does not cover"
    _answer(as_json, {"first_covers_second": answer}, f"{first} {words} {second}{_under(dtd)}")


@relate.command(name="merge")
@click.argument("first")
@click.argument("second")
@_dtd
@_root
@_json
def merge_command(first: str, second: str, dtd: str | None, root: str | None, as_json: bool) -> None:
    """One expression that matches all that FIRST or SECOND matches."""
    merger = merge(_path(first), _path(second), _schema(dtd, root))
    if merger is None:
        _answer(as_json, {"merger": None}, f"{first} and {second} have no merger")
        return
    kind = "perfect" if merger.perfect else "imperfect"
    degree = "" if merger.degree is None else f", degree {merger.degree:.4f}"
    report = {
        "merger": str(merger.expression),
        "rule": merger.rule,
        "perfect": merger.perfect,
        "degree": merger.degree,
    }
    _answer(as_json, report, f"{merger.expression} ({kind}, rule {merger.rule}{degree}){_under(dtd)}")


def _path(text: str) -> XPath:
    expression = parse_xpath(text)
    if not isinstance(expression, XPath):
        raise ConfigurationError(f"expected one path without 'or', not {text!r}")
    return expression


def _both(first: str | None, second: str | None, expected: str) -> tuple[str, str]:
    if first is None or second is None:
        raise ConfigurationError(f"expected {expected}, or --cases FILE")
    return first, second


def _schema(dtd: str | None, root: str | None) -> Schema | None:
    return None if dtd is None else load_schema(dtd, root)


def _under(dtd: str | None) -> str:
    return "" if dtd is None else f" under {dtd}"


def _answer(as_json: bool, report: dict[str, object], sentence: str) -> None:
    click.echo(json.dumps(report, ensure_ascii=False) if as_json else sentence)


def _check(file: Path) -> None:
    """Compare every case with our answer; exit code 1 if one is wrong."""
    right = wrong = 0
    for line, case in _read(file):
        if _holds(case, str(file), line):
            right += 1
            continue
        wrong += 1
        if wrong <= SHOWN_WRONG:
            click.echo(f"wrong: line {line}: {json.dumps(case, ensure_ascii=False)}")
    click.echo(f"{right} right, {wrong} wrong")
    if wrong:
        raise SystemExit(1)


def _read(file: Path) -> Iterator[tuple[int, dict[str, object]]]:
    try:
        with file.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield number, _object(line, str(file), number)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "is not UTF-8"
        raise InputError(f"cannot be read: {reason}", source=str(file)) from error


def _object(line: str, source: str, number: int) -> dict[str, object]:
    try:
        case = json.loads(line)
    except (json.JSONDecodeError, RecursionError) as error:
        raise InputError(f"expected a JSON object: {error}", source=source, line=number) from error
    if not isinstance(case, dict):
        raise InputError("expected a JSON object", source=source, line=number)
    return case


def _holds(case: dict[str, object], source: str, line: int) -> bool:
    """Whether our answer is the one that the case gives."""
    for keys in (OVERLAP_KEYS, COVERS_KEYS):
        first, second, expected = (case.get(key) for key in keys)
        if isinstance(first, str) and isinstance(second, str) and isinstance(expected, bool):
            break
    else:
        shapes = " or ".join(", ".join(keys) for keys in (OVERLAP_KEYS, COVERS_KEYS))
        raise InputError(f"expected an object with the keys {shapes}", source=source, line=line)
    try:
        if keys is OVERLAP_KEYS:
            return overlaps(parse_advertisement(first), parse_xpath(second)) is expected
        return covers(parse_xpath(first), parse_xpath(second)) is expected
    except InputError as error:
        raise InputError(str(error), source=source, line=line) from error
