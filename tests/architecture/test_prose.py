"""`make prose`: what it finds, where it looks, and what it leaves alone."""

from __future__ import annotations

import pytest

from tests.architecture.imports import ROOMS
from tests.tools.prose import BANNED, COMMENTED, ROOT, Text, found, modules, of_comments, of_document, of_module

BAD = (
    "The table is begun anew.",
    "Every owner is told.",
    "All but for one.",
    "Return what is over.",
    "Return null.",
    "A pilot keeps his gear.",
    "The address of who asks, or of who asked.",
    "As far as is known.",
    "Be it a match or none.",
    "End in peace.",
    "Twice is once.",
    "Return what speaks against it.",
    "Refuse what is no unit.",
    "Return what forbids to play.",
    "None when nobody hurries.",
    "R-MOV-01.",
    "Refuse who owes money.",
    "@property Return",
)
GOOD = (
    "The renewed table begins again, and every owner hears of it.",
    "All buttons stay, except one that closes the over-full list.",
    "A nullable field holds None; they keep their shells.",
    "Return the person who asks, whoever they are, before a peace treaty.",
    "Return why the unit may not move (R-MOV-01); a second call changes nothing.",
)


def banned_in(words: str, path: str = "stables/a.py") -> list[str]:
    return list(found(Text(path, 1, words)))


@pytest.mark.parametrize("words", BAD)
def test_each_banned_phrase_is_found(words: str) -> None:
    assert banned_in(words)


def test_every_pattern_has_its_bad_sentence() -> None:
    lines = [line for words in BAD for line in banned_in(words)]
    assert {instead for instead in BANNED.values() if not any(line.endswith(instead) for line in lines)} == set()


@pytest.mark.parametrize(
    ("kind", "source"),
    [
        ("templates/**/*.html", "<p>\n{# It begins anew. #}</p>"),
        ("static/css/*.css", "p {\n  /* It begins\n  anew. */ }"),
        ("static/js/*.js", "\n  begin(); // It begins anew."),
        (".git*", "abc\n# It begins anew."),
    ],
)
def test_comments_of_other_files_are_read(kind: str, source: str) -> None:
    [comment] = of_comments("a file", source, COMMENTED[kind])
    assert comment.line == 2
    assert " ".join(comment.words.split()) == "It begins anew."


@pytest.mark.parametrize("words", GOOD)
def test_good_sentences_are_left_alone(words: str) -> None:
    assert banned_in(words) == []


def test_an_id_may_come_first_in_hooks_and_tests_alone() -> None:
    assert banned_in("R-SED-02.", "rules/core/attack_hooks.py") == []
    assert banned_in("Q-157: one new date.", "tests/stables/test_a.py") == []


def test_docstrings_comments_and_strings_of_commands_are_read() -> None:
    source = '"""One."""\n# Two.\nNAME = "three"\n"""Four."""\n'
    read = [text.words for text in of_module("stables/a.py", source)]
    assert read == ["One.", "Four.", "# Two."]
    for path in ("stables/management/commands/a.py", "commands/a.py", "rules/verify.py"):
        assert "three" in [text.words for text in of_module(path, source)]


def test_of_tests_names_and_the_first_docstring_are_read() -> None:
    source = '"""One."""\ndef test_it() -> None:\n    """Two."""\n'
    assert [text.words for text in of_module("tests/test_a.py", source)] == ["One.", "test it"]


def test_a_property_names_a_thing() -> None:
    source = 'class A:\n    @property\n    def b(self) -> int:\n        """Return the b."""\n'
    assert "@property Return" in [text.words for text in of_module("stables/a.py", source)]


def test_every_room_and_all_that_starts_the_site_is_read() -> None:
    read = set(modules(ROOT))
    assert set(ROOMS) <= {path.split("/")[0] for path in read}
    assert {"start.py", "manage.py", "gunicorn.conf.py", "challenge/models.py"} <= read


def test_code_in_documents_and_sentences_is_left_alone() -> None:
    assert banned_in(" ".join(text.words for text in of_document("docs/a.md", "```\nnull\n```\nand `null` too"))) == []
