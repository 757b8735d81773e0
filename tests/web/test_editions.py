"""What the help says where the reader's own edition prints something else."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils.html import escape

from help.text.content.editions import EDITIONS
from help.text.documents import books, identifiers


@pytest.mark.parametrize(("language", "is_there"), [("pl", True), ("de", False), ("en", False)])
def test_the_rule_says_to_readers_of_an_edition_what_it_prints(language: str, is_there: bool) -> None:
    page = Client(headers={"accept-language": language}).get("/help/rules/lof/").content.decode()
    note = escape(EDITIONS["R-LOF-14"]["pl"].partition(" (")[0])
    assert (note in page) is is_there


def test_each_note_stands_at_a_rule_that_there_is_and_names_a_ruling() -> None:
    assert EDITIONS.keys() <= books().lines.keys()
    for texts in EDITIONS.values():
        assert texts.keys() <= {"pl", "de"}
        for text in texts.values():
            named = identifiers([text])
            assert named
            assert set(named) <= books().answers.keys()
