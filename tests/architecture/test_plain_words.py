"""Sentences that a newcomer could not follow stay out of the pages (findings N-10)."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.architecture.imports import ROOMS

ROOT = Path(__file__).resolve().parents[2]
PLACES = ("templates", "static", *ROOMS)

STILTED = (
    "Nothing is played before",
    "does nothing now; without any order all round",
    "do without?",
    "The last die is of the odd colour",
    "now and then that is enough to guess",
    "then the way the unit looks",
    "From which corner is the new target token counted",
    "thought out five times",
    "chances told so",
    "Doing nothing would leave",
    "Whether doing nothing would be worse is open",
    "Behind the first advice",
    "Percentage points less",
    "Percentage points: {points}",
    "new target token counted from",
    "What you are asked out of turn",
    "and no line above fits",
    "do anything the rules allow, by chance",
    "try a few orders in thought",
    "who loses a match keeps no reputation",
    "in a cycle of two ’Mechs a side two of each",
    "suggestions, needed to field a crew",
    "and takes crews:",
    "the dearest loss of the next match",
    "on the value primary",
    "below {number} on the dial.",
    "what cannot be paid then is skipped",
    "Repair first: moving gear",
    "When you hand in no line-up in time",
    "It holds once everybody else",
    "Line-ups are missing of",
    "Nobody is hurried",
    "other than in the book",
    "Hook: settled",
    "Longest row of wins",
    "the titles are held.",
    "Matches count that were played here to their end",
    "One press is left.",
    "nothing has begun yet",
    "A figure of this house, not of the rules",
    "So few play-outs tell a chance",
    "Told by who played",
    "Tell how it went",
    "for units of the class ",
)
"""What gives away each of the sentences that had to go."""


@cache
def _sentences() -> dict[str, str]:
    """Return the text of every template, script and module by its path, each sentence in one piece."""
    found = {}
    for place in PLACES:
        for path in (ROOT / place).rglob("*"):
            if path.suffix in (".html", ".py", ".js") and "migrations" not in path.parts:
                text = re.sub(r'"\s*\n\s*f?"', "", path.read_text(encoding="utf-8"))
                found[str(path.relative_to(ROOT))] = " ".join(text.replace("'", "’").split())
    return found


@pytest.mark.parametrize("phrase", STILTED)
def test_a_stilted_sentence_stays_away(phrase: str) -> None:
    assert [path for path, text in _sentences().items() if phrase in text] == []
