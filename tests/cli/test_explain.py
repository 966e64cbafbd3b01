"""`broker-sim explain`: the reasons are those of the tables, and the way of a document is the way it took."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from broker_sim.cli import main
from broker_sim.experiment import Experiment, load_experiment
from broker_sim.experiment.explaining import explain_document, subscribed

DTD = """<!ELEMENT a (b|c)*><!ELEMENT b (d?)><!ELEMENT c EMPTY><!ELEMENT d EMPTY>"""
SPEC = """
topology = "line:n=3"
[schema]
dtd = "a.dtd"
form = "paths"
[publishers]
brokers = ["1"]
[subscriptions]
placement = "explicit"
brokers = ["3", "3"]
file = "queries.txt"
[documents]
directory = "documents"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "a.dtd").write_text(DTD)
    (tmp_path / "queries.txt").write_text("/a/b\n/a/b/d\n/a/c\n//e\n")
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "one.xml").write_text("<a><b><d/></b></a>")
    (tmp_path / "documents" / "two.xml").write_text("<a/>")
    (tmp_path / "e.toml").write_text(SPEC)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def explain(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["explain", "e.toml", *arguments])


@pytest.mark.usefixtures("folder")
def test_forwarded_covered_and_not_advertised() -> None:
    forwarded = explain("/a/b", "--at", "3").output
    assert forwarded.splitlines() == [
        "/a/b came from subscriber-1 at 3",
        "  to 2: forwarded; overlaps /a/b, /a/b/d",
    ]
    assert "not forwarded; covered by /a/b" in explain("/a/b/d", "--at", "3").output
    assert "not forwarded; nothing advertised from there overlaps it" in explain("//e", "--at", "3").output
    assert "is not known at 1" in explain("/a/b/d", "--at", "1").output
    middle = explain("/a/b", "--at", "2").output
    assert "came from 3 at 2" in middle
    assert "to 3: not forwarded; nobody else asks for it here" in middle


@pytest.mark.usefixtures("folder")
def test_the_way_of_a_document() -> None:
    assert explain("--document", "0").output.splitlines() == [
        "1 -> 2: /a/b",
        "2 -> 3: /a/b",
        "3 -> subscriber-1: /a/b",
        "3 -> subscriber-2: /a/b/d",
    ]
    assert explain("--document", "1").output == ""
    steps = json.loads(explain("--document", "0", "--json").output)
    assert steps[0] == {"broker": "1", "cause": {"hop": "2", "entries": ["/a/b"]}}


@pytest.mark.parametrize("strategy", ["no-adv-no-cov", "with-adv-with-cov", "with-adv-with-cov-merge-imperfect"])
@pytest.mark.parametrize("topology", ["paper-8", "grid-5x5"])
def test_explained_hops_are_the_hops_of_a_run(strategy: str, topology: str) -> None:
    small = ["documents.generate.number=3", "subscriptions.generate.number=30", f"topology={topology}"]
    spec = load_experiment("paper-traffic", small)
    assert isinstance(spec, Experiment)
    simulation = subscribed(spec, strategy)
    explained = {
        (step.broker, step.cause.hop)
        for doc_id in range(3)
        for step in explain_document(simulation, doc_id)
        if step.cause.hop in simulation.overlay.stations
    }
    before = {pair: wire.messages for pair, wire in simulation.overlay.wires.items()}
    simulation.publish()
    used = {pair for pair, wire in simulation.overlay.wires.items() if wire.messages > before[pair]}
    assert explained == used != set()


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "give either --at BROKER and an EXPRESSION, or --document ID"),
        (("/a/b",), "give either"),
        (("/a/b", "--at", "9"), "has no broker '9'"),
        (("/z", "--at", "1"), "nobody subscribed to /z"),
        (("/a[", "--at", "1"), "/a["),
        (("--document", "7"), "expected a document from 0 to 1, not 7"),
        (("--document", "0", "--strategy", "best"), "unknown strategy 'best'"),
    ],
)
def test_wrong_questions(arguments: tuple[str, ...], message: str) -> None:
    result = explain(*arguments)
    assert result.exit_code == 2
    assert message in result.output
