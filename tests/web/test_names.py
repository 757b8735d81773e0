"""Names: what counts as one, and which of them look the same."""

from __future__ import annotations

import pytest

from web.names import LONGEST_KEY, is_visible, looks_like_one, name_key, proper_name


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Iron Parish", "iron  PARISH"),
        ("Iron Parish", "Iron\u200b Parish"),
        ("Iron Parish", "Iron\u2800Parish"),
        ("Iron Parish", "Іrоn Раrіѕh"),
        ("Iron Parish", "lron Parish"),
        ("ABC", "\u202eABC"),
        ("A\u030angstrom", "Ångstrom"),
        ("BOB", "ВОВ"),
        ("вов", "ВОВ"),
        ("modern", "modem"),
        ("Team 10", "Team lO"),
        ("Ⅻ", "XII"),
        ("Straße", "STRASSE"),
        ("Kestrel", "Ｋｅｓｔｒｅｌ"),
        ("BEAR", "\u0392EAR"),
        ("north", "\u039dorth"),
        ("York", "\u03a5ork"),
        ("Circuit", "\u03f9ir\u03f2uit"),
        ("Bear", "\U0001d6a9ear"),
        ("Ýork", "\u038eork"),
        ("Straße", "Stra\u03b2e"),
        ("victor", "\u03bdictor"),
    ],
)
def test_names_that_look_the_same_have_one_key(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Ångstrom", "Angstrom"), ("Dan", "Dav"), ("Team 1", "Team 2"), ("Спарта", "Спарты")]
)
def test_names_that_look_different_have_two(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


def test_a_name_is_like_one_that_differs_only_in_case_where_the_looks_differ_too() -> None:
    assert looks_like_one("\u03b2\u03b5\u03c4\u03b1", ["\u0392\u0395\u03a4\u0391"])
    assert looks_like_one("\u0392\u0395\u03a4\u0391", ["\u0392\u03b5\u03c4\u03b1"])
    assert not looks_like_one("\u0392eta", ["\u0393eta"])


def test_a_key_is_its_own_key_and_has_single_spaces() -> None:
    for name in ("m" * 80, "\ufdfa" * 80, " Ⅿ  i\u2800", "🅭 x", "\u0392\u039d\u03a5\u03f9\u03f2\u038e\u03b2"):
        key = name_key(name)
        assert len(key) <= LONGEST_KEY
        assert name_key(key) == key == " ".join(key.split())


@pytest.mark.parametrize(
    "name", ["", " ", "\u200b", "\u3164", "\u2800", "\u202e", "\u0301", "\U000e0041", "\uffa0\u115f"]
)
def test_a_name_without_a_visible_sign_is_none(name: str) -> None:
    assert not is_visible(name)
    assert proper_name(name, 60) == ""


@pytest.mark.parametrize("name", ["\U00019357", "\ue000", "\u200b\U00019357"])
def test_a_sign_of_a_later_unicode_can_be_seen(name: str) -> None:
    assert is_visible(name)
    assert proper_name(name, 60)


def test_a_name_is_stored_without_what_turns_or_breaks_a_line() -> None:
    assert proper_name(" Iron\n\u202e Parish\x07\u2069 ", 60) == "Iron Parish"
    # A person of several signs and a heart in colour keep their joiners and selectors.
    assert proper_name("👩\u200d🚀 ❤\ufe0f", 60) == "👩\u200d🚀 ❤\ufe0f"
    assert proper_name("x" * 61, 60) == ""
