"""What `paper_xtrie.py` measured as a page: the paper's statements beside ours, a table for each figure, and the plot.

Run it as `python experiments/benchmarks/paper_xtrie_report.py` to write the page again from `results/paper-xtrie.json`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import correlation, linear_regression
from typing import Any

from matplotlib.figure import Figure

RESULTS = Path(__file__).parent / "results"
AXES = {"a": "P, expressions", "b": "tag pairs in a document", "c": "p_d", "d": "L, depth of expressions"}
PAPER = ("xfilter", "xfilter-lb", "xtrie-eager", "xtrie")
COLOURS = {name: f"C{place}" for place, name in enumerate((*PAPER, "yfilter", "lazy-dfa"))}

Row = dict[str, Any]
Cells = dict[tuple[str, float, str], Row]


def write(results: dict[str, Any], folder: Path) -> None:
    """The page and the plot."""
    cells: Cells = {
        (row["figure"], row["x"], row["engine"]): row for row in results["rows"] if row["again"] is not None
    }
    weighed = [row for row in results["rows"] if row["again"] is None]
    environment, profile = results["environment"], results["profile"]
    text = [
        "# Figure 7 of the XTrie paper, here",
        f"Profile {profile['name']}; Python {environment['python']}, {environment['machine']}, {environment['cores']} "
        f"cores (shared), seed {environment['seed']}. `nitf`; base case: 100 tag pairs, "
        f"P = {10_000 * profile['scale']:,g}, L = 20, p_w = p_d = 0.1, p_b = 0, theta = 0. CPU milliseconds each, "
        "parsing included: first pass / second pass; in brackets the number of documents where a cell ran out of time "
        f"before all {profile['documents']}. Ratios are of second passes, each the mean of its documents. In every cell"
        " the engines found the same subscriptions in all documents that they saw.",
        "![Figure 7](paper-xtrie.png)",
        "## The paper's statements and ours",
        "\n".join(["| the paper | here |", "|---|---|", *statements(cells, weighed)]),
        *(
            f"## ({figure}) {name}\n\n{table(cells, figure, name)}"
            for figure, name in AXES.items()
            if points(cells, figure)
        ),
        *([f"## Memory at {weighed[0]['expressions']:,} expressions\n\n{memory_table(weighed)}"] if weighed else []),
    ]
    (folder / "paper-xtrie.md").write_text("\n\n".join(text) + "\n")
    plot(cells, folder / "paper-xtrie.png")


def statements(cells: Cells, weighed: Sequence[Row]) -> Iterator[str]:
    """A row for each claim of section 6 about figures that are there."""
    sizes, tags, shares, lengths = (points(cells, figure) for figure in "abcd")
    if sizes:
        lazy = ratios(cells, sizes, "xfilter-lb", "xtrie")
        yield f"| (a) lazy XTrie is 2 to 4 times faster than XFilter-LB | {lazy} |"
        eager = ratios(cells, sizes, "xfilter-lb", "xtrie-eager")
        yield f"| (a) eager XTrie is slightly better than XFilter-LB | {eager} |"
        yield f"| (a) XFilter is much worse than XFilter-LB | {ratios(cells, sizes, 'xfilter', 'xfilter-lb')} |"
        yield f"| (a) time is almost linear in P (P x {sizes[-1] / sizes[0]:.0f}) | {growth(cells, 'a', PAPER)} |"
    if tags:
        yield f"| (b) time is linear in tag pairs, for all | {'; '.join(fit(cells, tags, name) for name in PAPER)} |"
    if shares:
        yield f"| (c) p_d from {shares[0]:g} to {shares[-1]:g} takes all more time | {growth(cells, 'c', PAPER[1:])} |"
    if lengths:
        yield f"| (d) L from {lengths[0]:g} to {lengths[-1]:g} takes slightly less | {growth(cells, 'd', PAPER[1:])} |"
    held = {row["engine"]: row for row in weighed}
    if {"xtrie", "xfilter"} <= held.keys():
        here = " and ".join(
            f"{name} {held[name]['built_megabytes']:.1f} MB ({held[name]['held_megabytes']:.1f} after documents)"
            for name in ("xtrie", "xfilter")
        )
        yield f"| XTrie takes 18 MB, XFilter 26 MB at 500,000 expressions | {here} |"


def ratios(cells: Cells, xs: Sequence[float], slow: str, fast: str) -> str:
    """How many times faster `fast` is, for each P."""
    listed = (f"{again(cells, 'a', x, slow) / again(cells, 'a', x, fast):.3g} at {x:,.12g}" for x in xs)
    return f"times faster: {', '.join(listed)}"


def growth(cells: Cells, figure: str, engines: Sequence[str]) -> str:
    """By what the time of the first point is multiplied at the last."""
    first, *_, last = points(cells, figure)
    factors = {name: again(cells, figure, last, name) / again(cells, figure, first, name) for name in engines}
    return ", ".join(f"{name} x {factor:.3g}" for name, factor in factors.items())


def fit(cells: Cells, xs: Sequence[float], engine: str) -> str:
    """The line of least squares through the points of figure (b), by the tag pairs that the documents have."""
    rows = [cells["b", x, engine] for x in xs]
    tags, times = [row["tags"] for row in rows], [row["again"] for row in rows]
    slope, start = linear_regression(tags, times)
    return f"{engine} {start:.2f} ms + {slope * 100:.2f} ms for 100, R2 {correlation(tags, times) ** 2:.4f}"


def points(cells: Cells, figure: str) -> list[float]:
    return sorted({x for where, x, _ in cells if where == figure})


def again(cells: Cells, figure: str, x: float, engine: str) -> float:
    return float(cells[figure, x, engine]["again"])


def engines_of(cells: Cells, figure: str) -> list[str]:
    return list(dict.fromkeys(engine for where, _, engine in cells if where == figure))


def table(cells: Cells, figure: str, name: str) -> str:
    engines = engines_of(cells, figure)
    lines = [f"| {name} | matches | {' | '.join(engines)} |", "|--:" * (len(engines) + 2) + "|"]
    full = max(cell["documents"] for cell in cells.values())
    for x in points(cells, figure):
        row = [cells[figure, x, engine] for engine in engines]
        times = [f"{cell['first']:.2f} / {cell['again']:.2f}{seen(cell['documents'], full)}" for cell in row]
        matches = max(row, key=lambda cell: cell["documents"])["matches"]
        lines.append(f"| {x:,.12g} | {matches:,.0f} | {' | '.join(times)} |")
    return "\n".join(lines)


def seen(documents: int, full: int) -> str:
    return f" [{documents}]" if documents < full else ""


def memory_table(weighed: Sequence[Row]) -> str:
    names = ("built_megabytes", "held_megabytes", "peak_megabytes")
    lines = ["| engine | MB for the expressions | MB after ten documents | MB at the peak |", "|---|--:|--:|--:|"]
    return "\n".join(
        [*lines, *(f"| {row['engine']} | {' | '.join(f'{row[name]:.1f}' for name in names)} |" for row in weighed)]
    )


def plot(cells: Cells, file: Path) -> None:
    figure = Figure(figsize=(11, 8), layout="constrained")
    for place, (letter, name) in enumerate(AXES.items(), 1):
        axes = figure.add_subplot(
            2, 2, place, xlabel=name, ylabel="CPU ms a document", yscale="log", title=f"({letter})"
        )
        if letter in "ab":
            axes.set_xscale("log")
        xs = points(cells, letter)
        for engine in engines_of(cells, letter):
            ys = [again(cells, letter, x, engine) for x in xs]
            axes.plot(xs, ys, marker="o", label=engine, color=COLOURS.get(engine))
        if xs and place == 1:
            axes.legend()
    figure.savefig(file, dpi=80)


if __name__ == "__main__":
    write(json.loads((RESULTS / "paper-xtrie.json").read_text()), RESULTS)
