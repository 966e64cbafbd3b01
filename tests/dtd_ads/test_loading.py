"""A DTD's text becomes the element graph that it says; whatever cannot be used is a `DtdError` with its source."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given

from dtd_ads import load_schema
from dtd_ads.errors import DtdError
from tests.strategies.schemas import UNDECLARED, Model, dtds, text_of


@given(dtds)
def test_children_and_ends_are_those_of_the_text(declared: dict[str, Model]) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder, "random.dtd")
        file.write_text(text_of(declared))
        schema = load_schema(file, "a")
    for name, model in declared.items():
        assert set(schema.children(name)) == set(model.names) - {UNDECLARED}
        assert schema.may_end(name) == model.nullable
    assert bool(schema.warnings) == any(UNDECLARED in model.names for model in declared.values())


BOMB = '<!ENTITY % a0 "(b)">' + "".join(
    f'<!ENTITY % a{i} "{",".join([f"&#37;a{i - 1};"] * 10)}">' for i in range(1, 12)
)


HOSTILE = [
    (b"", None, "the file is empty, expected element declarations"),
    (b"<!-- nothing -->", None, "declares no element"),
    (b"<!ELEMENT a\0 EMPTY>", 1, "(?i)char"),
    (b"hello", 1, "external subset"),
    (b"<!ELEMENT a EMPTY>\n<!ELEMENT b (c", 2, "expected"),
    (b"<?xml version='1.0' encoding='UTF-8'?>\n<!ELEMENT a\xe9 EMPTY>", 2, "(?i)encod"),
    (b"<?xml version='1.0' encoding='nope'?><!ELEMENT a EMPTY>", 1, "encoding"),
    (b"<!ELEMENT a EMPTY>\n<!ELEMENT a EMPTY>", 2, "Redefinition of element a"),
    (b"<!ELEMENT a " + b"(" * 3_000 + b"b" + b")" * 3_000 + b">", 1, "too deep"),
    (BOMB.encode() + b"\n<!ELEMENT a (%a11;)>", 2, "amplification"),
    (b'<!ENTITY % x "&#37;y;">\n<!ENTITY % y "&#37;x;">\n\n%x;<!ELEMENT a EMPTY>', 4, "loop"),
    (b"\n<!ELEMENT a (b %more;)*><!ELEMENT b EMPTY>", 2, "'?more[;']"),
    (b'\n\n<!ENTITY % x "%more;"><!ELEMENT a EMPTY>', 3, "'?more[;']"),
    (b'<!ELEMENT a EMPTY>\n<!ENTITY % m SYSTEM "http://127.0.0.1:9/x.mod">\n%m;', 3, "on a network"),
    (b'<!ELEMENT a EMPTY>\n<!ENTITY % m SYSTEM "missing.ent">\n\n%m;', 4, "missing.ent' was not found"),
    (b"".join(b"<!ELEMENT e%d ANY>" % number for number in range(1_001)), None, "1,002,001 pairs of parent and child"),
]


@pytest.mark.parametrize(("text", "line", "message"), HOSTILE)
def test_hostile_text(text: bytes, line: int | None, message: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.dtd"
    file.write_bytes(text)
    with pytest.raises(DtdError, match=message) as caught:
        load_schema(file)
    assert (caught.value.source, caught.value.line) == (str(file), line)


def test_entities_that_nest_very_deeply_are_refused_without_harm(tmp_path: Path) -> None:
    """Both readers walk nested entities on the stack, so neither may see all of these."""
    file = tmp_path / "bad.dtd"
    links = "".join(f'<!ENTITY % e{number} "&#37;e{number + 1};">' for number in range(100_000))
    file.write_text(f"{links}<!ENTITY % e100000 'x'><!ELEMENT a EMPTY>\n%e0;")
    with pytest.raises(DtdError) as caught:
        load_schema(file)
    assert caught.value.source == str(file)


@pytest.mark.parametrize(
    ("module", "line", "message"),
    [
        ("\n<!ENTITY % n SYSTEM 'gone.mod'>\n\n %n;", 4, "gone.mod' was not found"),
        ("\n\n<!ELEMENT b (c,,d)>", 3, "expected"),
        ("\n<!ENTITY % i '&#60;!ELEMENT b (c,,d)>'><!ENTITY % o '&#37;i;'>\n%o;", 3, "expected"),
    ],
)
def test_an_error_inside_a_module_names_the_module(module: str, line: int, message: str, tmp_path: Path) -> None:
    (tmp_path / "part.mod").write_text(module)
    file = tmp_path / "main.dtd"
    file.write_text('<!ELEMENT a EMPTY><!ENTITY % m SYSTEM "part.mod">%m;')
    with pytest.raises(DtdError, match=message) as caught:
        load_schema(file)
    assert (caught.value.source, caught.value.line) == (str(tmp_path / "part.mod"), line)


@pytest.mark.parametrize("declared", ['SYSTEM "{}"', "SYSTEM '{}'", 'PUBLIC "-//x//ELEMENTS y//EN"\n  "{}"'])
@pytest.mark.parametrize("name", ["b.mod", "part b.mod", "teil-ö {b}.mod"])
@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1"])
def test_module_names_are_file_names(declared: str, name: str, encoding: str, tmp_path: Path) -> None:
    folder = tmp_path / "with a space"
    folder.mkdir()
    (folder / name).write_text("<!ELEMENT b EMPTY>")
    file = folder / "main file.dtd"
    text = f"<?xml version='1.0' encoding='{encoding}'?><!ENTITY % m {declared.format(name)}>%m;<!ELEMENT a (b)>"
    file.write_text(text, encoding=encoding)
    schema = load_schema(file)
    assert (schema.root, schema.children("a"), schema.warnings) == ("a", ("b",), ())


def test_missing_file_and_folder(tmp_path: Path) -> None:
    for given_path in (tmp_path / "none.dtd", tmp_path):
        with pytest.raises(DtdError) as caught:
            load_schema(given_path)
        assert caught.value.source == str(given_path)


@pytest.mark.parametrize("linked", [False, True])
def test_a_module_outside_the_folder(tmp_path: Path, linked: bool) -> None:
    (tmp_path / "outside.ent").write_text("<!ELEMENT b EMPTY>")
    inside = tmp_path / "inside"
    inside.mkdir()
    name = "link.ent" if linked else "../outside.ent"
    if linked:
        (inside / name).symlink_to(tmp_path / "outside.ent")
    file = inside / "main.dtd"
    file.write_text(f'<!ENTITY % m SYSTEM "{name}">%m;<!ELEMENT a (b)>')
    with pytest.raises(DtdError, match="outside the folder"):
        load_schema(file)
    assert load_schema(file, allow_outside=True).children("a") == ("b",)
