"""The report page of large overlays: how large it is, how soon it answers, how smoothly it moves.

Run it as `python experiments/benchmarks/report_page.py [--record] [SIZE ...]`; sizes are numbers of subscriptions,
shared out among clients at the leaves. Each row: brokers, strategies, hops recorded (of the strategy that is played),
megabytes of the page, milliseconds from opening the file until the replay is drawn and has answered a click, then
frames a second while it plays at eight times the usual speed for some seconds, the most hops that were under way in
one frame, and the longest frame in milliseconds. It needs chromium (drawing without a graphics card) and playwright.
"""

from __future__ import annotations

import shutil
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright
from recording import Row, best_rows, options, report

from broker_sim.experiment import Experiment, load_experiment, run
from broker_sim.experiment.results import write_outcome
from broker_sim.report import read_results, write_page
from broker_sim.routing import STRATEGIES

SIZES = (5_000,)
OVERLAYS = {"paper-8": tuple(STRATEGIES), "binary-127": tuple(STRATEGIES), "binary-1023": ("with-adv-with-cov",)}
DOCUMENTS = 60
SECONDS = 5
FRAMES = """(seconds) => new Promise((done) => {
    const found = { frames: 0, most: 0, longest: 0 };
    const clock = document.querySelector(".clock");
    const begun = performance.now();
    let before = begun;
    const frame = (now) => {
        found.frames += 1;
        found.longest = Math.max(found.longest, now - before);
        found.most = Math.max(found.most, parseInt(clock.textContent.split(", ")[1].replaceAll(",", ""), 10));
        before = now;
        if (now - begun < seconds * 1000) requestAnimationFrame(frame);
        else done({ ...found, seconds: (now - begun) / 1000 });
    };
    requestAnimationFrame(frame);
})"""


def measure(cell: tuple[str, int, int]) -> list[Row]:
    """One row."""
    topology, subscriptions, seed = cell
    spec = load_experiment("scale", ["verify=false", f"strategies={list(OVERLAYS[topology])}"])
    assert isinstance(spec, Experiment)
    clients = min(500, subscriptions)
    generate = replace(spec.subscriptions.generate, number=subscriptions // clients)
    placed = replace(spec.subscriptions, subscribers=clients, generate=generate)
    documents = replace(spec.documents, generate=replace(spec.documents.generate, number=DOCUMENTS))
    spec = replace(spec, topology=topology, seed=seed, subscriptions=placed, documents=documents)
    with TemporaryDirectory() as folder:
        hops = 0
        for outcome in run(spec, record=True):
            write_outcome(outcome, Path(folder))
            if outcome.strategy.name == "with-adv-with-cov" and outcome.recording is not None:
                hops = sum(len(journey.hops) for journey in outcome.recording.trace.journeys)
            brokers = len(outcome.overlay.stations)
        page = Path(folder) / "report.html"
        write_page(read_results(Path(folder)), page)
        origin: Row = {"topology": topology, "brokers": brokers, "strategies": len(spec.strategies), "hops": hops}
        return [{**origin, "page MB": page.stat().st_size / 1e6, **_in_browser(page)}]


def _in_browser(file: Path) -> Row:
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        started = time.perf_counter()
        page.goto(file.as_uri())
        page.wait_for_selector("#replay[data-ready]")
        page.click("#forward")
        page.wait_for_selector("#live:not(:empty)")
        interactive = (time.perf_counter() - started) * 1000
        row: Row = {"interactive ms": round(interactive), **_frames(page)}
        browser.close()
        return row


def _frames(page: Page) -> Row:
    """Play from the middle of the film, where subscriptions and documents travel."""
    page.select_option("#speed", "8")
    page.eval_on_selector(
        "#moment", "(slider) => { slider.value = slider.max * 0.4; slider.dispatchEvent(new Event('input')); }"
    )
    page.click("#play")
    found = page.evaluate(FRAMES, SECONDS)
    page.click("#play")
    return {
        "frames/s": found["frames"] / found["seconds"],
        "hops under way": int(found["most"]),
        "longest frame ms": round(found["longest"]),
    }


def main() -> None:
    """Measure, print, and keep the table if asked to."""
    assert __doc__ is not None
    chosen = options(__doc__, SIZES)
    cells = [(topology, size, chosen.seed) for size in chosen.sizes for topology in OVERLAYS]
    rows = best_rows(measure, cells, chosen.repeat, "interactive ms")
    notes = (
        f"`scale` with {', '.join(f'{size:,}' for size in chosen.sizes)} subscriptions and {DOCUMENTS} documents on "
        "each topology, chromium without a graphics card, 1280x720. Asked for: a page of 127 brokers below 5 MB and "
        "interactive below 3,000 ms; 30 frames a second with 1,023 brokers."
    )
    report("report_page", "The report page", notes, rows, chosen, "milliseconds of the clock")


if __name__ == "__main__":
    main()
