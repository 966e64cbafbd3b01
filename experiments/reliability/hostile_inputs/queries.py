"""FLWR queries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from experiments.reliability.hostile_inputs.case import DEEP, LONG, QUERY, XML, Case, Content


def queries() -> Iterator[Case]:
    """FLWR queries."""
    deliver = ("deliver", "--queries", "q.txt", "--out", "out", "d.xml")
    for name, content, says in _QUERIES:
        yield Case(f"deliver: {name}", deliver, says, {"q.txt": content, "d.xml": XML})
    yield Case(
        "deliver: queries are a directory",
        deliver,
        r"q\.txt: cannot be read: Is a directory",
        {"d.xml": XML},
        ("q.txt",),
    )


def _query(path: bytes = b"/a/b", returned: bytes = b"<g> { $b } </g>") -> bytes:
    return b'<r> { for $b in document("d")' + path + b" return " + returned + b" } </r>\n"


_QUERIES: Final[tuple[tuple[str, Content, str], ...]] = (
    ("not FLWR", b"select * from a", r"q\.txt:1:\d+: "),
    ("no binding", b'<r> { for $b in document("d") return <g/> } </r>', r"q\.txt:1:\d+: "),
    ("cut off", b'<r> { for $b in document("d")/a', r"q\.txt:1:\d+: "),
    ("tags that do not close", _query(returned=b"<g> { $b } </h>"), r"q\.txt:1:\d+: "),
    ("not UTF-8", b"\xff" + QUERY, r"q\.txt:1: expected UTF-8"),
    ("NUL byte", QUERY.replace(b"/a/b", b"/a\0/b"), r"q\.txt:1:\d+: "),
    ("second query wrong", QUERY + b"<r> { for }\n", r"q\.txt:2:\d+: "),
    ("100,000 steps", lambda: _query(b"/a" * DEEP), r"q\.txt:1:\d+: .*at most"),
    ("100,000 predicates", lambda: _query(b"/a" + b"[@b]" * DEEP), r"q\.txt:1:\d+: .*at most"),
    ("100,000 tags in one another", lambda: _query(returned=b"<g>" * DEEP), r"q\.txt:1:\d+: .*at most"),
    ("a name of 10 MB", lambda: _query(b"/" + b"a" * LONG), r"q\.txt:1:\d+: .*at most"),
    ("a tag of 10 MB", lambda: _query(returned=b"<" + b"g" * LONG + b"/>"), r"q\.txt:1:\d+: "),
    ("an entity in a tag", _query(returned=b"<g a='&lol;'> { $b } </g>"), r"q\.txt:1:\d+: "),
    ("a comment without end", b"(: " * 1_000, r"q\.txt:1:\d+: "),
)
