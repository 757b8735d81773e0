"""Names from the right to the left in sentences from the left to the right."""

from __future__ import annotations

import pytest

from rules.wording.filling import fill, identity, joined
from rules.wording.isolation import bare, isolated

NAME = "\u05e9\u05dc\u05d5\u05dd"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Iron Parish", "Iron Parish"),
        ("Ångstrom – 3", "Ångstrom – 3"),
        (NAME, f"\u2068{NAME}\u2069"),
        ("\u202eABC", "\u2068\u202eABC\u2069"),
        (f"\u2068{NAME}\u2069", f"\u2068{NAME}\u2069"),
        (f"\u2068{NAME}\u2069 – \u2068{NAME}\u2069", f"\u2068\u2068{NAME}\u2069 – \u2068{NAME}\u2069\u2069"),
        (f"{NAME}\u2069\u2069", f"\u2068{NAME}\u2069"),
        (f"\u2067{NAME}", f"\u2068\u2067{NAME}\u2069\u2069"),
    ],
)
def test_what_turns_stands_between_two_signs_that_belong_together(text: str, wanted: str) -> None:
    assert isolated(text) == wanted
    assert isolated(wanted) == wanted


def test_a_bare_name_has_no_such_signs() -> None:
    assert bare(isolated(NAME)) == NAME


def test_a_sentence_isolates_what_it_is_filled_with() -> None:
    assert fill("{one}: {two}", {"one": [NAME, "B"], "two": 3}) == f"\u2068{NAME}\u2069, B: 3"
    assert joined([NAME, "\u202eA", "B"], identity) == f"\u2068\u2068{NAME}\u2069, \u2068\u202eA\u2069\u2069 and B"
