"""What a rally card asks of its unit, as a sentence to a player."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.messages import gettext_noop
from rules.wording.filling import say
from rules.wording.language import Translate, identity
from rules.wording.vocabulary import VALUES

PLAYABLE = gettext_noop("Playable while {condition}.")
PLAYABLE_WITH_BOTH = gettext_noop("Playable while {one} and {other}.")

BELOW = gettext_noop("{value} on the dial is below {number}")
"""What a rally card asks of a combat value."""

STATES: Mapping[str, str] = {
    "shutdown": gettext_noop("the unit is shut down"),
    "unconscious": gettext_noop("the pilot is unconscious"),
    "salvage": gettext_noop("the unit shows Salvage"),
    "overheated": gettext_noop("the heat dial shows a heat effect"),
    "in_base_contact": gettext_noop("an opponent is in base contact"),
    "last_unit": gettext_noop("the unit is the last of a side that had more"),
    "outscored": gettext_noop("another side has more reputation in this match"),
}
"""State -> what a rally card asks for."""


def requirement(requires: Mapping[str, Any], translate: Translate = identity) -> str:
    """Return what a rally card asks of its unit, in a sentence: a low printed value, a state, or both (R-RAL-06).

    Return "" when it asks for nothing.
    """
    found = []
    if "value" in requires:
        value = translate(VALUES[requires["value"]])
        found.append(say(BELOW, {"value": value, "number": requires["below"]}, translate))
    if "state" in requires:
        found.append(translate(STATES[requires["state"]]))
    if len(found) > 1:
        return say(PLAYABLE_WITH_BOTH, {"one": found[0], "other": found[1]}, translate)
    return say(PLAYABLE, {"condition": found[0]}, translate) if found else ""
