"""The usual reasons for what people do to others' stables and matches: keys for forms, programs and the log, and words.

A reason is stored as one text: "#left", "#left: and took the dice along", or a person's own words alone. So each reader
has the usual part in their own language.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from rules.wording.filling import say
from web.languages.reader import translate

TYPING_ERROR, AGREED, NO_SHOW, LEFT, RULING = "typing_error", "agreed", "no_show", "left", "ruling"

REASONS: dict[str, str | Promise] = {
    TYPING_ERROR: gettext_lazy("typing error"),
    AGREED: gettext_lazy("agreed"),
    NO_SHOW: gettext_lazy("did not come"),
    LEFT: gettext_lazy("has left"),
    RULING: gettext_lazy("a ruling"),
}
"""Key -> words."""

DECLARED: dict[str, str | Promise] = {
    "unable": gettext_lazy("it could field nobody"),
    "no_show": gettext_lazy("did not come"),
    "late": gettext_lazy("not played in time"),
    "left": gettext_lazy("left the season"),
    "ruled": gettext_lazy("the organiser’s decision"),
}
"""A reason of a forfeit that an organiser declares (rules.campaign.season.directing.FORFEIT_REASONS) -> words."""

SAID_ALREADY = {"no_show": NO_SHOW, "left": LEFT, "ruled": RULING}
"""A key of DECLARED -> the key of REASONS that says the same again."""

MAY_HAVE_REASON = (
    "deadline_market_put_off", "deadline_moved", "fixture_arena_set", "fixture_date_set", "fixture_given_to_the_ai",
    "fixture_mode_set", "fixture_table_set", "market_put_off",
)  # fmt: skip
"""Lines and notices of acts that may have a reason and need none: what they set is said from what to what."""

LONGEST_WORDS = 900
"""The most characters of a reason's own words, so that they fit into a reason together with a usual one."""

MARK = "#"
"""What stands before the key of a stored reason: without it, the words "left: both arms" would have a key."""


def reason_text(key: str, words: str) -> str:
    """Return a reason as it is stored: a usual one, a person's own words, or both. "" without either.

    `key` is a key of a table of reasons or "". White space in `words` becomes single blanks.
    """
    return ": ".join(part for part in (f"{MARK}{key}" if key else "", " ".join(words.split())) if part)


def declared_text(why: str, words: str) -> str:
    """Return the reason of a declared forfeit as it is stored: a key of DECLARED, and words that may say more.

    The words may be a stored reason. Its usual part is left out where `why` says the same.
    """
    usual, _, own = words.partition(": ")
    return reason_text(why, own if usual == f"{MARK}{SAID_ALREADY.get(why, '')}" else words)


def own_words(text: str) -> str:
    """Return the words that somebody sent without a MARK at their beginning, so that they are taken for no key."""
    return text.lstrip(f"{MARK} ")


def told_reason(stored: str) -> str:
    """Return a stored reason as people read it. One of earlier versions, which was words already, stays as it is."""
    return _told(stored, REASONS, str)


def told_declared(stored: str) -> str:
    """Return the stored reason of a declared forfeit as people read it; its own words may be a stored reason."""
    return _told(stored, DECLARED, told_reason)


def _told(stored: str, usual: Mapping[str, Any], told: Callable[[str], str]) -> str:
    key, _, own = stored.removeprefix(MARK).partition(": ")
    if not stored.startswith(MARK) or key not in usual:
        return stored
    words = str(usual[key])
    return say("{usual}: {own}", {"usual": words, "own": told(own)}, translate) if own else words
