"""The usual reasons for what an organiser does, as keys for forms and programs and as words for the log."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from rules.wording.filling import fill

TYPING_ERROR, AGREED, NO_SHOW, LEFT, RULING = "typing_error", "agreed", "no_show", "left", "ruling"

REASONS: dict[str, str | Promise] = {
    TYPING_ERROR: gettext_lazy("typing error"),
    AGREED: gettext_lazy("agreed"),
    NO_SHOW: gettext_lazy("did not come"),
    LEFT: gettext_lazy("has left"),
    RULING: gettext_lazy("a ruling"),
}
"""Key -> words."""

LONGEST_WORDS = 900
"""The most characters of a reason's own words, so that they fit into a reason together with a usual one."""


def reason_text(key: str, words: str) -> str:
    """Return a reason as people read it: a usual one, a person's own words, or both. "" without either.

    `key` is a key of REASONS or "". White space in `words` becomes single blanks.
    """
    usual = str(REASONS[key]) if key else ""
    own = " ".join(words.split())
    return fill(gettext("{usual}: {own}"), {"usual": usual, "own": own}) if usual and own else usual or own
