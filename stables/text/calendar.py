"""A calendar in words: sentences for its warnings, and names for its deadlines."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_noop, ngettext
from django.utils.translation import gettext_lazy as _

from rules.campaign.season.calendar import Warned

WARNINGS: Mapping[str, str] = {
    "evening_too_short": gettext_noop(
        "Cycle {cycle}: {rounds} rounds take {needed} minutes with set-up, and a club night has {evening}. "
        "The rest goes to the next one."
    ),
    "week_too_short": gettext_noop(
        "Line-ups, playing and confirming take {needed} hours together, and a week has {week}: each round takes two."
    ),
    "confirming_too_short": gettext_noop(
        "Results are due after {hours} hours, but a report is confirmed by silence only after {silence}."
    ),
    "playing_shorter_than_confirming": gettext_noop(
        "There are {play} hours to play and {confirm} to confirm: more time to wait than to play."
    ),
    "thinking_too_long": gettext_noop(
        "Cycle {cycle}: at {hours} hours a round, a match of {rounds} rounds may keep one player thinking for {needed} "
        "hours, and there are {play} to play."
    ),
    "ends_too_late": gettext_noop("The season should be over by {wanted}, but may last until {planned}."),
}
"""Code -> template with {name} placeholders."""

DEADLINES: Mapping[str, str | Promise] = {
    "market": _("The market closes"),
    "line_ups": _("Line-ups are due"),
    "play": _("Matches are due"),
    "confirm": _("Results are due"),
    "excused": _("A match with an excuse is due"),
    "silence": _("A report counts unless somebody contradicts it"),
    "referee": _("Reports that differ go to a referee"),
}


def silence_sentence(lasts: timedelta, has_deadlines: bool) -> str:
    """Return a sentence in the reader's language about reports that nobody contradicts: after `lasts` they count.

    Without `has_deadlines` it also says that nothing else has a deadline.
    """
    minutes = round(lasts.total_seconds() / 60)
    hours, rest = divmod(minutes, 60)
    if rest:
        span = ngettext("{count} minute", "{count} minutes", minutes).format(count=minutes)
    else:
        span = ngettext("{count} hour", "{count} hours", hours).format(count=hours)
    text = gettext("Nothing has a deadline, but a report that nobody contradicts counts after {span}.")
    if has_deadlines:
        text = gettext("A report that nobody contradicts counts after {span}.")
    return text.format(span=span)


def warning(warned: Warned) -> str:
    """Return the sentence of a warning in the reader's language."""
    return gettext(WARNINGS[warned.code]).format(**warned.parameters)
