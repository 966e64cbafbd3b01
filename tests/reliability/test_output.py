"""Places that cannot be written to: an error that names the place, exit code 2, and nothing half-written.

A full disk is a tmpfs of a few pages where this process may mount one. Everywhere, RLIMIT_FSIZE stands in for it: the
same call to `write` fails, with another reason (the file is too large). Standard output fails on /dev/full.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from experiments.reliability.hostile_inputs import DTD, GRAPH, QUERY, XML, written
from experiments.reliability.limited import Launcher, Limits

SMALL = ("--topology", "line:n=2", "--set", "subscriptions.generate.number=20", "--set", "documents.generate.number=2")
RUN = ("run", *SMALL, "--strategy", "with-adv-with-cov")
WRITERS = {
    "run": (*RUN, "--out", "OUT/results"),
    "sweep": ("sweep", "e.toml", "--master", "loop", "--out", "OUT/results"),
    "ads": ("ads", "nitf", "--form", "paths", "--max-depth", "7", "--limit", "100000", "--out", "OUT/ads.txt"),
    "topology": ("topology", "generate", "ring:n=1000", "--out", "OUT/ring.graphml"),
    "xpaths": ("workload", "xpaths", "nitf", "--number", "3000", "--out", "OUT/paths.txt"),
    "documents": ("workload", "documents", "nitf", "--number", "9", "--size", "40000", "--out", "OUT/documents"),
    "deliver": ("deliver", "--queries", "q.txt", "--out", "OUT/messages", "large.xml"),
    "chunk": ("chunk", "split", "--subscriptions", "s.txt", "--out", "OUT/chunks", "large.xml"),
}


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A folder with input for every command; OUT is where they write."""
    (tmp_path / "q.txt").write_bytes(QUERY)
    (tmp_path / "s.txt").write_bytes(b"/a/b\n")
    (tmp_path / "large.xml").write_bytes(b"<a>" + b"<b>0123456789</b>" * 5_000 + b"</a>")
    settings = "topology='line:n=2'\nsubscriptions.generate.number=20\ndocuments.generate.number=2"
    (tmp_path / "e.toml").write_text(f"[experiment]\n{settings}\nstrategies=['with-adv-no-cov']\n")
    return tmp_path


@pytest.fixture
def full_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=16k", "broker-sim-test", str(place)]
    if os.geteuid() or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only where a tmpfs can be mounted")
    yield place
    subprocess.run(["umount", str(place)], check=True)


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "fixed"
    place.mkdir()
    if os.geteuid():
        place.chmod(0o555)
        yield place
        place.chmod(0o755)
        return
    mount = ["mount", "-t", "tmpfs", "-o", "ro", "broker-sim-test", str(place)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("root may write anywhere, and no read-only file system can be mounted")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def call(launch: Launcher, command: tuple[str, ...], folder: Path, out: str, limits: Limits | None = None) -> str:
    """The error of a command that cannot write; it left nothing, or, for a sweep, its plan."""
    before = written(folder)
    words = [word.replace("OUT", out) for word in command]
    answer = launch(words, folder, limits or Limits())
    assert answer.code == 2, answer.stderr
    assert "Traceback" not in answer.stderr
    new = {name for name in written(folder) - before if not (folder / name).is_dir()}
    assert {Path(name).name for name in new} <= {"plan.json", "specification.json"}
    assert all(json.loads((folder / name).read_text()) for name in new)
    return answer.stderr


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk(name: str, broker_sim: Launcher, work: Path, full_disk: Path) -> None:
    (full_disk / "filler").write_bytes(b"x" * 12_288)
    assert "cannot write here: No space left on device" in call(broker_sim, WRITERS[name], work, str(full_disk))


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_that_may_not_grow(name: str, broker_sim: Launcher, work: Path) -> None:
    assert "cannot write here: File too large" in call(broker_sim, WRITERS[name], work, ".", Limits(file_size=1_000))


@pytest.mark.parametrize("name", WRITERS)
def test_a_read_only_folder(name: str, broker_sim: Launcher, work: Path, read_only: Path) -> None:
    assert "cannot write here: " in call(broker_sim, WRITERS[name], work, str(read_only))


@pytest.mark.parametrize("name", ["run", "topology", "deliver"])
@pytest.mark.parametrize("target", ["loop", "nowhere/at/all", "large.xml"], ids=["itself", "nothing", "a file"])
def test_a_link_that_leads_nowhere(name: str, target: str, broker_sim: Launcher, work: Path) -> None:
    (work / "loop").symlink_to(target)
    assert "cannot write here: " in call(broker_sim, WRITERS[name], work, "loop")


def test_links_are_followed_to_folders_and_replaced_as_files(broker_sim: Launcher, work: Path) -> None:
    (work / "real").mkdir()
    (work / "link").symlink_to("real")
    precious = work / "precious"
    precious.write_text("keep")
    (work / "real" / "ring.graphml").symlink_to(precious)
    answer = broker_sim(["topology", "generate", "ring:n=5", "--out", "link/ring.graphml"], work, Limits())
    assert answer.code == 0, answer.stderr
    assert precious.read_text() == "keep"
    assert not (work / "real" / "ring.graphml").is_symlink()
    assert (work / "link").is_symlink()


@pytest.mark.parametrize(
    "command",
    [("--help",), ("--version",), ("run", "--help"), ("topology", "list"), ("ads", "nitf", "--json"), (*RUN, "--json")],
)
def test_standard_output_is_full(command: tuple[str, ...], broker_sim: Launcher, work: Path) -> None:
    answer = broker_sim(command, work, Limits(), stdout="/dev/full")
    assert answer.code == 2, answer.stderr
    assert answer.stderr == "error: No space left on device\n"


def test_nothing_reaches_the_network(broker_sim: Launcher, work: Path) -> None:
    """Whatever a document, a DTD or a topology asks for, nobody calls."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"http://127.0.0.1:{server.getsockname()[1]}/x".encode()
        module = b'<!ENTITY %% m SYSTEM "%s">\n%%m;\n' % address
        entity = b'<!DOCTYPE a SYSTEM "%s" [<!ENTITY e SYSTEM "%s">%s]>' % (address, address, module)
        (work / "a.dtd").write_bytes(module + DTD)
        (work / "d.xml").write_bytes(entity + XML.replace(b"1", b"&e;"))
        (work / "i.xml").write_bytes(
            b'<a xmlns:x="http://www.w3.org/2001/XInclude"><x:include href="%s"/></a>' % address
        )
        (work / "t.graphml").write_bytes(entity.replace(b"DOCTYPE a", b"DOCTYPE graphml") + GRAPH)
        for command in (
            ("ads", "a.dtd"),
            ("ads", "--allow-outside", "a.dtd"),
            ("match", "--subscriptions", "s.txt", "d.xml", "i.xml"),
            ("match", "--engine", "lxml", "--subscriptions", "s.txt", "d.xml", "i.xml"),
            ("match", "--engine", "xtrie", "--stream", "--subscriptions", "s.txt", "d.xml", "i.xml"),
            ("deliver", "--queries", "q.txt", "d.xml", "i.xml"),
            ("chunk", "match", "--subscriptions", "s.txt", "d.xml", "i.xml"),
            ("topology", "show", "t.graphml"),
        ):
            assert broker_sim(command, work, Limits()).code == 2, command
        server.settimeout(0.1)
        with pytest.raises(TimeoutError):
            server.accept()
