"""GraphML files and generators."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from experiments.reliability.hostile_inputs.case import DEEP, GRAPH, LAUGHS, LONG, Case, Content


def topologies() -> Iterator[Case]:
    """GraphML files and generators."""
    show = ("topology", "show", "t.graphml")
    for name, content, says in _TOPOLOGIES:
        yield Case(f"topology: {name}", show, says, {"t.graphml": content})
    yield Case(
        "topology: a directory", show, r"t\.graphml: expected a GraphML file, found a folder", folders=("t.graphml",)
    )
    yield Case("topology: no such file", show, r"t\.graphml: expected a GraphML file, found nothing")
    for spec in (
        "ring:n=-1",
        "ring:n=nan",
        "ring:n=inf",
        "ring:n=1e9",
        "ring:n=999999999",
        f"ring:n={'9' * 5_000}",
        "waxman:n=10,alpha=nan,beta=0.5",
        "tree:branching=2,depth=100000",
        "nothing:n=3",
        "ring:;reboot",
        "a\0b:n=3",
    ):
        yield Case(f"topology: {spec[:40]}", ("topology", "generate", spec, "--out", "o.graphml"), r"error: .{3,}")
    run = ("run", "--topology", "t.graphml", "--out", "out")
    yield Case("run: malformed topology", run, r"t\.graphml:1:\d+: ", {"t.graphml": b"<graphml>"})


def _many(tag: bytes) -> bytes:
    many = (
        b"".join(b'<node id="%d"/>' % n for n in range(1_000_000))
        if tag == b"node"
        else b'<node id="1"/><node id="2"/>' + b'<edge source="1" target="2"/>' * 1_000_001
    )
    return b"<graphml><graph>" + many + b"</graph></graphml>"


def _link(**data: str) -> bytes:
    values = "".join(f'<data key="{key}">{value}</data>' for key, value in data.items())
    keys = "".join(f'<key id="{key}" for="edge" attr.name="{key}" attr.type="double"/>' for key in data)
    text = GRAPH.decode().replace('target="2"/>', f'target="2">{values}</edge>')
    return text.replace("<graph ", f"{keys}<graph ").encode()


_TOPOLOGIES: Final[tuple[tuple[str, Content, str], ...]] = (
    ("empty file", b"", r"t\.graphml(:\d+)*: "),
    ("not well-formed", b"<graphml><graph>", r"t\.graphml:1:\d+: "),
    ("another root", b"<html/>", r"t\.graphml:1: expected <graphml>"),
    ("no graph", b"<graphml/>", r"t\.graphml.*: expected one graph"),
    ("no node", b"<graphml><graph/></graphml>", r"t\.graphml.*: .*no nodes"),
    ("NUL byte", GRAPH.replace(b'"1"', b'"\0"'), r"t\.graphml:1:\d+: "),
    ("not UTF-8", GRAPH.replace(b'"1"', b'"\xff"'), r"t\.graphml:1:\d+: "),
    ("an edge to nowhere", GRAPH.replace(b'target="2"', b'target="3"'), r"t\.graphml:1: .*'3'"),
    (
        "an edge to a name of 1 MB",
        GRAPH.replace(b'target="2"', b'target="' + b"3" * 1_000_000 + b'"'),
        r"t\.graphml:1: ",
    ),
    ("the same node twice", GRAPH.replace(b'"2"', b'"1"'), r"t\.graphml:1: a second node"),
    ("two parts", GRAPH.replace(b'<edge source="1" target="2"/>', b""), r"t\.graphml: .*not connected"),
    ("a million nodes", lambda: _many(b"node"), r"t\.graphml: 1,000,000 nodes: at most 100,000"),
    ("a million links", lambda: _many(b"edge"), r"t\.graphml: 1,000,001 edges: at most 1,000,000"),
    ("100,000 levels", lambda: b"<graphml>" + b"<graph><node>" * DEEP, r"t\.graphml:1:\d+: "),
    ("a name of 10 MB", lambda: GRAPH.replace(b'"1"', b'"' + b"1" * (LONG + 1) + b'"'), r"t\.graphml:1:\d+: "),
    ("latency NaN", _link(latency="NaN"), r"link 1 - 2: latency must be a number of at least 0"),
    ("latency infinite", _link(latency="1e999"), r"link 1 - 2: latency must be a number of at least 0"),
    ("latency negative", _link(latency="-1"), r"link 1 - 2: latency must be a number of at least 0"),
    ("bandwidth zero", _link(bandwidth="0"), r"link 1 - 2: bandwidth must be more than 0"),
    ("latency is text", _link(latency="slow"), r"t\.graphml.*: "),
    (
        "billion laughs",
        b"<!DOCTYPE graphml [" + LAUGHS + b"]><graphml><graph><node id='&l9;'/></graph></graphml>",
        r"t\.graphml.*: .*(entit|amplification)",
    ),
    (
        "entity from a file",
        b'<!DOCTYPE graphml [<!ENTITY x SYSTEM "file:///etc/passwd">]><graphml><graph>&x;</graph></graphml>',
        r"t\.graphml.*: entities are not allowed",
    ),
)
