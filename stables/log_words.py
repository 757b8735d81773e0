"""The sentences of the season's log. Placeholders are the parameters of the entry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, gettext_noop

SENTENCES: Mapping[str, str] = {
    "cycle_closed": gettext_noop("Cycle {cycle} is closed."),
    "date_agreed": gettext_noop("A date was agreed: {date}."),
    "hand_over_began": gettext_noop("{stable} is handed over to the AI from {from} to {to}."),
    "hand_over_taken_back": gettext_noop("{stable} is in its owner's hands again."),
    "mode_agreed_ai": gettext_noop("It was agreed that the AI plays this match for both."),
    "mode_agreed_browser": gettext_noop("It was agreed to play this match in the browser."),
    "mode_agreed_table": gettext_noop("It was agreed to play this match at a table."),
    "no_show_answered": gettext_noop("{stable} is there; the claim that it did not come is off."),
    "no_show_claimed": gettext_noop("{stable} says that {absent} did not come. One new date: {date}."),
    "no_show_claimed_again": gettext_noop("{stable} says that {absent} did not come to the new date either."),
    "no_show_forfeited": gettext_noop("{absent} did not come; {stable} chose the forfeit."),
    "no_show_stand_in": gettext_noop("{absent} did not come; {stable} plays against the AI that stands in."),
    "no_show_withdrawn": gettext_noop("{stable} took back that the other one did not come."),
    "program_agreed": gettext_noop("Everybody consents: the program “{program}” plays the matches of {stable}."),
    "program_consented": gettext_noop("{stable} consents to the program of {other}."),
    "program_ended": gettext_noop("The program “{program}” does not play the matches of {stable} any more."),
    "program_proposed": gettext_noop("{stable} asks for consent to a program that plays its matches: “{program}”."),
    "proposal_declined": gettext_noop("{stable} declined what was proposed for this match."),
    "season_started": gettext_noop("The season has begun with {stables} stables."),
}
"""Code -> template with {name} placeholders."""


def told(code: str, parameters: Mapping[str, Any]) -> str:
    """Return the sentence of an entry in the reader's language."""
    return gettext(SENTENCES[code]).format(**parameters)
