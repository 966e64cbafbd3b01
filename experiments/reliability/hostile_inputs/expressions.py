"""XPath, in files and on the command line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from experiments.reliability.hostile_inputs.case import DEEP, LONG, XML, Case, Content


def expressions() -> Iterator[Case]:
    """XPath, in files and on the command line."""
    match = ("match", "--subscriptions", "s.txt", "d.xml")
    for name, content, says in _EXPRESSIONS:
        yield Case(f"match: {name}", match, says, {"s.txt": content, "d.xml": XML})
    yield Case(
        "match: subscriptions are a directory",
        match,
        r"s\.txt: cannot be read: Is a directory",
        {"d.xml": XML},
        ("s.txt",),
    )
    yield Case("match: an empty file, no subscription", match, "", {"s.txt": b"", "d.xml": XML}, code=0)
    for first in ("", "/", "//", "/a[", "/a[1]", "count(/a)", "/a'; DROP TABLE xpath; --", "$(reboot)", "<script>"):
        yield Case(f"relate: {first!r}", ("relate", "covers", first, "/b"), r"error: 1:?\d*: |error: \d+: ")
    run = ("run", "--topology", "line:n=2", "--subscriptions", "s.txt", "--out", "out")
    yield Case("run: XPath outside the language", run, r"s\.txt:2:\d+: ", {"s.txt": b"/a\n/a[position()=1]\n"})
    yield Case("run: a tree pattern in the unit paths", run, r"s\.txt:1: .*predicates", {"s.txt": b"/a[b]\n"})
    cases = ("relate", "--cases", "c.jsonl")
    for name, content in {"no JSON": b"{", "deep JSON": b"[" * DEEP, "NUL": b"\0", "a list": b"[]"}.items():
        yield Case(f"relate --cases: {name}", cases, r"c\.jsonl:1(:\d+)?: ", {"c.jsonl": content})
    for text in ("", "a", "/a(", "/a(/b)", "/a)+", "(" * DEEP):
        yield Case(f"relate: advertisement {text[:20]!r}", ("relate", "overlap", text, "/b"), r"error: ")


_EXPRESSIONS: Final[tuple[tuple[str, Content, str], ...]] = (
    ("not XPath", b"/a\n/a[[b]]\n", r"s\.txt:2:4: "),
    ("not UTF-8", b"/a\n/\xff\n", r"s\.txt:2: expected UTF-8"),
    ("UTF-16", "/a\n".encode("utf-16"), r"s\.txt:1: expected UTF-8"),
    ("NUL byte", b"/a\0b\n", r"s\.txt:1:3: "),
    ("100,000 steps", lambda: b"/a" * DEEP, r"s\.txt:1:\d+: .*at most"),
    ("1,001 steps", lambda: b"/a" * 1_001, r"s\.txt:1:\d+: .*at most 1000 steps"),
    ("100,000 predicates", lambda: b"/a" + b"[b]" * DEEP, r"s\.txt:1:\d+: .*at most"),
    ("20,000 predicates", lambda: b"/a" + b"[b]" * 20_000, r"s\.txt:1:\d+: .*at most 1000 steps"),
    ("100,000 brackets in one another", lambda: b"/a" + b"[a" * DEEP + b"]" * DEEP, r"s\.txt:1:\d+: .*at most"),
    ("20,000 brackets in one another", lambda: b"/a" + b"[a" * 20_000 + b"]" * 20_000, r"s\.txt:1:\d+: .*at most 50"),
    ("20,000 parentheses", lambda: b"/a[" + b"(" * 20_000 + b"b" + b")" * 20_000 + b"]", r"s\.txt:1:\d+: .*at most 50"),
    ("2^20 paths by or", b"/a" + b"[b or c]" * 20, r"s\.txt:1:\d+: .*at most 64"),
    ("a name of 10 MB", lambda: b"/" + b"a" * LONG, r"s\.txt:1:\d+: .*at most"),
    ("a number of 5,000 digits", lambda: b"/a[b=" + b"9" * 5_000 + b"]", r"s\.txt:1:\d+: .*double"),
    ("a literal without end", b"/a[b='", r"s\.txt:1:\d+: .*closing"),
    ("a surrogate", b"/a[b='\xed\xa0\x80']", r"s\.txt:1: expected UTF-8"),
)
