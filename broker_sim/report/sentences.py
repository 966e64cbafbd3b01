"""The answer on top of the page: one sentence for each strategy, or for each group of a sweep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from broker_sim.report.reading import Results

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """`about` somebody, `text` is true; `good` is whether the promise was kept, None where nobody checked.

    Not `promised` is what was lost to faults without reliability.
    """

    about: str
    text: str
    good: bool | None
    promised: bool = True


def answers(results: Results) -> list[Answer]:
    """The answers that the results hold."""
    if results.kind == "run":
        summary = results.tables["summary"]
        return [_strategy(row, summary[0]) for row in summary]
    if results.kind == "sweep":
        return list(_sweep(results))
    if results.kind == "table-size":
        return [_table_size(row) for row in _last_of_each(results.tables["rows"], "set")]
    if results.kind == "filtering-time":
        return [_filtering_time(row) for row in results.tables["rows"]]
    return [_routing_time(row) for row in results.tables["rows"]]


def _strategy(row: Row, baseline: Row) -> Answer:
    entries = int(row["srt_total"]) + int(row["prt_total"])
    parts = [
        f"{row['messages_received']:,} messages{_against(row, baseline)}",
        f"{entries:,} table entries, at most {row['prt_max']:,} subscriptions at one broker",
    ]
    if row["delay_p50"] is not None:
        parts.append(f"half of {row['deliveries']:,} deliveries within {_ms(row['delay_p50'])}, 99 % within")
        parts[-1] += f" {_ms(row['delay_p99'])}"
    else:
        parts.append("no deliveries")
    text = f"{'; '.join(parts)}; {_promise(row)}."
    return Answer(str(row["strategy"]), text, _kept(row), not row.get("lost"))


def _against(row: Row, baseline: Row) -> str:
    before, now = int(baseline["messages_received"]), int(row["messages_received"])
    if row is baseline or not before:
        return ""
    change = (before - now) / before
    return f" ({abs(change):.0%} {'fewer' if change >= 0 else 'more'} than {baseline['strategy']})"


def _promise(row: Row) -> str:
    if row["missed"] is None:
        return "deliveries were not checked"
    text = f"{row['missed']:,} missed, {row['unwanted']:,} unwanted"
    if row.get("altered"):
        text += f", {row['altered']:,} altered"
    if row.get("lost"):
        text += f", {row['lost']:,} lost to faults without a promise"
    if row.get("window") is not None:
        text += f"; {row['uncertain']:,} more fell into the window of {_ms(row['window'])} after a change"
    return text


def _kept(row: Row) -> bool | None:
    return None if row["missed"] is None else not (row["missed"] or row["unwanted"] or row.get("altered"))


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:,.1f} ms"


def _sweep(results: Results) -> Iterator[Answer]:
    rows, errors = results.tables["rows"], results.tables["errors"]
    planned = results.manifest["sweep"]["cells"]
    done, failed = len({row["cell"] for row in rows}), len(errors)
    text = f"{done:,} of {planned:,} cells are done, {failed:,} failed"
    checked = [row for row in rows if row.get("missed") is not None]
    if checked:
        deliveries, missed, unwanted = (
            sum(row[key] for row in checked) for key in ("deliveries", "missed", "unwanted")
        )
        text += f"; {deliveries:,} deliveries were checked: {missed:,} missed, {unwanted:,} unwanted"
    yield Answer(results.name, f"{text}.", not failed if checked or failed else None)
    if any("strategy" in row and "messages_received" in row for row in rows):
        for name in dict.fromkeys(row["strategy"] for row in rows):
            yield _mean_strategy(name, [row for row in rows if row["strategy"] == name])


def _mean_strategy(name: str, rows: Sequence[Row]) -> Answer:
    messages = sum(row["messages_received"] for row in rows) / len(rows)
    entries = sum(row["srt_total"] + row["prt_total"] for row in rows) / len(rows)
    delays = [row["delay_p50"] for row in rows if row.get("delay_p50") is not None]
    text = f"on average over {len(rows):,} cells {messages:,.0f} messages and {entries:,.0f} table entries"
    if delays:
        text += f"; the median delay is {_ms(min(delays))} to {_ms(max(delays))}"
    lost = sum(row.get("lost") or 0 for row in rows)
    if lost:
        text += f"; {lost:,} documents were lost to faults without a promise"
    kept = [_kept(row) for row in rows]
    return Answer(name, f"{text}.", None if None in kept else all(kept), not lost)


def _last_of_each(rows: Sequence[Row], key: str) -> list[Row]:
    return list({row[key]: row for row in rows}.values())


def _table_size(row: Row) -> Answer:
    text = (
        f"of {row['queries']:,} queries {row['table_covering']:,} stay in the table with covering "
        f"({row['covered']:.1%} are covered), {row['table_schema_covering']:,} with what the DTD allows"
    )
    paper = "" if row["paper_covered"] is None else f"; the paper tells {row['paper_covered']:.0%} covered"
    return Answer(f"set {row['set']}", f"{text}{paper}.", None)


def _routing_time(row: Row) -> Answer:
    covering = " with covering" if row["covering"] else ""
    text = f"{row['milliseconds']:.4g} ms for a publication against {row['table']:,} subscriptions{covering}"
    paper = "" if row["paper_milliseconds"] is None else f"; the paper tells {row['paper_milliseconds']:.4g} ms"
    return Answer(f"set {row['set']}, {row['engine']}", f"{text}{paper}.", None)


def _filtering_time(row: Row) -> Answer:
    if row["again"] is None:
        about = f"{row['engine']}, {row['expressions']:,} expressions"
        text = f"{row['built_megabytes']:.1f} MB, {row['held_megabytes']:.1f} MB after {row['documents']} documents"
        paper = "" if row["paper_megabytes"] is None else f"; the paper tells {row['paper_megabytes']:g} MB"
        return Answer(about, f"{text}{paper}.", None)
    about = f"figure {row['figure']}, {row['vary']} {row['x']:,.12g}, {row['engine']}"
    text = (
        f"{row['again']:.4g} ms for a document ({row['first']:.4g} ms in the first pass), {row['matches']:.1f} matches"
    )
    return Answer(about, f"{text}.", bool(row["same_matches"]))
