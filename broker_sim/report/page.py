"""One HTML file with everything in it: style, script and data, nothing to fetch, nothing to build.

Names in results are other people's text. They reach the page as JSON in which no `<` is left, or packed, and the script
puts them there as text, never as markup. Should a way round be found all the same, the page's own security policy
runs the one script and the one style whose hashes it names, and lets nothing be loaded from anywhere.
"""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from broker_sim.atomic import atomic_writer
from broker_sim.report.charts import Chart, chart_object
from broker_sim.report.measurement_charts import measurement_charts
from broker_sim.report.palette import style_variables
from broker_sim.report.reading import Results
from broker_sim.report.replay_data import packed, replay_data
from broker_sim.report.run_charts import run_charts
from broker_sim.report.sentences import answers
from broker_sim.report.sweep_charts import sweep_charts

SCRIPTS: Final = (
    "elements.js",
    "charts.js",
    "rows.js",
    "replay_model.js",
    "replay_canvas.js",
    "replay_details.js",
    "replay.js",
    "page.js",
)
"""In the order in which they are joined: each uses only what stands before it."""

MAX_ROWS: Final = 20_000
"""The most rows of one table that a page carries."""


def write_page(results: Results, file: Path) -> None:
    """Write the page of `results`."""
    text = page_text(results)
    with atomic_writer(file) as out:
        out.write(text.encode())


def page_text(results: Results) -> str:
    """The whole page."""
    script = "(() => {\n'use strict';\n" + "\n".join(map(_asset, SCRIPTS)) + "})();\n"
    style = style_variables() + _asset("style.css")
    return _filled(
        _asset("page.html"),
        {
            "policy": f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; base-uri 'none'",
            "title": html.escape(f"{results.name}: broker-sim report"),
            "style": style,
            "data": json_text(page_data(results)),
            "packed": "\n".join(_packed_element(name, value) for name, value in _packed_data(results).items()),
            "script": script,
        },
    )


def page_data(results: Results) -> dict[str, Any]:
    """What the page needs at once."""
    manifest = results.manifest
    return {
        "kind": results.kind,
        "name": results.name,
        "description": manifest.get("specification", {}).get("description", ""),
        "answers": [asdict(answer) for answer in answers(results)],
        "charts": [chart_object(chart) for chart in charts_of(results)],
        "tables": {name: len(rows) for name, rows in results.tables.items() if rows},
        "manifest": {key: value for key, value in manifest.items() if key != "topology"},
        "topology": manifest.get("topology"),
        "replays": list(results.recordings),
        "links": _link_loads(results),
        "brokers": _broker_sizes(results),
    }


def charts_of(results: Results) -> list[Chart]:
    """The charts that the results call for."""
    if results.kind == "run":
        return run_charts(results.tables, results.manifest.get("specification", {}).get("paper", {}))
    if results.kind == "sweep":
        return sweep_charts(results.tables["rows"])
    return measurement_charts(results.kind, results.tables["rows"])


def _link_loads(results: Results) -> dict[str, list[list[Any]]]:
    """By strategy that can be replayed: sender, receiver and messages of each link that carried any."""
    found: dict[str, list[list[Any]]] = {name: [] for name in results.recordings}
    for row in results.tables.get("links", ()):
        if row["strategy"] in found and row["messages"]:
            found[row["strategy"]].append([row["sender"], row["receiver"], row["messages"]])
    return found


def _broker_sizes(results: Results) -> dict[str, dict[str, list[int]]]:
    """By strategy that can be replayed and broker: messages received, advertisements and subscriptions known."""
    found: dict[str, dict[str, list[int]]] = {name: {} for name in results.recordings}
    for row in results.tables.get("brokers", ()):
        if row["strategy"] in found:
            found[row["strategy"]][row["broker"]] = [row["messages_received"], row["srt_size"], row["prt_size"]]
    return found


def _packed_data(results: Results) -> dict[str, object]:
    data: dict[str, object] = {
        f"table-{name}": _columns(rows[:MAX_ROWS]) for name, rows in results.tables.items() if rows
    }
    summaries = {row["strategy"]: row for row in results.tables.get("summary", ())}
    for number, (name, recorded) in enumerate(results.recordings.items()):
        data[f"replay-{number}"] = replay_data(recorded, summaries[name])
    return data


def _columns(rows: Sequence[dict[str, Any]]) -> dict[str, list[Any]]:
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def _packed_element(name: str, value: object) -> str:
    return f'<script type="text/plain" id="{html.escape(name)}">{packed(value)}</script>'


def json_text(value: object) -> str:
    """JSON that ends no element and starts no comment."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _filled(template: str, values: dict[str, str]) -> str:
    """The template with its `{{names}}` replaced, in one pass, so that no value is looked at again."""
    parts = template.split("{{")
    found = [parts[0]]
    for part in parts[1:]:
        name, _, rest = part.partition("}}")
        found += [values[name], rest]
    return "".join(found)


def _asset(name: str) -> str:
    return files("broker_sim.report").joinpath("assets", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}"
