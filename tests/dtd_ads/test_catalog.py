"""Every DTD of the catalogue loads, compiles, and has the shape that it documents."""

from __future__ import annotations

import pytest

from dtd_ads import catalog_names, compile_advertisements, count_paths, load_schema

# name, root, elements, sizes of recursive components, leaf-only paths, may-end paths (up to 10 where recursive)
SHAPES = [
    ("astro", "datasets", 63, [1], 74, 96),
    ("bib", "bib", 10, [], 8, 9),
    ("book", "book", 7, [1], 32, 32),
    ("ejb-jar", "ejb-jar", 39, [1], 82, 109),
    ("knots", "knots", 31, [6, 4, 4, 3, 3, 2, 2, 1, 1], 1_191, 677_556),
    ("nitf", "nitf", 123, [21, 5], 208_525, 743_942),
    ("psd", "ProteinDatabase", 66, [], 89, 89),
    ("university", "db", 10, [], 20, 20),
]


def test_the_table_is_the_catalogue() -> None:
    assert tuple(shape[0] for shape in SHAPES) == catalog_names()


@pytest.mark.parametrize(("name", "root", "elements", "recursion", "leaf_only", "may_end"), SHAPES)
def test_shape(name: str, root: str, elements: int, recursion: list[int], leaf_only: int, may_end: int) -> None:
    schema = load_schema(name)
    counts = count_paths(schema)
    assert (schema.root, len(schema.elements), schema.warnings) == (root, elements, ())
    assert len(schema.reachable) == elements
    assert [len(component) for component in schema.recursion] == recursion
    assert (counts.leaf_only, counts.may_end) == (leaf_only, may_end)


@pytest.mark.parametrize("name", catalog_names())
def test_every_form_compiles(name: str) -> None:
    schema = load_schema(name)
    assert compile_advertisements(schema).exact
    assert compile_advertisements(schema, "automaton").exact
    assert compile_advertisements(schema, "paths").exact == (name not in ("knots", "nitf"))
