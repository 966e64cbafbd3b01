"""XML documents: malformed, hostile, too deep, too long."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from experiments.reliability.hostile_inputs.case import DEEP, DTD, LAUGHS, LONG, QUERY, Case, Content


def documents() -> Iterator[Case]:
    """XML documents, through every command that reads them."""
    subscriptions = {"s.txt": b"/a/b\n//c\n"}
    for name, content, says in _DOCUMENTS:
        files = {**subscriptions, "d.xml": content}
        yield Case(f"match: {name}", ("match", "--subscriptions", "s.txt", "d.xml"), says, files)
    for name, content, says in _DOCUMENTS:
        files = {"q.txt": QUERY, "d.xml": content}
        yield Case(f"deliver: {name}", ("deliver", "--queries", "q.txt", "--out", "out", "d.xml"), says, files)
    for name, content, says in _DOCUMENTS:
        files = {**subscriptions, "d.xml": content}
        split = ("chunk", "split", "--subscriptions", "s.txt", "--out", "out", "d.xml")
        fine = name in _FINE_FOR_CHUNKS
        says = "" if fine else r"d\.xml:1(:\d+)?: "
        yield Case(f"chunk: {name}", split, says, files, code=0 if fine else 2, writes=("out",) if fine else ())
    stream = ("match", "--engine", "xtrie", "--stream", "--subscriptions", "s.txt", "d.xml")
    for name, content, says in _DOCUMENTS:
        yield Case(f"match --stream: {name}", stream, says, {**subscriptions, "d.xml": content})
    for name, command in {
        "match": ("match", "--subscriptions", "s.txt", "d.xml"),
        "match --stream": stream,
        "deliver": ("deliver", "--queries", "q.txt", "--out", "out", "d.xml"),
        "chunk": ("chunk", "split", "--subscriptions", "s.txt", "--out", "out", "d.xml"),
    }.items():
        files = {**subscriptions, "q.txt": QUERY}
        yield Case(f"{name}: no such file", command, r"d\.xml: cannot be read: No such file", files)
        yield Case(f"{name}: a directory without documents", command, r"d\.xml: .*director", files, ("d.xml",))
    few = ("--set", "subscriptions.generate.number=2")
    run = ("run", "--topology", "line:n=2", "--dtd", "a.dtd", *few, "--documents", "docs", "--out", "out")
    own = {"a.dtd": DTD, "docs/d.xml": b"<a><c/></a>"}
    advertised = (*run, "--strategy", "with-adv-with-cov")
    yield Case("run: a document outside its DTD", advertised, r"docs/d\.xml: .*did not advertise the path /a/c", own)
    yield Case("run: malformed document", run, r"docs/d\.xml:1:", {**own, "docs/d.xml": b"<a><b></a>"})
    yield Case("run: no documents", run, r"documents\.directory: docs is no folder", {"a.dtd": DTD})


_FINE_FOR_CHUNKS: Final = ("UTF-16 without its mark", "a name of 10 MB", "an attribute of 10 MB")
"""The chunker reads with expat, piece by piece: it knows UTF-16, and names and values may be long."""
_FILE_ENTITY: Final = b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a><b>&x;</b></a>'
_DOCUMENTS: Final[tuple[tuple[str, Content, str], ...]] = (
    ("empty file", b"", r"d\.xml.*: .*(empty|no element)"),
    ("not well-formed", b"<a><b></a>", r"d\.xml:1:\d+: "),
    ("text, no XML", b"hello\n", r"d\.xml:1:\d+: "),
    ("cut off", b"<a><b>", r"d\.xml:1:\d+: "),
    ("two roots", b"<a/><a/>", r"d\.xml:1:\d+: "),
    ("NUL byte", b"<a>\0</a>", r"d\.xml:1:\d+: "),
    ("not UTF-8", b"<a>\xff\xfe</a>", r"d\.xml:1:\d+: "),
    ("UTF-16 without its mark", "<a/>".encode("utf-16-le"), r"d\.xml:1:\d+: "),
    ("unknown encoding", b"<?xml version='1.0' encoding='klingon'?><a/>", r"d\.xml:1:\d+: .*(klingon|encoding)"),
    ("false encoding", b"<?xml version='1.0' encoding='utf-16'?><a>\xe4</a>", r"d\.xml:1:\d+: "),
    ("100,000 levels", lambda: b"<a>" * DEEP + b"</a>" * DEEP, r"d\.xml:1:\d+: elements nest deeper than 256"),
    ("a name of 10 MB", lambda: b"<a" + b"b" * LONG + b"/>", r"d\.xml:1:\d+: "),
    ("an attribute of 10 MB", lambda: b"<a b='" + b"c" * (LONG + 1) + b"'/>", r"d\.xml:1:\d+: "),
    ("billion laughs", b"<!DOCTYPE a [" + LAUGHS + b"]><a>&l9;</a>", r"d\.xml.*: .*entit"),
    (
        "quadratic entities",
        lambda: b"<!DOCTYPE a [<!ENTITY x '" + b"y" * 100_000 + b"'>]><a>" + b"&x;" * 20_000 + b"</a>",
        r"d\.xml.*: .*entit",
    ),
    ("an entity in itself", b"<!DOCTYPE a [<!ENTITY x '&x;'>]><a>&x;</a>", r"d\.xml.*: .*entit"),
    ("entity from a file", _FILE_ENTITY, r"d\.xml.*: .*x.*(expanded|load nothing|entit)"),
    (
        "entity from the network",
        b'<!DOCTYPE a [<!ENTITY x SYSTEM "http://127.0.0.1:9/x">]><a><b>&x;</b></a>',
        r"d\.xml.*: .*x.*(expanded|load nothing|entit)",
    ),
    (
        "parameter entity from a file",
        b'<!DOCTYPE a [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]><a>&q;</a>',
        r"d\.xml.*: .*(load nothing|entit)",
    ),
    ("undeclared entity", b'<!DOCTYPE a SYSTEM "x.dtd"><a>&q;</a>', r"d\.xml.*: .*q"),
)
