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


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"<!ELEMENT a\0 EMPTY>",
        b"hello",
        b"<!ELEMENT a (b",
        b"<?xml version='1.0' encoding='UTF-8'?><!ELEMENT a\xe9 EMPTY>",
        b"<?xml version='1.0' encoding='nope'?><!ELEMENT a EMPTY>",
        BOMB.encode() + b"<!ELEMENT a (%a11;)>",
        b'<!ENTITY % x "&#37;y;"><!ENTITY % y "&#37;x;">%x;<!ELEMENT a EMPTY>',
        b"<!ELEMENT a (b %more;)*><!ELEMENT b EMPTY>",
        b'<!ENTITY % m SYSTEM "http://127.0.0.1:9/x.mod">%m;<!ELEMENT a EMPTY>',
        b'<!ENTITY % m SYSTEM "missing.ent">%m;<!ELEMENT a EMPTY>',
    ],
)
def test_hostile_text(text: bytes, tmp_path: Path) -> None:
    file = tmp_path / "bad.dtd"
    file.write_bytes(text)
    with pytest.raises(DtdError) as caught:
        load_schema(file)
    assert caught.value.source


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
