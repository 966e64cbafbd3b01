"""Customised messages in the overlay: who gets which, what they weigh, and that a wrong one is found out."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from lxml import etree

from broker_sim.cli import main
from broker_sim.delivery import parse_query
from broker_sim.delivery.factory import MessageFactory
from broker_sim.errors import ConfigurationError, QueryError
from broker_sim.experiment import Experiment, Outcome, run, summary_row
from broker_sim.experiment.building import build_scenario
from broker_sim.experiment.ground_truth import compare, truth_of
from broker_sim.experiment.message_truth import NaiveQuery
from broker_sim.experiment.spec import DocumentSpec, PublisherSpec, SchemaSpec, SubscriptionSpec
from broker_sim.network.edge import fingerprint
from broker_sim.workload import FlwrParameters
from tests.delivery.referee import canonical, evaluate
from tests.strategies.documents import documents
from tests.strategies.flwr import Flwr, queries

TITLES = '<t>{ for $b in document("d")//book where $b/price = 1 return <b>{ $b/title }</b> }</t>'
YEARS = '<t>{ for $b in document("d")/bib/book[@year > 1] return $b/price }</t>'
CHEAP = (
    "<bib><book year='1'><title>One</title><author><last>l</last><first>f</first></author>"
    "<publisher>p</publisher><price>1</price></book></bib>"
)
LATE = CHEAP.replace("year='1'", "year='2'").replace("<price>1<", "<price>9<")
HEADER = 16


@given(documents(max_depth=5, namespaces=False), queries())
def test_the_referee_of_runs_equals_that_of_tests(text: bytes, query: Flwr) -> None:
    found = NaiveQuery(parse_query(str(query))).message(etree.fromstring(text))
    assert (None if found is None else canonical(found)) == evaluate(query, text)


def bibliography(folder: Path, **chosen: Any) -> Experiment:
    """Two documents, two queries; by default one query for each of two subscribers."""
    (folder / "queries.xq").write_text(f"{TITLES}\n{YEARS}\n")
    (folder / "documents").mkdir()
    (folder / "documents" / "1.xml").write_text(CHEAP)
    (folder / "documents" / "2.xml").write_text(LATE)
    spec = SubscriptionSpec(placement="explicit", brokers=("1", "2"), queries=str(folder / "queries.xq"))
    return Experiment(
        "bibliography",
        unit="document",
        topology="line:n=3",
        strategies=("with-adv-with-cov",),
        schema=SchemaSpec("bib"),
        publishers=PublisherSpec(brokers=("3",)),
        subscriptions=replace(spec, **chosen),
        documents=DocumentSpec(directory=str(folder / "documents")),
    )


def only(experiment: Experiment) -> Outcome:
    (outcome,) = run(experiment)
    assert not outcome.verdict
    return outcome


def test_each_query_gets_its_message(tmp_path: Path) -> None:
    outcome = only(bibliography(tmp_path))
    expected = {
        (0, "subscriber-1"): "<t><b><title>One</title></b></t>",
        (1, "subscriber-2"): "<t><price>9</price></t>",
    }
    found = {(each.doc_id, each.client): each.handed for each in outcome.overlay.deliveries}
    assert found.keys() == expected.keys()
    for place, message in expected.items():
        assert found[place].bytes == HEADER + len(message)
        assert found[place].messages == ((0, fingerprint(message)),)
        assert not found[place].whole
    row = summary_row(outcome)
    delivered = sum(HEADER + len(message) for message in expected.values())
    assert (row["bytes_delivered"], row["bytes_saved"]) == (delivered, 2 * (HEADER + len(CHEAP)) - delivered)
    assert (row["deliveries"], row["altered"]) == (2, 0)


def test_a_subscriber_may_have_queries_and_plain_subscriptions(tmp_path: Path) -> None:
    (tmp_path / "plain.txt").write_text("//book[price = 9]\n")
    outcome = only(bibliography(tmp_path, brokers=("1",), file=str(tmp_path / "plain.txt")))
    (client,) = outcome.scenario.subscribers
    assert [*map(str, client.routed)] == ["//book[price[. = 9]]", "//book[price[. = 1]]", "/bib/book[@year > 1]"]
    first, second = (each.handed for each in outcome.overlay.deliveries)
    assert (first.whole, [place for place, _ in first.messages]) == (False, [0])
    assert (second.whole, [place for place, _ in second.messages]) == (True, [1])
    assert second.bytes == 2 * HEADER + len(LATE) + len("<t><price>9</price></t>")


def test_documents_without_queries_are_handed_over_whole(tmp_path: Path) -> None:
    (tmp_path / "plain.txt").write_text("/bib\n")
    outcome = only(bibliography(tmp_path, brokers=("1",), queries=None, file=str(tmp_path / "plain.txt")))
    row = summary_row(outcome)
    assert (row["bytes_delivered"], row["bytes_saved"]) == (2 * (HEADER + len(CHEAP)), 0)


def test_a_wrong_message_is_found_out(tmp_path: Path) -> None:
    experiment = bibliography(tmp_path)
    truth = truth_of(build_scenario(experiment))
    first, second = only(experiment).overlay.deliveries
    altered = replace(first, handed=replace(first.handed, messages=((0, fingerprint("<t/>")),)))
    assert compare(truth, [altered, second]).altered == ((0, "subscriber-1"),)
    missing = replace(first, handed=replace(first.handed, messages=()))
    assert compare(truth, [missing, second]).altered == ((0, "subscriber-1"),)
    assert not compare(truth, [first, second])


SMALL = ["--set", "unit=document", "--set", "documents.generate.number=2", "--set", "subscriptions.flwr.number=2"]


def test_the_command_shows_bytes() -> None:
    arguments = ["run", *SMALL, "--dtd", "bib", "--strategy", "with-adv-with-cov"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    assert "bytes delivered bytes saved altered" in result.stdout
    (row,) = json.loads(CliRunner().invoke(main, [*arguments, "--json"]).stdout)
    assert row["altered"] == 0
    assert row["bytes_delivered"] > 0


def test_an_altered_message_breaks_the_promise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MessageFactory, "message", lambda *_: "<wrong/>")
    result = CliRunner().invoke(main, ["run", *SMALL, "--dtd", "bib", "--strategy", "no-adv-no-cov"])
    assert result.exit_code == 1
    assert "no-adv-no-cov: altered: document 0 at subscriber-" in result.stderr


def test_queries_from_a_file_on_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "queries.xq"
    file.write_text(TITLES)
    options = ["--dtd", "bib", "--set", "unit=document", "--set", "documents.generate.number=5", "--json"]
    result = CliRunner().invoke(main, ["run", "--queries", str(file), *options])
    assert result.exit_code == 0, result.output
    assert len({row["bytes_delivered"] for row in json.loads(result.stdout)}) == 1
    file.write_text("<t>{ for $b in }</t>")
    result = CliRunner().invoke(main, ["run", "--queries", str(file), *options])
    assert (result.exit_code, result.stderr.startswith(f"error: {file}:1:16: expected document")) == (2, True)


def test_choices_that_make_no_sense(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="unit: FLWR queries need the unit 'document', not 'paths'"):
        Experiment("x", subscriptions=SubscriptionSpec(flwr=FlwrParameters(1)))
    with pytest.raises(ConfigurationError, match="a file of queries or drawn ones, not both"):
        SubscriptionSpec(queries="q.xq", flwr=FlwrParameters(1))
    missing = bibliography(tmp_path, queries=str(tmp_path / "none.xq"))
    with pytest.raises(ConfigurationError, match=r"none\.xq: cannot be read"):
        build_scenario(missing)
    (tmp_path / "queries.xq").write_text("<t/>")
    with pytest.raises(QueryError, match=r"queries\.xq:1:"):
        build_scenario(replace(missing, subscriptions=replace(missing.subscriptions, queries=f"{tmp_path}/queries.xq")))
