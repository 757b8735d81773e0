"""One way to write JSON: equal content, equal bytes, equal hash."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.codec import SCHEMA_VERSION, canonical_json, content_hash

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


def reordered(value: Any) -> Any:
    """The same content with the keys of every object in reverse."""
    if isinstance(value, dict):
        return {key: reordered(value[key]) for key in reversed(list(value))}
    return [reordered(entry) for entry in value] if isinstance(value, list) else value


@given(values)
def test_canonical_json_round_trips_and_ignores_the_order_of_keys(value: Any) -> None:
    text = canonical_json(value)
    assert json.loads(text) == value
    assert canonical_json(reordered(value)) == text
    assert canonical_json(json.loads(text)) == text
    assert content_hash(reordered(value)) == content_hash(value)


def test_canonical_json_is_pinned() -> None:
    assert canonical_json({"b": 1, "a": [1, None, True, "é"]}) == '{"a":[1,null,true,"é"],"b":1}'
    assert content_hash({"b": 1, "a": 2}) == "d3626ac30a87e6f7a6428233b3c68299976865fa5508e4267c5415c76af7a772"
    assert SCHEMA_VERSION == 1


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_numbers_that_json_does_not_know_are_refused(number: float) -> None:
    with pytest.raises(ValueError, match="JSON"):
        canonical_json({"a": number})
