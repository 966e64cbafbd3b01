"""Makes `report.png`, the picture of the README: the page of the run that it shows, in chromium.

Run it as `python docs/images/report_picture.py` whenever the page changes. It needs the extra `dev` and chromium.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from broker_sim.experiment import Experiment, load_experiment, run
from broker_sim.experiment.results import write_outcome
from broker_sim.report import read_results, write_page

PICTURE = Path(__file__).parent / "report.png"
SCREEN = {"width": 1280, "height": 720}
PART = {"x": 0, "y": 0, "width": 1280, "height": 1268}
"""As far down as the controls of the replay."""
DOCUMENT = "document 21"
HALFWAY = 5_000
"""Microseconds: half of the time that a hop takes."""
MOVE = """(slider, more) => {
    slider.value = Number(slider.value) + more;
    slider.dispatchEvent(new Event("input"));
}"""


def main() -> None:
    """Run, make the page, look at it."""
    with TemporaryDirectory() as folder:
        spec = load_experiment("paper-traffic")
        assert isinstance(spec, Experiment)
        for outcome in run(spec, record=True):
            write_outcome(outcome, Path(folder))
        write_page(read_results(Path(folder)), Path(folder) / "report.html")
        _take(Path(folder) / "report.html")


def _take(file: Path) -> None:
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
        page = browser.new_page(viewport=SCREEN)
        page.goto(file.as_uri())
        page.wait_for_selector("#replay[data-ready]")
        page.wait_for_selector("#rows table")
        page.select_option("#document", label=DOCUMENT)
        for _ in range(3):
            page.click("#forward")
        page.eval_on_selector("#moment", MOVE, HALFWAY)
        page.select_option("#broker", label="3")
        page.evaluate("window.scrollTo(0, 0)")
        page.screenshot(path=PICTURE, full_page=True, clip=PART)
        browser.close()


if __name__ == "__main__":
    main()
