"""`broker-sim run`."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from pyroaring import BitMap

from broker_sim.cli import main
from broker_sim.experiment import shipped_experiments
from broker_sim.experiment.ground_truth import Verdict
from broker_sim.routing import KINDS, STRATEGIES
from broker_sim.routing.clients import Clients

REQUIRED = {
    "strategy",
    "seed",
    "messages_received",
    "advertise_messages",
    "unadvertise_messages",
    "subscribe_messages",
    "unsubscribe_messages",
    "publish_messages",
    "srt_total",
    "prt_total",
    "prt_max",
    "false_positives",
    "schema_version",
    "missed",
    "unwanted",
    "delay_p50",
    "delay_p99",
    "wall_seconds",
}
SMALL = ("--set", "subscriptions.generate.number=40", "--set", "documents.generate.number=3")


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["run", *arguments])


def test_the_traffic_of_the_paper() -> None:
    rows = {row["strategy"]: row for row in json.loads(invoke("paper-traffic", "--json").stdout)}
    assert list(rows) == list(STRATEGIES)
    for row in rows.values():
        assert row.keys() >= REQUIRED
        assert row["missed"] == row["unwanted"] == 0
        assert row["messages_received"] == sum(row[f"{kind}_messages"] for kind in KINDS)
        assert row["false_positives"] == 0 or row["strategy"].endswith("imperfect")
    assert rows["no-adv-no-cov"]["subscribe_messages"] == 4_000 * 8
    assert rows["with-adv-no-cov"]["subscribe_messages"] == 13_000
    assert rows["with-adv-no-cov"]["advertise_messages"] == 8 * 89
    total = {name: row["messages_received"] for name, row in rows.items()}
    assert total["with-adv-no-cov"] < total["no-adv-no-cov"]
    assert total["with-adv-with-cov"] < total["no-adv-with-cov"] < total["no-adv-no-cov"]
    assert total["with-adv-with-cov"] < total["with-adv-no-cov"]


def test_tables_and_the_verdict_are_printed() -> None:
    result = invoke("paper-traffic", *SMALL)
    assert result.exit_code == 0
    assert "strategy" in result.stdout
    assert "58,138" not in result.stdout, "the paper's figures belong to its own workload"
    assert "checked against lxml: 0 missed, 0 unwanted." in result.stdout
    assert all(name in result.stdout for name in STRATEGIES)
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_the_kinds_that_are_printed_add_up() -> None:
    """Covered advertisements are taken back, which is told where it happens."""
    options = ["--set", "publishers.number=3", "--strategy", "with-adv-with-cov+adv-cov"]
    heads, row = invoke("paper-traffic", *SMALL, *options).stdout.splitlines()[2:4]
    assert heads.split() == ["strategy", "messages", "adv", "unadv", "sub", "unsub", "pub"]
    total, *kinds = (int(number.replace(",", "")) for number in row.split()[1:])
    assert kinds[1] > 0
    assert sum(kinds) == total


def test_results_are_written_as_parquet(tmp_path: Path) -> None:
    result = invoke("paper-traffic", *SMALL, "--out", str(tmp_path), "--strategy", "no-adv-no-cov", "--json")
    assert result.exit_code == 0
    (row,) = json.loads(result.stdout)
    assert pq.read_table(tmp_path / "summary").to_pylist() == [row]
    brokers = pq.read_table(tmp_path / "brokers").to_pylist()
    assert sum(broker["messages_received"] for broker in brokers) == row["messages_received"]
    links = pq.read_table(tmp_path / "links").to_pylist()
    assert sum(link["bytes"] for link in links) == row["bytes_sent"]
    assert pq.read_table(tmp_path / "timeline").to_pylist()[-1]["prt_total"] == row["prt_total"]


def test_own_files(tmp_path: Path) -> None:
    (tmp_path / "own.dtd").write_text("<!ELEMENT a (b|c)*><!ELEMENT b (#PCDATA)><!ELEMENT c (b)>")
    (tmp_path / "subscriptions.txt").write_text("/a/b\n# a note\n//c/b or /a/c\nb\n")
    documents = tmp_path / "documents"
    documents.mkdir()
    (documents / "1.xml").write_text("<a><b>1</b></a>")
    (documents / "2.xml").write_text("<a><c><b/></c></a>")
    options = ("--dtd", "own.dtd", "--subscriptions", "subscriptions.txt", "--documents", "documents")
    given = [str(tmp_path / each) if not each.startswith("--") else each for each in options]
    result = invoke("paper-traffic", *given, "--topology", "line:n=3", "--json")
    assert result.exit_code == 0, result.output
    assert {row["deliveries"] for row in json.loads(result.stdout)} == {3}


def test_the_unit_document(tmp_path: Path) -> None:
    result = invoke("paper-traffic", *SMALL, "--set", "unit=document", "--json")
    assert result.exit_code == 0
    rows = json.loads(result.stdout)
    assert {row["missed"] for row in rows} == {0}
    assert all(row["publish_messages"] <= 3 * 8 for row in rows)


def test_no_verify_says_so() -> None:
    result = invoke("paper-traffic", *SMALL, "--no-verify")
    assert result.exit_code == 0
    assert "Deliveries were not checked." in result.stdout


def test_a_broken_promise_is_exit_code_1(monkeypatch: pytest.MonkeyPatch) -> None:
    """A broker that forgets one client and notifies the others again and again is found out."""

    def forgetful(clients: Clients, matches: BitMap, doc_id: int) -> list[str]:
        return [client for client in clients.tables if client != "subscriber-1"]

    monkeypatch.setattr(Clients, "to_notify", forgetful)
    result = invoke("paper-traffic", *SMALL, "--set", "documents.generate.number=7", "--strategy", "no-adv-no-cov")
    assert result.exit_code == 1
    assert "no-adv-no-cov: missed: document 0 at subscriber-1" in result.stderr
    assert "missed: and 2 more" in result.stderr
    assert "unwanted: document 0 at subscriber-2" in result.stderr


def test_an_interrupt_keeps_what_was_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def interrupted(*arguments: object) -> Verdict:
        calls.append(1)
        if len(calls) > 1:
            raise KeyboardInterrupt
        return Verdict((), ())

    monkeypatch.setattr("broker_sim.experiment.running.compare", interrupted)
    result = invoke("paper-traffic", *SMALL, "--json")
    assert result.exit_code == 130
    assert [row["strategy"] for row in json.loads(result.stdout)] == ["no-adv-no-cov"]
    assert "interrupted" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "no experiment 'nowhere'"),
        (["nowhere.toml"], "nowhere.toml: cannot be read"),
        (["--set", "sed=3"], "sed: is unknown; did you mean 'seed'?"),
        (["--set", "seed=many"], "seed: expected a whole number, not 'many'"),
        (["--set", "seed"], "expected key=value"),
        (["--set", "seed.x=1"], "is a value, not a table"),
        (["--set", "kind=fast"], "kind: expected one of overlay, table-size, routing-time, filtering-time, not 'fast'"),
        (["--set", "engine=warp"], "unknown engine 'warp'"),
        (["--set", "unit=letters"], "unit: expected one of 'paths', 'document', not 'letters'"),
        (["--set", "subscriptions.generate.predicates=1"], "unit: tree patterns need the unit 'document'"),
        (["--set", "strategies=[]"], "strategies: name at least one"),
        (["--strategy", "best"], "strategies: unknown strategy 'best'"),
        (["--set", "max_degree=1.5"], "imperfect degree"),
        (["--set", "network.links.latency=-1"], "network.links.latency: must not be negative"),
        (["--set", "network.links.bandwidth=0"], "network.links.bandwidth: must be above 0"),
        (["--set", "network.service.publish=-1"], "network.service.publish: must not be negative"),
        (["--set", "network.publish_interval=-1"], "network.publish_interval: must not be negative"),
        (["--set", "publishers.number=0"], "publishers.number: expected at least one publisher"),
        (["--set", 'publishers.brokers=["9"]'], "has no broker '9'"),
        (["--set", "subscriptions.generate.wildcard=2"], "subscriptions.generate.wildcard"),
        (["--set", "documents.generate=3"], "documents.generate: expected a table"),
        (["--topology", "nowhere"], "nowhere"),
        (["--dtd", "nowhere"], "nowhere"),
        (["--subscriptions", "nowhere.txt"], "nowhere.txt: cannot be read"),
        (["--documents", "nowhere"], "nowhere"),
    ],
)
def test_bad_input_is_exit_code_2(arguments: list[str], message: str) -> None:
    result = invoke("paper-traffic", *arguments) if arguments[0].startswith("--") else invoke(*arguments)
    assert result.exit_code == 2, result.output
    assert message in result.stderr


def test_bad_lines_have_their_place(tmp_path: Path) -> None:
    file = tmp_path / "subscriptions.txt"
    file.write_text("/a\n  /a[\n")
    result = invoke("paper-traffic", "--subscriptions", str(file))
    assert result.exit_code == 2
    assert f"{file}:2:6:" in result.stderr
    file.write_text("/a\n/a[b > 2]\n")
    result = invoke("paper-traffic", "--subscriptions", str(file))
    assert result.exit_code == 2
    assert f"{file}:2" in result.stderr
    assert "takes steps over" in result.stderr


def test_a_malformed_document_has_its_place(tmp_path: Path) -> None:
    (tmp_path / "1.xml").write_text("<a>\n<b></a>")
    result = invoke("paper-traffic", "--documents", str(tmp_path))
    assert result.exit_code == 2
    assert f"{tmp_path / '1.xml'}:2:" in result.stderr


def test_bad_toml_has_its_place(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text("seed = \n")
    result = invoke(str(file))
    assert result.exit_code == 2
    assert "is no TOML" in result.stderr
    assert "line 1" in result.stderr


def test_table_size_and_routing_time(tmp_path: Path) -> None:
    parts = 'sets={"A"=[{number=60},{number=60,wildcard=0.1}],"B"=[{number=60},{number=60,descendant=0.1}]}'
    result = invoke("paper-table-size", "--set", parts, "--set", "sizes=[20,100]", "--json", "--out", str(tmp_path))
    assert result.exit_code == 0, result.output
    rows = json.loads(result.stdout)
    assert [(row["set"], row["queries"]) for row in rows] == [("A", 20), ("A", 100), ("B", 20), ("B", 100)]
    assert all(0 < row["table_schema_covering"] <= row["table_covering"] <= row["queries"] for row in rows)
    assert pq.read_table(tmp_path / "table-size.parquet").to_pylist() == rows
    small = ("--set", parts, "--set", "queries=100", "--set", "documents.number=3", "--set", "engines.scan=5")
    result = invoke("paper-routing-time", *small)
    assert result.exit_code == 0, result.output
    assert "lazy-dfa" in result.stdout
    assert "13.96" not in result.stdout, "the paper's figures belong to its own workload"


def test_every_shipped_experiment_loads() -> None:
    assert {"paper-traffic", "paper-table-size", "paper-routing-time", "scale"} <= set(shipped_experiments())


@pytest.mark.parametrize("name", [name for name in shipped_experiments() if name.startswith("faults-")])
def test_shipped_faults_are_survived(name: str) -> None:
    plain, reliable = json.loads(invoke(name, "--json", "--set", "documents.generate.number=100").output)
    assert reliable["strategy"].endswith("+reliable")
    assert plain["lost"] > 0
    assert (reliable["lost"], reliable["missed"], reliable["unwanted"], reliable["kept"]) == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("override", "words"),
    [
        ("faults.loss=1.0", "faults.loss: expected a probability"),
        ("faults.crashes=[{broker='9', at=1.0}]", "paper-8 has no broker '9'"),
        ("faults.crashes=[{broker='1', at=-1.0}]", "faults.crashes[0].at: expected a time from 0"),
        ("faults.crashes=[{broker='1', at=1.0, state='gone'}]", "faults.crashes[0].state: expected one of"),
        ("faults.cuts=[{link=['1','8'], at=1.0}]", "paper-8 has no link '1' - '8'"),
        ("faults.cuts=[{link=['1'], at=1.0}]", "faults.cuts[0].link: expected two brokers"),
        ("faults.slowdowns=[{broker='1', at=1.0, factor=0.0}]", "faults.slowdowns[0].factor: must be more than 0"),
        ("faults.rates.crashes=-1.0", "faults.rates.crashes: expected a number from 0"),
        ("network.reliability.timeout=0.1", "network.reliability.timeout: expected at least two heartbeats"),
        ("strategies=['no-adv-no-cov+reliable']", "needs a strategy with advertisements"),
    ],
)
def test_wrong_faults_are_refused(override: str, words: str) -> None:
    done = invoke("paper-traffic", "--set", override)
    assert done.exit_code == 2
    assert words in done.stderr


@pytest.mark.parametrize("name", ["paper-chunking", "paper-delivery", "paper-relational"])
def test_studies_are_referred_to_their_command(name: str) -> None:
    done = invoke(name)
    assert done.exit_code == 2
    assert f"{name}: is measured by another command: " in done.stderr
    assert name not in shipped_experiments()
