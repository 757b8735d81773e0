"""Lists of words stand in the order of the reader's language, and pages search without marks."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import translation

from help.presenters import rules
from help.text.content.term import Term
from tests.languages import finish

WORDS = [Term(key, name, f"What {name} is.") for key, name in (("a", "Żar"), ("b", "Zasięg"), ("c", "’Mech"))]


@pytest.fixture(autouse=True)
def words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "TERMS", WORDS)


@pytest.mark.parametrize(
    ("language", "letters"),
    [
        ("pl", [("M", ["’Mech"]), ("Z", ["Zasięg"]), ("Ż", ["Żar"])]),
        ("de", [("M", ["’Mech"]), ("Z", ["Żar", "Zasięg"])]),
    ],
)
def test_the_glossary_has_the_letters_of_the_language(language: str, letters: list[tuple[str, list[str]]]) -> None:
    with translation.override(language):
        found = [(letter, [view.name for view in views]) for letter, views in rules.glossary()]
    assert found == letters


@pytest.mark.parametrize("question", ["zar", "ŻAR", "zasieg", "zasięg", "mech", "’mech", "is żar"])
def test_the_help_finds_words_without_their_marks(question: str) -> None:
    found = rules.search(question)
    assert found is not None
    assert any(result.label in ("Żar", "Zasięg", "’Mech") for result in found.found)


@pytest.mark.django_db
def test_a_test_leaves_the_language_of_others_alone(client: Client) -> None:
    before = translation.get_language()
    with pytest.MonkeyPatch.context() as patch:
        finish(patch, pl=["help"])
        assert client.get("/help/", headers={"accept-language": "pl"}).headers["Content-Language"] == "pl"
        assert translation.get_language() == "pl"
    assert translation.get_language() == before
