"""Every notice that the source sends and every line that it logs has a sentence, and brings what its sentence names."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

import pytest

from people.text import notices
from rules.wording.filling import placeholders
from stables.text import log
from stables.text.log import SENTENCES
from tests.architecture.codes_in_source import Call, argument, calls, codes

NOTICES = [
    *calls("notify"),
    *calls("notify_newest"),
    *calls("notify_bounded"),
    *calls("tell_people"),
    *calls("tell_of_change"),
]
NOTICE_CODES = notices.sentences()
LINES = [call for call in calls("record") if call.place.startswith("stables/")]
"""`record` is the log's verb in `stables`."""


def named(found: list[Call]) -> list[object]:
    return [pytest.param(call, id=call.place) for call in found]


def in_table(call: Call, table: Mapping[str, str]) -> list[str]:
    """The codes of the table that a call can send; fails for a code that the table lacks."""
    found = codes(call, 1)
    assert found, f"{call.place}: it cannot be read from the source which code this is"
    lacking = [code for code in found if not any(fnmatchcase(known, code) for known in table)]
    assert lacking == [], call.place
    return [known for known in table if any(fnmatchcase(known, code) for code in found)]


def brings_enough(given: set[str], templates: Sequence[str]) -> bool:
    """Whether the first template can be filled. Later ones are for what earlier versions wrote, or has no deadline."""
    return set(placeholders(templates[0])) <= given


def given_names(node: ast.expr | None) -> set[str] | None:
    """The keys of parameters that are written as a dictionary at the call; None where they are not."""
    if not isinstance(node, ast.Dict) or any(key is None for key in node.keys):
        return None
    return {str(key.value) for key in node.keys if isinstance(key, ast.Constant)}


@pytest.mark.parametrize("call", named(NOTICES))
def test_notices_have_a_sentence_and_bring_what_it_names(call: Call) -> None:
    known = in_table(call, NOTICE_CODES)
    given = given_names(argument(call.node, 2, "parameters"))
    if given is not None:
        lacking = [code for code in known if not brings_enough(given, notices.templates(code))]
        assert lacking == [], call.place


@pytest.mark.parametrize("call", named(LINES))
def test_lines_of_the_log_have_a_sentence_and_bring_what_it_names(call: Call) -> None:
    known = in_table(call, SENTENCES)
    given = given_names(argument(call.node, 2, "parameters"))
    if given is not None:
        lacking = [code for code in known if not brings_enough(given, log.templates(code))]
        assert lacking == [], call.place


def test_every_sentence_is_sent_by_somebody() -> None:
    """A sentence that nobody sends hides a notice that was forgotten, or is dead."""
    sent = {code for call in NOTICES for code in in_table(call, NOTICE_CODES)}
    logged = {code for call in LINES for code in in_table(call, SENTENCES)}
    assert set(NOTICE_CODES) - sent == set()
    assert set(SENTENCES) - logged == set()
