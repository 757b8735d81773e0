"""Searching and sorting words in the reader's language."""

from __future__ import annotations

import ast
import re
import unicodedata

import pytest
from django.utils import translation

from tests.architecture.codes_in_source import ROOT, called
from tests.architecture.imports import ROOMS
from tests.languages import lengthened
from web.languages.words import contains, folded, heading, sort_key

WORDS = [
    "zebra", "Straße", "łańcuch", "Apfel", "’Mech", "Łódź", "cyna", "Aepfel", "Żabka", "ćma", "Mech", "Lodz",
    "Strasse", "Äpfel",
]  # fmt: skip


def in_order(language: str) -> list[str]:
    return sorted(WORDS, key=lambda word: sort_key(word, language))


def test_polish_letters_stand_after_their_plain_ones() -> None:
    assert in_order("pl") == [
        "Aepfel", "Apfel", "Äpfel", "cyna", "ćma", "Lodz", "łańcuch", "Łódź", "Mech", "’Mech", "Strasse", "Straße",
        "zebra", "Żabka",
    ]  # fmt: skip


@pytest.mark.parametrize("language", ["de", "en", "de-AT"])
def test_german_umlauts_stand_with_their_vowels(language: str) -> None:
    assert in_order(language) == [
        "Aepfel", "Apfel", "Äpfel", "ćma", "cyna", "łańcuch", "Lodz", "Łódź", "Mech", "’Mech", "Strasse", "Straße",
        "Żabka", "zebra",
    ]  # fmt: skip


def test_all_polish_letters_stand_where_the_alphabet_has_them() -> None:
    alphabet = "aąbcćdeęfghijklłmnńoópqrsśtuvwxyzźż"
    assert "".join(sorted(reversed(alphabet), key=lambda letter: sort_key(letter, "pl"))) == alphabet
    assert "".join(sorted(reversed(alphabet.upper()), key=lambda letter: sort_key(letter, "pl"))) == alphabet.upper()


def test_the_readers_language_decides_where_none_is_named() -> None:
    with translation.override("pl"):
        assert sort_key("Żabka") > sort_key("zebra")
        assert heading("Żabka") == "Ż"
    with translation.override("de"):
        assert sort_key("Żabka") < sort_key("zebra")
        assert heading("Żabka") == "Z"


@pytest.mark.parametrize(
    ("word", "language", "letter"),
    [
        ("Łódź", "pl", "Ł"), ("ćma", "pl", "Ć"), ("Äpfel", "de", "A"), ("ß", "de", "S"), ("’Mech", "pl", "M"),
        ("‘Mech", "de", "M"), ("3 Steine", "de", "3"), ("…", "pl", ""), ("Łódź", "de", "L"),
    ],
)  # fmt: skip
def test_an_index_has_a_heading_for_each_letter_of_the_language(word: str, language: str, letter: str) -> None:
    assert heading(word, language) == letter


def test_a_word_with_its_marks_apart_stands_where_the_same_word_stands() -> None:
    assert sort_key(unicodedata.normalize("NFD", "Łódź"), "pl")[:2] == sort_key("Łódź", "pl")[:2]


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Łódź", "lodz"), ("Łódź", "ŁÓDŹ"), ("Lodz", "Łódź"), ("łańcuch", "lancuch"), ("żółw", "zolw"), ("ząb", "ZAB"),
        ("Äpfel", "apfel"), ("Äpfel", "Aepfel"), ("Aepfel", "Äpfel"), ("Apfel", "Äpfel"), ("Straße", "strasse"),
        ("Strasse", "STRASSE"), ("Strasse", "straße"), ("’Mech", "mech"), ("Mech", "’mech"), ("‘Mech", "’Mech"),
        ("Battle-Mech", "battle mech"), ("5\u00a0hexes", "5 hexes"), ("Øre", "ore"),
        (unicodedata.normalize("NFD", "Äpfel"), "aepfel"), ("anything", ""),
    ],
)  # fmt: skip
def test_a_search_finds_what_is_typed_without_marks(text: str, question: str) -> None:
    assert contains(text, question)


@pytest.mark.parametrize(("text", "question"), [("Apfel", "aepfel"), ("zebra", "żaba"), ("cyna", "ćma"), ("a b", "c")])
def test_a_search_finds_nothing_else(text: str, question: str) -> None:
    assert not contains(text, question)


def test_words_of_a_question_may_stand_anywhere() -> None:
    assert contains("Die Äpfel der Straße", "strasse aepfel")
    assert not contains("Die Äpfel der Straße", "strasse birne")


def test_folding_leaves_one_space_between_words() -> None:
    assert folded(" Ein  Straßen-Fest\u00a0hier ") == "ein strassen fest hier"


def test_the_language_of_long_words_leaves_what_code_fills_in() -> None:
    assert lengthened("Save {name}: <b class='big'>%(count)s of 50%</b> clicks") == (
        "Savesa {name}: <b class='big'>%(count)s ofo 50%</b> clickscli"
    )


NAMES = {"name", "title", "label"}


def sorts_names_bare(node: ast.AST) -> bool:
    """Whether a call sorts by a name without sort_key."""
    if not isinstance(node, ast.Call) or called(node) not in ("sorted", "sort"):
        return False
    key = next((each.value for each in node.keywords if each.arg == "key"), None)
    if key is None or "sort_key" in ast.unparse(key):
        return False
    parts = list(ast.walk(key.body if isinstance(key, ast.Lambda) else key))
    named = {part.attr for part in parts if isinstance(part, ast.Attribute)}
    named |= {part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)}
    return bool(named & NAMES)


def test_no_page_sorts_names_by_their_code_points() -> None:
    """Ł would stand behind z."""
    layers = ("presenters", "views", "forms", "forms.py", "text")
    paths = [path for room in ROOMS for layer in layers for path in (ROOT / room).glob(f"**/{layer}")]
    files = [file for path in paths for file in ([path] if path.is_file() else path.rglob("*.py"))]
    assert len(files) > 300
    found = [
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for file in files
        for node in ast.walk(ast.parse(file.read_text()))
        if sorts_names_bare(node)
    ]
    assert found == []


def test_every_script_writes_times_in_the_language_of_its_page() -> None:
    """Without one a browser takes its own, which may be another than that of the words around them."""
    scripts = [path for path in (ROOT / "static/js").glob("*.js")]
    assert len(scripts) >= 20
    found = [path.name for path in scripts if re.search(r"\.toLocale\w*String\(\)", path.read_text())]
    assert found == []


def test_scripts_write_the_time_of_day_as_the_pages_of_every_language_do() -> None:
    """Hours to 23 and minutes, which `toTimeString` begins with. A language that writes others needs other scripts."""
    scripts = (ROOT / "static/js").glob("*.js")
    assert [path.name for path in scripts if "toLocaleTime" in path.read_text()] == []
    formats = [path.read_text() for path in (ROOT / "solaris_site/formats").glob("*/formats.py")]
    assert len(formats) >= 3
    assert all('TIME_FORMAT = "H:i"' in text.splitlines() for text in formats)
