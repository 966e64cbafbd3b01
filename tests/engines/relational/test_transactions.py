"""Stores under attack: processes that die while they write, and processes that share a server."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from broker_sim.engines import create_engine
from broker_sim.engines.relational import Relational
from broker_sim.engines.relational.subscribing import levels_of
from broker_sim.engines.relational.tables import xpath_frame, xpath_pred
from broker_sim.errors import ConfigurationError
from broker_sim.xpath import parse_xpath
from tests.engines.relational.conftest import Place
from tests.engines.relational.test_databases import opened

WRITER = """
import sys
from broker_sim.engines.relational import Relational
from broker_sim.xpath import parse_xpath

engine = Relational(sys.argv[1], sys.argv[2])
for id in range(100_000):
    engine.add(id, parse_xpath(f"/a[b{id}[@x={id}]/c or d[.='{id}']]//e/f"))
    print(id, flush=True)
"""

READER = """
import sys
from broker_sim.engines.relational import Relational

with Relational("postgresql", sys.argv[1]) as engine:
    for _ in range(10):
        print(list(engine.match(sys.argv[2].encode())), flush=True)
"""

EXPRESSIONS = ("/a[b][c]", "/a/b[@x=1]", "//c", "/z")
DOCUMENT = "<a><b x='1'/><c/></a>"


def start(program: str, *arguments: object) -> subprocess.Popen[str]:
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])}
    command = [sys.executable, "-c", program, *map(str, arguments)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


def load(engine: Relational, ids: list[int]) -> None:
    with engine.loading():
        for id in ids:
            engine.add(id, parse_xpath("/a"))


def whole_subscriptions(engine: Relational) -> int:
    """How many subscriptions there are, all of whose rows are there, and no others."""
    store = engine.store
    kept = {int(str(id)): str(text) for id, text in store.query("SELECT id, expression FROM xpath", {})}
    expected = {
        (table(level).name, id, *row)
        for id, text in kept.items()
        for level, found in enumerate(levels_of(parse_xpath(text).disjuncts[0]), 1)
        for table, rows in ((xpath_frame, found.edges), (xpath_pred, found.predicates))
        for row in rows
    }
    names = [name for name in store.tables if name.startswith(("xpath_frame_", "xpath_pred_"))]
    assert {(name, *row) for name in names for row in store.query(f"SELECT * FROM {name}", {})} == expected
    return len(engine)


@pytest.mark.parametrize("place", ["duckdb", "postgresql"], indirect=True)
def test_a_killed_writer_leaves_whole_subscriptions(place: Place) -> None:
    options = place()
    process = start(WRITER, options["database"], options["location"])
    assert process.stdout is not None
    done = 0
    for line in process.stdout:
        done = int(line) + 1
        if done == 20:
            process.send_signal(signal.SIGKILL)
            break
    done += sum(1 for _ in process.stdout)
    process.wait(60)
    with opened(options) as engine:
        found = whole_subscriptions(engine)
        assert done <= found <= done + 1
        assert list(engine.match(b"<a><b3 x='3'><c/></b3><g><e><f/></e></g></a>")) == [3]


@pytest.mark.parametrize("place", ["duckdb", "postgresql"], indirect=True)
def test_a_failed_add_leaves_nothing(place: Place) -> None:
    with opened(place()) as engine:
        engine.add(1, parse_xpath("/a/b"))
        with pytest.raises(ValueError, match="taken"):
            engine.add_all([(5, parse_xpath("/a/b/c/d/e[f='x']")), (1, parse_xpath("/c"))])
        assert whole_subscriptions(engine) == 1
        with pytest.raises(ValueError, match="6 is taken"):
            load(engine, [6, 6])
        assert [id in engine for id in (1, 5, 6)] == [True, False, False]
        engine.add(5, parse_xpath("/a/b/c/d/e[f='x']"))
        assert list(engine.match(b"<a><b><c><d><e><f>x</f></e></d></c></b></a>")) == [1, 5]


def test_a_crash_between_parts_and_manifest_changes_nothing(spark: object, tmp_path: Path) -> None:
    """Spark's store: what no manifest lists does not count."""
    with Relational("spark", str(tmp_path)) as engine:
        engine.add_all((id, parse_xpath("/a")) for id in range(3))
        manifest = (tmp_path / "manifest.json").read_bytes()
        parts = {file: file.read_bytes() for file in tmp_path.glob("part-*/*")}
        engine.remove(1)
    for file, content in parts.items():
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(content)
    (tmp_path / "manifest.json").write_bytes(manifest)
    with Relational("spark", str(tmp_path)) as engine:
        assert [id in engine for id in range(4)] == [True, True, True, False]


@pytest.mark.parametrize(
    ("manifest", "message"),
    [
        ("parts", "no store of subscriptions"),
        ("[]", "no store of subscriptions"),
        ("{}", "no store of subscriptions"),
        ('{"parts": ["part-1"]}', "the store lacks part-1, which its manifest lists"),
    ],
)
def test_a_folder_that_is_no_store(spark: object, tmp_path: Path, manifest: str, message: str) -> None:
    (tmp_path / "manifest.json").write_text(manifest)
    with pytest.raises(ConfigurationError, match=message):
        Relational("spark", str(tmp_path))


def test_processes_match_against_one_server(postgresql_place: Place) -> None:
    options = postgresql_place()
    with opened(options) as engine:
        engine.add_all((id, parse_xpath(text)) for id, text in enumerate(EXPRESSIONS))
        readers = [start(READER, options["location"], DOCUMENT) for _ in range(2)]
        end = time.monotonic() + 60
        while any(reader.poll() is None for reader in readers) and time.monotonic() < end:
            engine.add(99, parse_xpath("/z[y='1']"))
            engine.remove(99)
            time.sleep(0.02)
        assert [reader.communicate(timeout=60)[0].split("\n") for reader in readers] == [["[0, 1, 2]"] * 10 + [""]] * 2


def test_a_snapshot_sees_one_state(postgresql_place: Place) -> None:
    options = postgresql_place()
    count = "SELECT COUNT(*) FROM xpath"
    with opened(options) as reader, opened(options) as writer:
        with reader.store.snapshot():
            before = reader.store.query(count, {})
            writer.add(1, parse_xpath("/a/b/c"))
            assert reader.store.query(count, {}) == before == [(0,)]
        assert list(reader.match(b"<a><b><c/></b></a>")) == [1]


def test_a_file_belongs_to_one_process(tmp_path: Path) -> None:
    location = str(tmp_path / "store.duckdb")
    process = start(WRITER, "duckdb", location)
    assert process.stdout is not None
    process.stdout.readline()
    try:
        with pytest.raises(ConfigurationError, match="DuckDB cannot open it"):
            Relational(location=location)
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"database": "oracle"}, "unknown database 'oracle'; expected one of duckdb, postgresql, spark"),
        ({"memory": "much"}, "DuckDB cannot open it"),
        ({"location": "/nowhere/at/all.duckdb"}, "/nowhere/at/all.duckdb: DuckDB cannot open it"),
        ({"database": "postgresql"}, "needs a location"),
        ({"database": "postgresql", "location": "host=/nowhere"}, "cannot be reached"),
        ({"database": "postgresql", "location": "x", "memory": "1GB"}, "set at the server"),
        ({"database": "spark", "memory": "1GB"}, "set when it starts"),
        ({"pairs": True}, "pairs is True, expected a number from 1"),
        ({"pairs": 0}, "pairs is 0, expected a number from 1"),
        ({"cutting": "maybe"}, "cutting of engine 'relational' is 'maybe', expected true or false"),
        ({"speed": 1}, "unknown option speed"),
    ],
)
def test_wrong_options(options: dict[str, object], message: str) -> None:
    if options.get("database") == "postgresql":
        pytest.importorskip("psycopg")
    with pytest.raises(ConfigurationError) as error:
        create_engine("relational", **options)
    assert message in str(error.value)
