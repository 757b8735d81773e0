"""Services and the interface pass keys on; words are for pages, mails and the log when somebody reads it."""

from __future__ import annotations

import re
from pathlib import Path

from tests.architecture.codes_in_source import ROOT

WORDS = re.compile(r"get_\w+_display\(\)|\w\)\.label\b")


def test_no_service_and_no_endpoint_asks_for_the_word_of_a_choice():
    """A word would be stored, or answered, in the language of whoever happens to act."""
    rooms = [*ROOT.glob("*/services/**/*.py"), *ROOT.glob("*/api/**/*.py"), *ROOT.glob("api/**/*.py")]
    assert len(rooms) > 200
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in rooms
        for number, line in enumerate(Path(path).read_text().splitlines(), 1)
        if WORDS.search(line)
    ]
    assert found == []


def test_no_refusal_gets_the_word_of_a_choice():
    """Also where a page raises it: its parameters are answered by the interface, and worded by the sentence."""
    raised = re.compile(r"(?:Refused|Malformed)\([^)]*get_\w+_display\(\)")
    found = [
        str(path.relative_to(ROOT))
        for path in ROOT.glob("*/**/*.py")
        if path.parts[len(ROOT.parts)] != ".venv" and raised.search(path.read_text())
    ]
    assert found == []
