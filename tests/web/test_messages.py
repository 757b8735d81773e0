"""What `manage.py makemessages` writes for the translators."""

from __future__ import annotations

import re

import pytest

from help.text.documents import books, texts_to_translate
from solaris_site.management.commands.makemessages import Command, entry, without_false_formats
from tests.tools.messages_in_source import ROOT, texts

FALSE = """#: rules/wording/advice.py:118
#, python-format
msgid "It keeps its own attack: {chance} % on {target}."
msgstr \"\""""

TRUE = """#: stables/text/results.py:80
#, python-format
msgid "%(who)s: %(amount)s reputation."
msgstr \"\""""

_HALF = re.compile(r"""\{% translate "[^"]*\w" %\}\s*(?:\{% moment|<span translate="no">|<code)""")


def test_a_percent_sign_before_a_word_makes_no_format() -> None:
    """msgfmt would refuse every translation in which another letter follows the sign."""
    found = without_false_formats(f"{FALSE}\n\n{TRUE}\n")
    assert found == "\n\n".join([FALSE.replace("#, python-format\n", ""), TRUE]) + "\n"


def test_other_flags_of_a_message_stay() -> None:
    fuzzy = FALSE.replace("#, python-format", "#, fuzzy, python-format")
    assert without_false_formats(fuzzy) == FALSE.replace("#, python-format", "#, fuzzy")


def test_the_texts_of_rules_and_rulings_are_messages_and_those_of_decisions_are_not() -> None:
    found = texts_to_translate(books())
    assert found["A unit cannot be repaired past its start marker."] == "docs/rules.md"
    assert found["Does dig in cost heat?"] == "docs/rulings.md"
    assert not {row[0] for chapter in books().decisions for row in chapter.rows} & found.keys()
    lines = {line.text for line in books().challenge_lines.values()}
    assert lines <= found.keys()


def test_a_quotation_mark_and_a_backslash_in_a_text_are_escaped() -> None:
    assert entry('Say "\\" aloud.', "docs/rules.md").splitlines()[2] == 'msgid "Say \\"\\\\\\" aloud."'


@pytest.mark.parametrize(
    ("context", "text"),
    [
        ("equipment", "Repair"),
        ("button", "Repair"),
        ("experience", "Unique"),
        ("Challenge", "Kills"),
        ("phase", "setup"),
        ("phase", "finished"),
        ("of a season", "round"),
        ("an entry", "new"),
        ("a pilot", "ready"),
        ("a finalist", "has left"),
        ("ammunition", "smoke"),
    ],
)
def test_a_word_of_two_meanings_has_a_context_beside_the_plain_one(context: str, text: str) -> None:
    """One message for both would make one of the places wrong in another language."""
    assert (context, text) in texts()


def test_a_name_or_a_moment_stands_inside_its_sentence_or_behind_a_colon() -> None:
    """Half a sentence before it leaves a translator no place to put it."""
    found = {path.name: _HALF.findall(path.read_text("utf-8")) for path in (ROOT / "templates").rglob("*.html")}
    assert {name: halves for name, halves in found.items() if halves} == {}


def test_makemessages_keeps_the_comments_for_translators() -> None:
    assert "--add-comments=Translators" in Command.xgettext_options


def test_a_message_of_one_or_two_letters_has_a_comment_for_translators() -> None:
    """Nobody can guess what “T” is. Names of fields in the admin pages have their model beside them."""
    lacking = []
    for (_context, text), found in texts().items():
        if len(text) < 3 and text not in WHOLE_WORDS:
            lacking += [
                (text, file) for file in found.files if file.startswith("templates") and not _is_explained(text, file)
            ]
    assert lacking == []


WHOLE_WORDS = ("AI", "CP", "GM")
"""Short words of the glossary, which explains them."""


def _is_explained(text: str, file: str) -> bool:
    """Return whether a comment for translators stands right above every use of a text in a template."""
    lines = (ROOT / file).read_text("utf-8").splitlines()
    uses = [number for number, line in enumerate(lines) if f'translate "{text}"' in line]
    return all("Translators: " in lines[number - 1] or 'context "' in lines[number] for number in uses)
