"""A calendar in words: sentences for its warnings, and names for its deadlines."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_noop, ngettext
from django.utils.translation import gettext_lazy as _

from rules.campaign.season.calendar import Calendar
from rules.campaign.season.clock import DaysOff
from rules.campaign.season.planning import Warned
from rules.wording.filling import say
from rules.wording.isolation import isolated
from web.languages.reader import translate

WARNINGS: Mapping[str, str] = {
    "evening_too_short": gettext_noop(
        "Cycle {cycle} has more rounds than a club night has time for, with set-up. Rounds: {rounds}. Minutes needed: "
        "{needed}. Minutes of a club night: {evening}. The rest goes to the next one."
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
    "referee": _("Reports that differ go to organisers and referees"),
    "closing": _("Results become final"),
}


WEEKDAYS: tuple[str | Promise, ...] = (
    _("Monday"),
    _("Tuesday"),
    _("Wednesday"),
    _("Thursday"),
    _("Friday"),
    _("Saturday"),
    _("Sunday"),
)

MODES: Mapping[str, str | Promise] = {
    "ai": _("The AI plays all matches."),
    "browser": _("People play their matches in the browser."),
    "table": _("People play their matches at a table."),
}
"""Mode of a calendar -> a sentence."""

PRESETS: Mapping[str, str] = {
    "solo": gettext_noop("Solo: nothing has a deadline."),
    "club_night": gettext_noop(
        "Club night: round after round on one evening a week, {weekday} at {at} ({zone}), for {evening_minutes} "
        "minutes. The market is open for {market_hours} hours at least."
    ),
    "weekly": gettext_noop(
        "Weekly: each round ends on {weekday} at {at} ({zone}). There are {line_up_hours} hours for line-ups, "
        "{play_hours} at least to play and {confirm_hours} to confirm, and {market_hours} at least for the market."
    ),
    "correspondence": gettext_noop(
        "Correspondence: each round has {line_up_hours} hours for line-ups, {play_hours} to play and {confirm_hours} "
        "to confirm, and the market {market_hours}."
    ),
}
"""Preset of a calendar -> template; its placeholders are values of the calendar, `weekday` and `zone` in words."""


def calendar_sentences(calendar: Calendar) -> list[str]:
    """Return what a calendar says, in the reader's language: its course, who plays, and the time to think."""
    values = {**calendar.to_json(), "weekday": WEEKDAYS[calendar.weekday]}
    values["zone"] = calendar.time_zone.replace("_", " ")
    found = [say(PRESETS[calendar.preset], values, translate), str(MODES[calendar.mode])]
    hours = calendar.hours_a_round
    if hours is not None:
        phrase = ngettext(
            "Each side has {count} hour to think in each round of a match in the browser.",
            "Each side has {count} hours to think in each round of a match in the browser.",
            hours,
        )
        found.append(phrase.format(count=hours))
    if calendar.ends_on:
        found.append(say("The season should be over by {day}.", {"day": _day(calendar.ends_on)}, translate))
    return found


def days_in_words(span: DaysOff) -> str:
    """Return days off in the reader's language: "Thu 24 Dec 2026 to Sat 26 Dec 2026 (Christmas)"."""
    try:
        first, last = (date_format(day, "DATE_FORMAT") for day in span.days)
    except ValueError:
        # An old line of the log may hold anything.
        first, last = span.first, span.last
    text = first if first == last else say("{first} to {last}", {"first": first, "last": last}, translate)
    return f"{text} ({isolated(span.word)})" if span.word else text


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
    days = {name: _day(warned.parameters[name]) for name in ("wanted", "planned") if name in warned.parameters}
    return say(WARNINGS[warned.code], {**warned.parameters, **days}, translate)


def _day(text: str) -> str:
    """Return a day in ISO form as the reader's language writes it."""
    return date_format(date.fromisoformat(text), "DATE_FORMAT")
