"""DTDs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from experiments.reliability.hostile_inputs.case import DEEP, DTD, LONG, Case, Content


def dtds() -> Iterator[Case]:
    """DTDs."""
    for name, content, says in _DTDS:
        yield Case(f"ads: {name}", ("ads", "a.dtd", "--out", "out.txt"), says, {"a.dtd": content})
    outside = {"in/a.dtd": b'<!ENTITY % m SYSTEM "../secret.mod">\n%m;\n' + DTD, "secret.mod": b"<!ELEMENT s EMPTY>\n"}
    yield Case("ads: includes a file outside its folder", ("ads", "in/a.dtd"), r"a\.dtd:2:1: .*outside", outside)
    yield Case(
        "workload: malformed DTD",
        ("workload", "documents", "a.dtd", "--number", "2", "--out", "out"),
        r"a\.dtd:1:\d+: ",
        {"a.dtd": b"<!ELEMENT a (b>"},
    )
    yield Case(
        "relate: malformed DTD",
        ("relate", "covers", "/a", "/b", "--dtd", "a.dtd"),
        r"a\.dtd:1:\d+: ",
        {"a.dtd": b"<!ELEMENT a (b>"},
    )
    yield Case("ads: a directory", ("ads", "a.dtd"), r"a\.dtd: is a folder", folders=("a.dtd",))
    yield Case("ads: no such file", ("ads", "../../nowhere.dtd"), r"nowhere\.dtd: no such file")
    yield Case("ads: NUL in the name", ("ads", "a\0b"), r"no file name")
    yield Case("ads: a name of 10,000 characters", ("ads", "x" * 10_000), r"cannot be read")


_PARAMETER_LAUGHS: Final = b"".join(
    b'<!ENTITY %% p%d "%s">\n' % (n, (b"%%p%d;" % (n - 1)) * 10 if n else b"<!ELEMENT a EMPTY>") for n in range(12)
)
_DTDS: Final[tuple[tuple[str, Content, str], ...]] = (
    ("empty file", b"", r"a\.dtd: the file is empty"),
    ("not well-formed", b"<!ELEMENT a (b,>\n", r"a\.dtd:1:\d+: "),
    ("XML in place of a DTD", b"<a/>", r"a\.dtd:1:\d+: "),
    ("text", b"hello", r"a\.dtd:1:\d+: "),
    ("cut off", b"<!ELEMENT a", r"a\.dtd:1:\d+: "),
    ("no element", b"<!ENTITY x 'y'>", r"a\.dtd: declares no element"),
    ("NUL byte", b"<!ELEMENT a\0 EMPTY>", r"a\.dtd(:1:\d+)?: "),
    ("not UTF-8", b"<!ELEMENT a EMPTY>\n<!ELEMENT \xff\xfe EMPTY>", r"a\.dtd(:2:\d+)?: "),
    ("100,000 groups in one another", lambda: b"<!ELEMENT a " + b"(" * DEEP + b"b" + b")" * DEEP + b">", r"a\.dtd.*: "),
    ("a name of 10 MB", lambda: b"<!ELEMENT a" + b"b" * LONG + b" EMPTY>", r"a\.dtd.*: "),
    ("an entity of 20 MB", lambda: b"<!ENTITY x '" + b"b" * (2 * LONG) + b"'>" + DTD, r"a\.dtd.*: .*larger"),
    ("billion laughs", _PARAMETER_LAUGHS + b"%p11;", r"a\.dtd.*: "),
    (
        "a parameter entity in itself",
        b'<!ENTITY % p "&#37;q;">\n<!ENTITY % q "&#37;p;">\n%p;\n' + DTD,
        r"a\.dtd.*: .*(loop|recurs)",
    ),
    ("a module that includes itself", b'<!ENTITY % m SYSTEM "a.dtd">\n%m;\n' + DTD, r"a\.dtd.*: "),
    ("module /etc/passwd", b'<!ENTITY % m SYSTEM "file:///etc/passwd">\n%m;\n' + DTD, r"a\.dtd:2:1: .*outside"),
    (
        "module ../../../etc/passwd",
        b'<!ENTITY % m SYSTEM "' + b"../" * 30 + b'etc/passwd">\n%m;\n' + DTD,
        r"a\.dtd(:2:1)?: .*outside",
    ),
    ("module on the network", b'<!ENTITY % m SYSTEM "http://127.0.0.1:9/m">\n%m;\n' + DTD, r"a\.dtd:2:1: .*network"),
    ("module by FTP", b'<!ENTITY % m SYSTEM "ftp://127.0.0.1:9/m">\n%m;\n' + DTD, r"a\.dtd:2:1: .*network"),
    ("undeclared parameter entity", b"%nothing;\n" + DTD, r"a\.dtd:1:\d+: .*nothing"),
    ("2,000 elements of content ANY", b"".join(b"<!ELEMENT e%d ANY>" % n for n in range(2_000)), r"a\.dtd: .*limit"),
    ("no root", b"<!ELEMENT a (b)><!ELEMENT b (a)>", r"a\.dtd: .*choose a root"),
)
