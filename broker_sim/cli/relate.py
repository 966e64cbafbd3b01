"""`broker-sim relate`: overlap, covering and merging, for one pair or for a file of cases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import click

from broker_sim.errors import ConfigurationError
from broker_sim.relations import covers, merge, overlaps
from broker_sim.relations.case_file import Relation, check_cases
from broker_sim.xpath import parse_xpath
from dtd_ads import Schema, load_schema, parse_advertisement

SHOWN_WRONG: Final = 20

_cases = click.option(
    "--cases", type=click.Path(dir_okay=False, path_type=Path), help="Check a file of cases, one JSON object a line."
)
_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_dtd = click.option("--dtd", help="Consider only documents of this DTD (a file or a catalogue name).")
_root = click.option("--root", help="The root element, where the DTD leaves it open.")


@click.group(invoke_without_command=True)
@_cases
@_dtd
@_root
@_json
@click.pass_context
def relate(ctx: click.Context, cases: Path | None, dtd: str | None, root: str | None, as_json: bool) -> None:
    """Decide overlap, covering or merging of expressions.

    With --cases, check a file of cases: objects with the keys advertisement, subscription, overlaps, or first, second,
    first_covers_second. Exit code 1 says that an answer differs.
    """
    asked = ctx.invoked_subcommand
    if cases is not None and asked is None:
        _check(cases, None, _schema(dtd, root), as_json)
    elif cases is not None or dtd is not None or root is not None or as_json:
        expected = "expected --cases FILE with these options" if asked is None else f"write the options after {asked!r}"
        raise ConfigurationError(f"{expected}; see: broker-sim relate --help")
    elif asked is None:
        click.echo(ctx.get_help())


@relate.command()
@click.argument("advertisement", required=False)
@click.argument("subscription", required=False)
@_cases
@_json
def overlap(advertisement: str | None, subscription: str | None, cases: Path | None, as_json: bool) -> None:
    """Whether some publication matches both ADVERTISEMENT and SUBSCRIPTION."""
    if cases is not None and advertisement is None:
        _check(cases, "overlap", None, as_json)
        return
    advertisement, subscription = _pair(advertisement, subscription, cases, "an advertisement and a subscription")
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
    schema = _schema(dtd, root)
    if cases is not None and first is None:
        _check(cases, "covers", schema, as_json)
        return
    first, second = _pair(first, second, cases, "two expressions")
    answer = covers(parse_xpath(first), parse_xpath(second), schema)
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
    merger = merge(parse_xpath(first), parse_xpath(second), _schema(dtd, root))
    if merger is None:
        _answer(as_json, {"merger": None}, f"{first} and {second} have no merger{_under(dtd)}")
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


def _pair(first: str | None, second: str | None, cases: Path | None, expected: str) -> tuple[str, str]:
    if first is None or second is None or cases is not None:
        raise ConfigurationError(f"expected either {expected} or --cases FILE")
    return first, second


def _schema(dtd: str | None, root: str | None) -> Schema | None:
    if dtd is None:
        if root is not None:
            raise ConfigurationError(f"--root {root} is the root of a DTD: expected --dtd as well")
        return None
    schema = load_schema(dtd, root)
    for warning in schema.warnings:
        click.echo(f"warning: {warning}", err=True)
    return schema


def _under(dtd: str | None) -> str:
    return "" if dtd is None else f" under {dtd}"


def _answer(as_json: bool, report: dict[str, object], sentence: str) -> None:
    click.echo(json.dumps(report, ensure_ascii=False) if as_json else sentence)


def _check(cases: Path, relation: Relation | None, schema: Schema | None, as_json: bool) -> None:
    """Print how the cases come out; exit code 1 if one is wrong."""
    verdict = check_cases(cases, relation, schema)
    if as_json:
        wrong = [{"line": case.line, **case.as_object} for case in verdict.wrong]
        click.echo(json.dumps({"right": verdict.right, "wrong": len(wrong), "wrong_cases": wrong}, ensure_ascii=False))
    else:
        for case in verdict.wrong[:SHOWN_WRONG]:
            click.echo(f"wrong: line {case.line}: {json.dumps(case.as_object, ensure_ascii=False)}")
        if len(verdict.wrong) > SHOWN_WRONG:
            click.echo(f"and {len(verdict.wrong) - SHOWN_WRONG} more")
        click.echo(f"{verdict.right} right, {len(verdict.wrong)} wrong")
    if verdict.wrong:
        raise SystemExit(1)
