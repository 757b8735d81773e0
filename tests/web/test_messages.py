"""What `manage.py makemessages` writes for the translators."""

from __future__ import annotations

from solaris_site.management.commands.makemessages import without_false_formats

FALSE = """#: rules/wording/advice.py:118
#, python-format
msgid "It keeps its own attack: {chance} % on {target}."
msgstr \"\""""

TRUE = """#: stables/text/results.py:80
#, python-format
msgid "%(who)s: %(amount)s reputation."
msgstr \"\""""


def test_a_percent_sign_before_a_word_makes_no_format() -> None:
    """msgfmt would refuse every translation in which another letter follows the sign."""
    found = without_false_formats(f"{FALSE}\n\n{TRUE}\n")
    assert found == "\n\n".join([FALSE.replace("#, python-format\n", ""), TRUE]) + "\n"


def test_other_flags_of_a_message_stay() -> None:
    fuzzy = FALSE.replace("#, python-format", "#, fuzzy, python-format")
    assert without_false_formats(fuzzy) == FALSE.replace("#, python-format", "#, fuzzy")
