"""The one form of definitions: its quick check, the published JSON Schema, the catalogue and a match agree about it."""

import copy
import random
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from rules.catalogue import Catalogue, CatalogueError, load_builtin
from rules.catalogue.shape import schema
from rules.core.inline import LEFT_OUT, inline_shape, require
from rules.core.shape_checks import check_of
from rules.core.shapes import SHAPES
from rules.scenario.shape import SCENARIO
from tests.rules.board import Json
from tests.rules.spoiling import JUNK, spoil

SPOILT = 100

# JSON Schema takes 1.0 for a whole number and does not look into texts; all else must be judged alike.
SAID_IN_JSON = [junk for junk in JUNK if not isinstance(junk, float) and junk not in ("\n", "\ud800")]


@cache
def definitions(kind: str) -> tuple[Json, ...]:
    return tuple(load_builtin().of_kind(kind).values())


def spoilt(kind: str, seed: int, faults: int) -> Json:
    """A definition of the catalogue with so many random changes."""
    rng = random.Random(seed)
    document = copy.deepcopy(rng.choice(definitions(kind)))
    for _ in range(faults):
        if document:
            spoil(document, rng, SAID_IN_JSON)
    return document


@pytest.mark.parametrize("kind", SHAPES)
@given(seed=st.integers(0, 2**32), faults=st.integers(0, 2))
@settings(max_examples=SPOILT)
def test_the_quick_check_agrees_with_the_published_schema(kind: str, seed: int, faults: int) -> None:
    document = spoilt(kind, seed, faults)
    check = check_of(SHAPES[kind])
    assert check.fits(document) is Draft202012Validator(schema(kind)).is_valid(document)
    assert check.fits(document) is not any(check.faults(document))


@pytest.mark.parametrize("kind", LEFT_OUT)
@given(seed=st.integers(0, 2**32), faults=st.integers(0, 2))
@settings(max_examples=SPOILT)
def test_what_the_catalogue_takes_a_match_takes(kind: str, seed: int, faults: int) -> None:
    document = spoilt(kind, seed, faults)
    check = check_of(inline_shape(kind))
    assert check.fits(document) is not any(check.faults(document))
    try:
        Catalogue.from_documents([{"schema": 1, kind: [document]}])
    except CatalogueError:
        return
    require(kind, document)


@pytest.mark.parametrize(
    ("value", "codes"),
    [
        pytest.param(
            {"id": "R-1", "name": "A", "requires": {"value": "attack"}, "ability": "a"}, ["missing_key"], id="together"
        ),
        pytest.param({"id": "R-1", "name": "A", "requires": {}, "ability": "a"}, ["wrong_format"], id="too few keys"),
        pytest.param(
            {"id": "R-1", "name": "A" * 81, "requires": {"state": "salvage"}, "ability": "a"},
            ["wrong_format"],
            id="too long",
        ),
        pytest.param(
            {"id": "R-1\n", "name": "", "requires": {"state": 1}, "ability": None},
            ["unprintable_text", "wrong_format", "not_one_of", "wrong_type"],
            id="all at once",
        ),
        pytest.param([], ["wrong_type"], id="a list"),
        pytest.param({1: 2}, ["missing_key"] * 4 + ["unknown_key"], id="a key that is no text"),
    ],
)
def test_every_fault_is_found_with_its_code(value: Any, codes: list[str]) -> None:
    assert [fault.code for fault in check_of(SHAPES["rally_cards"]).faults(value)] == codes


def test_a_form_that_the_reader_does_not_know_is_an_error() -> None:
    with pytest.raises(KeyError):
        check_of({"type": "number"})


def test_a_long_list_of_nonsense_is_not_searched_for_repeats() -> None:
    class Compared(str):
        times = 0

        def __eq__(self, other: object) -> bool:
            Compared.times += 1
            return super().__eq__(other)

        __hash__ = str.__hash__

    check = check_of({"type": "array", "items": {"enum": ["a", "b"]}, "uniqueItems": True})
    nonsense = [Compared(number) for number in range(1000)]
    assert not check.fits(nonsense)
    assert len(list(check.faults(nonsense))) == 1000
    assert Compared.times == 0
    assert [fault.code for fault in check.faults(["a", "b", "a"])] == ["wrong_format"]


def test_lists_without_repeats_are_lists_of_words() -> None:
    """Whatever fits such a list is short, or has a repeat near its beginning."""

    def unique(part: Any) -> list[Json]:
        if isinstance(part, list):
            return [found for each in part for found in unique(each)]
        if not isinstance(part, dict):
            return []
        own = [part] if part.get("uniqueItems") else []
        return own + [found for each in part.values() for found in unique(each)]

    found = unique([*SHAPES.values(), SCENARIO])
    assert found
    assert all("enum" in each["items"] for each in found)
