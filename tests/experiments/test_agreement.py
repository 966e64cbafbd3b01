"""`experiments/benchmarks/agreement.py` on two small documents."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "experiments/benchmarks/agreement.py", *words],
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_counts(tmp_path: Path) -> None:
    (tmp_path / "one.xml").write_text("<a x='1'><b y='two'>3<c/></b><b><d>5</d></b></a>")
    (tmp_path / "two.xml").write_text("<a><b><c x='7'>long text</c></b><e/></a>")
    queries = tmp_path / "queries.txt"
    queries.write_text("/a/b\n/a[1]\n\n//b[c]/d\n")
    done = run("--queries", str(queries), "--generated", "50", "--", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "2 documents, 53 queries, 1 outside the language" in done.stdout
    assert "yfilter: 104 pairs, 0 differ" in done.stdout
    assert "lazy-dfa: 104 pairs, 0 differ" in done.stdout


def test_a_dtd_is_read_only_on_request(tmp_path: Path) -> None:
    (tmp_path / "a.dtd").write_text("<!ELEMENT a (#PCDATA)><!ENTITY e 'here'>")
    document = tmp_path / "a.xml"
    document.write_text("<!DOCTYPE a SYSTEM 'a.dtd'><a>&e;</a>")
    queries = tmp_path / "queries.txt"
    queries.write_text("/a[text() = 'here']\n")
    refused = run(str(document), "--queries", str(queries))
    assert refused.returncode == 2
    assert "a.xml:1:" in refused.stderr
    trusted = run(str(document), "--load-dtd", "--queries", str(queries))
    assert "1 matches by lxml" in trusted.stdout, trusted.stderr
