"""Pages to look at, and a real browser to look at them with.

Debian's chromium is used as it is installed; where there is none, tests that need one are skipped, unless
BROKER_SIM_BROWSER=required says that there must be one. Screenshots are left in build/screenshots.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from broker_sim.experiment import Experiment, load_experiment, run
from broker_sim.experiment.results import write_outcome
from broker_sim.report import read_results, write_page

SCREENSHOTS = Path(__file__).parents[2] / "build" / "screenshots"
SMALL = (
    "subscriptions.generate.number=12",
    "documents.generate.number=4",
    "documents.generate.elements=30",
    'strategies=["no-adv-no-cov", "with-adv-with-cov"]',
)
CHURN = (
    "topology=ring:n=9",
    "publishers.number=3",
    "subscriptions.subscribers=12",
    "subscriptions.generate.number=3",
    "documents.generate.number=40",
    "documents.generate.elements=30",
    "churn={arrivals=3, departures=3, moves=3, publisher_arrivals=1, publisher_departures=1}",
)
HOSTILE = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'>"
# No scripts or names of ours are in the way; the rest keeps the browser from calling home.
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def record(spec: Experiment, folder: Path, *, trace: bool = True) -> Path:
    """Run an experiment and write its results."""
    for outcome in run(spec, record=trace):
        write_outcome(outcome, folder)
    return folder


@pytest.fixture(scope="session")
def small_results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    spec = load_experiment("paper-traffic", SMALL)
    assert isinstance(spec, Experiment)
    return record(spec, tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="session")
def hostile_results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Everything that a user names, named to do harm."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "<script>1.dtd").write_text("<!ELEMENT a (b*)> <!ELEMENT b EMPTY>")
    documents = folder / "docs"
    documents.mkdir()
    (documents / "<img src=x onerror=hacked=3>.xml").write_text("<a><b/></a>")
    escaped = HOSTILE.replace("<", "&lt;")
    (folder / "net.graphml").write_text(
        f'<graphml><graph edgedefault="undirected"><node id="{escaped}"/><node id="two"/>'
        f'<edge source="{escaped}" target="two"/></graph></graphml>'
    )
    (folder / "evil.toml").write_text(
        f'description = "{HOSTILE}"\nunit = "document"\nstrategies = ["with-adv-with-cov"]\n'
        f'topology = "{folder}/net.graphml"\n[schema]\ndtd = "{folder}/<script>1.dtd"\n'
        f'[documents]\ndirectory = "{documents}"\n[subscriptions]\nplacement = "all"\n'
        "[subscriptions.generate]\nnumber = 1\n"
    )
    spec = load_experiment(folder / "evil.toml")
    assert isinstance(spec, Experiment)
    return record(spec, folder / "results")


@pytest.fixture(scope="session")
def churn_results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shipped experiment in small: subscribers leave, come and move, publishers come and go."""
    spec = load_experiment("churn", CHURN)
    assert isinstance(spec, Experiment)
    return record(spec, tmp_path_factory.mktemp("churn"))


@pytest.fixture(scope="session")
def churn_page(churn_results: Path) -> Path:
    write_page(read_results(churn_results), churn_results / "report.html")
    return churn_results / "report.html"


@pytest.fixture(scope="session")
def small_page(small_results: Path) -> Path:
    write_page(read_results(small_results), small_results / "report.html")
    return small_results / "report.html"


@pytest.fixture(scope="session")
def hostile_page(hostile_results: Path) -> Path:
    write_page(read_results(hostile_results), hostile_results / "report.html")
    return hostile_results / "report.html"


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        if os.environ.get("BROKER_SIM_BROWSER") == "required":
            pytest.fail("BROKER_SIM_BROWSER=required, and there is no chromium: install Debian's package chromium")
        pytest.skip("no chromium here: install Debian's package chromium, or set CHROMIUM")
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs the extra dev: playwright")
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=list(ARGUMENTS))
        yield started
        started.close()
