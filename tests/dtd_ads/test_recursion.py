"""Which shapes of recursion can be written exactly."""

from __future__ import annotations

from pathlib import Path

import pytest

from dtd_ads import compile_advertisements, load_schema


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ("<!ELEMENT a (a)*>", True),
        ("<!ELEMENT a (b)*><!ELEMENT b (a)*>", True),
        ("<!ELEMENT a (b)*><!ELEMENT b (a|b)*>", True),
        ("<!ELEMENT a (b|c)*><!ELEMENT b (a)><!ELEMENT c (a)>", True),
        ("<!ELEMENT a (b|c|d)*><!ELEMENT b (a)><!ELEMENT c (a)><!ELEMENT d (a)>", False),
    ],
)
def test_shapes(text: str, exact: bool, tmp_path: Path) -> None:
    file = tmp_path / "shape.dtd"
    file.write_text(text)
    assert compile_advertisements(load_schema(file, "a"), "paths").exact is exact
