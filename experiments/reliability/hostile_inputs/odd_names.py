"""Names with characters that mean something to a shell, to SQL, to HTML or to a file system."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from experiments.reliability.hostile_inputs.case import GRAPH, QUERY, XML, Case


def odd_names() -> Iterator[Case]:
    """Names with characters that mean something to a shell, to SQL, to HTML or to a file system."""
    digits = {"t.graphml": GRAPH.replace(b'"1"', b'"' + b"1" * 5_000 + b'"')}
    yield Case("topology: a broker named by 5,000 digits", ("topology", "show", "t.graphml"), "", digits, code=0)
    for name in _ODD:
        files = {"s.txt": b"/a/b\n", f"d/{name}.xml": XML}
        yield Case(
            f"match: a document named {name!r}",
            ("match", "--subscriptions", "s.txt", f"d/{name}.xml"),
            "",
            files,
            code=0,
        )
        yield Case(
            f"deliver: a document named {name!r}",
            ("deliver", "--queries", "q.txt", "--out", "out", f"d/{name}.xml"),
            "",
            {"q.txt": QUERY, f"d/{name}.xml": XML},
            code=0,
            writes=("out", f"out/{name}.1.xml"),
        )
        topology = GRAPH.replace(b'"1"', f'"{_escaped(name)}"'.encode())
        yield Case(
            f"topology: a broker named {name!r}",
            ("topology", "generate", "t.graphml", "--out", "o.graphml"),
            "",
            {"t.graphml": topology},
            code=0,
            writes=("o.graphml",),
        )
        if "\n" in name:
            continue
        sql = f"/a[b={_quoted(name)}]\n".encode()
        yield Case(
            f"match: a value {name!r} in SQL",
            ("match", "--engine", "relational", "--subscriptions", "s.txt", "d.xml"),
            "",
            {"s.txt": sql, "d.xml": f"<a><b>{_escaped(name)}</b></a>".encode()},
            code=0,
        )
    sweep = b"[experiment]\nbase='paper-traffic'\ntopology='../../../tmp/{size}'\n[axes]\nsize=[2]\n"
    yield Case(
        "sweep: a name that climbs",
        ("sweep", "e.toml", "--master", "loop", "--out", "out", "--dry-run"),
        "",
        {"e.toml": sweep},
        code=0,
    )
    run = ("run", "--topology", "line:n=2", "--strategy", "../../x", "--out", "out")
    yield Case("run: a strategy that climbs", run, r"strategies.*\.\./\.\./x")


_ODD: Final = (
    "$(touch owned)",
    "; touch owned #",
    "' OR 1=1; DROP TABLE xpath; --",
    '"><script>alert(1)</script>'.replace("/", "\u2215"),
    "..",
    "-rf",
    "%s%n{0}[red]",
    "\u202egpj.a b\u00e9",
    "new\nline",
)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;").replace("\n", "&#10;")


def _quoted(text: str) -> str:
    return f'"{text}"' if '"' not in text else f"'{text}'"
