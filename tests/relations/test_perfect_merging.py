"""Perfect or not, for unions of several parts and mergers that no rule made."""

from hypothesis import given
from hypothesis import strategies as st

from broker_sim.relations.perfect_merging import is_perfect
from broker_sim.relations.residuals import written
from tests.relations.merging_referee import linear_paths, matched, path, publications, schema_of, schemas, words

paths = st.lists(linear_paths("ab", 3), max_size=3)


@given(linear_paths("ab", 3), paths)
def test_over_any_names(merger, parts):
    everything = matched([merger], words("abz", 8))
    assert is_perfect(written(merger), map(written, parts)) == (matched(parts, everything) == everything)


@given(schemas(), linear_paths("abc", 3), st.lists(linear_paths("abc", 3), max_size=3))
def test_over_a_schema(schema, merger, parts):
    everything = matched([merger], publications(schema, 8))
    assert is_perfect(written(merger), map(written, parts), schema) == (matched(parts, everything) == everything)


def test_an_element_that_never_ends_a_path_asks_for_nothing():
    schema = schema_of({"a": "b c", "b": "", "c": "c"}, "a c")
    assert is_perfect(written(path("/a/*")), [written(path("/a/b"))], schema)
