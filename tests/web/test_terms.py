"""The terms of the Polish and the German edition, as their players know them, in the catalogues."""

from __future__ import annotations

import json
from pathlib import Path

import polib
import pytest
from django.conf import settings

TERMS = json.loads(Path(__file__).with_name("terms.json").read_text(encoding="utf-8"))
"""Context ("" for none), the term in English, in Polish, in German."""


@pytest.mark.parametrize(("language", "column"), [("pl", 2), ("de", 3)])
def test_a_term_is_the_one_of_the_edition(language: str, column: int) -> None:
    path = settings.BASE_DIR / "locale" / language / "LC_MESSAGES" / "django.po"
    said = {(each.msgctxt or "", each.msgid): each.msgstr for each in polib.pofile(str(path))}
    wrong = {
        (term[0], term[1]): (said.get((term[0], term[1])), term[column])
        for term in TERMS
        if said.get((term[0], term[1])) != term[column]
    }
    assert wrong == {}


def test_the_terms_are_those_that_matter() -> None:
    """The game's pieces, values, orders, equipment, states and the words of a season, in both editions."""
    assert len(TERMS) >= 150
    known = {term[1].lower() for term in TERMS}
    assert {"arena", "attack", "initiative", "jump jets", "purse", "cycle", "stable", "line of fire"} <= known
