"""What `paper_xtrie.py` measured as a page: the paper's statements beside ours, a table for each figure, and the plot.

Run it as `python experiments/benchmarks/paper_xtrie_report.py` to write the page again from `results/paper-xtrie.json`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

RESULTS = Path(__file__).parent / "results"
AXES = {"a": "P, expressions", "b": "tag pairs in a document", "c": "p_d", "d": "L, depth of expressions"}

Cells = dict[tuple[str, float, str], dict[str, Any]]


def write(results: dict[str, Any], folder: Path) -> None:
    """The page and the plot."""
    cells: Cells = {(cell["figure"], cell["x"], cell["engine"]): cell for cell in results["cells"]}
    environment = results["environment"]
    text = [
        "# Figure 7 of the XTrie paper, here",
        f"Python {environment['python']}, {environment['machine']}, {environment['cores']} cores (shared), "
        f"seed {environment['seed']}. `nitf`; base case: 100 tag pairs, P = 10,000, L = 20, p_w = p_d = 0.1, p_b = 0, "
        "theta = 0. CPU milliseconds a document, parsing included: first pass / second pass; in brackets the number of "
        f"documents where a cell ran out of time before all {results['profile']['documents']}.",
        "![Figure 7](paper-xtrie.png)",
        "## The paper's statements and ours",
        statements(cells, results["memory"]),
        *(f"## ({figure}) {name}\n\n{table(cells, figure, name)}" for figure, name in AXES.items()),
        f"## Memory at {results['profile']['memory']:,} expressions\n\n{memory_table(results['memory'])}",
    ]
    (folder / "paper-xtrie.md").write_text("\n\n".join(text) + "\n")
    plot(cells, folder / "paper-xtrie.png")


def statements(cells: Cells, memory: dict[str, list[float]]) -> str:
    """One row for each claim of section 6."""
    sizes, tags = points(cells, "a"), points(cells, "b")
    shares, lengths = points(cells, "c"), points(cells, "d")
    faster = [ratio(cells, "a", x, "xfilter-lb", "xtrie") for x in sizes]
    eager = [ratio(cells, "a", x, "xfilter-lb", "xtrie-eager") for x in sizes]
    plain = [ratio(cells, "a", x, "xfilter", "xfilter-lb") for x in sizes]
    growth = {name: again(cells, "a", sizes[-1], name) / again(cells, "a", sizes[0], name) for name in PAPER}
    larger = {name: again(cells, "b", tags[-1], name) / again(cells, "b", tags[0], name) for name in PAPER}
    wider = {name: again(cells, "c", shares[-1], name) / again(cells, "c", shares[0], name) for name in PAPER[1:]}
    deeper = {name: again(cells, "d", lengths[-1], name) / again(cells, "d", lengths[0], name) for name in PAPER[1:]}
    rows = [
        ("(a) lazy XTrie is 2 to 4 times faster than XFilter-LB", f"{min(faster):.1f} to {max(faster):.1f} times"),
        ("(a) eager XTrie is slightly better than XFilter-LB", f"{min(eager):.2f} to {max(eager):.2f} times faster"),
        ("(a) XFilter is always much worse than XFilter-LB", f"{min(plain):.1f} to {max(plain):.1f} times slower"),
        (f"(a) time is almost linear in P (here P grows {sizes[-1] / sizes[0]:.0f} times)", listed(growth)),
        (f"(b) time is linear in tag pairs (here they grow {tags[-1] / tags[0]:.0f} times)", listed(larger)),
        (f"(c) a larger p_d takes more time (p_d from {shares[0]:g} to {shares[-1]:g})", listed(wider)),
        (f"(d) a larger L takes slightly less (L from {lengths[0]:g} to {lengths[-1]:g})", listed(deeper)),
    ]
    if memory:
        held = f"{memory['xtrie'][0]:.0f} MB and {memory['xfilter'][0]:.0f} MB"
        rows.append(("XTrie takes 18 MB, XFilter 26 MB at 500,000 expressions", held))
    return "\n".join(["| the paper | here |", "|---|---|", *(f"| {said} | {ours} |" for said, ours in rows)])


PAPER = ("xfilter", "xfilter-lb", "xtrie-eager", "xtrie")


def listed(factors: dict[str, float]) -> str:
    return ", ".join(f"{name} x {factor:.2g}" for name, factor in factors.items())


def points(cells: Cells, figure: str) -> list[float]:
    return sorted({x for where, x, _ in cells if where == figure})


def again(cells: Cells, figure: str, x: float, engine: str) -> float:
    return float(cells[figure, x, engine]["again"])


def ratio(cells: Cells, figure: str, x: float, slow: str, fast: str) -> float:
    return again(cells, figure, x, slow) / again(cells, figure, x, fast)


def engines_of(cells: Cells, figure: str) -> list[str]:
    return list(dict.fromkeys(engine for where, _, engine in cells if where == figure))


def table(cells: Cells, figure: str, name: str) -> str:
    engines = engines_of(cells, figure)
    lines = [f"| {name} | matches | {' | '.join(engines)} |", "|--:" * (len(engines) + 2) + "|"]
    full = max(cell["documents"] for cell in cells.values())
    for x in points(cells, figure):
        row = [cells[figure, x, engine] for engine in engines]
        times = [f"{cell['first']:.2f} / {cell['again']:.2f}{seen(cell['documents'], full)}" for cell in row]
        lines.append(f"| {x:,g} | {row[0]['matches']:,.0f} | {' | '.join(times)} |")
    return "\n".join(lines)


def seen(documents: int, full: int) -> str:
    return f" [{documents}]" if documents < full else ""


def memory_table(memory: dict[str, list[float]]) -> str:
    lines = ["| engine | MB for the expressions | MB after ten documents |", "|---|--:|--:|"]
    return "\n".join(lines + [f"| {name} | {built:.1f} | {used:.1f} |" for name, (built, used) in memory.items()])


def plot(cells: Cells, file: Path) -> None:
    figure = Figure(figsize=(11, 8), layout="constrained")
    for place, (letter, name) in enumerate(AXES.items(), 1):
        axes = figure.add_subplot(
            2, 2, place, xlabel=name, ylabel="CPU ms a document", yscale="log", title=f"({letter})"
        )
        if letter in "ab":
            axes.set_xscale("log")
        for engine in engines_of(cells, letter):
            xs = points(cells, letter)
            axes.plot(xs, [again(cells, letter, x, engine) for x in xs], marker="o", label=engine)
        if place == 1:
            axes.legend()
    figure.savefig(file, dpi=80)


if __name__ == "__main__":
    write(json.loads((RESULTS / "paper-xtrie.json").read_text()), RESULTS)
